// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The library's JSON documents (docs/json.md) as values.
#ifndef OMPI_TOOLS_HITOPO_DOCUMENT_H
#define OMPI_TOOLS_HITOPO_DOCUMENT_H

#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/level.h"
#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo::tool {

using Json = nlohmann::ordered_json;
using OptionalText = std::optional<std::string>;

// The documents' version that this command reads.
inline constexpr int kSchema = 1;

// All strings of these structs are as the document has them: use safe() before printing.

enum class Known { kNone, kSome, kAll };

struct LevelSummary {
    std::string name;  // "cluster"
    Known known = Known::kNone;
    std::vector<std::string> components;
};

// A node's hardware; CPUs are lists ("0-3,8").
struct ResourceType {
    std::string type;                    // "Package", "Core", as hwloc names it
    std::vector<std::string> instances;  // in the order of their lowest CPU
};
struct MachineDocument {
    std::string cpus;
    std::vector<ResourceType> types;
};

struct NodeDocument {
    OptionalText identity;
    int machine = -1;  // index into TableDocument::machines; -1: unknown
    OptionalText name;
};

// A type of side resources, which processes share and which nest in nothing.
struct SideDomain {
    OptionalText name;
    std::vector<int> ranks;  // ascending, each in one domain of its type at most
};
struct SideResource {
    std::string type;  // "nvlink://Domain"
    std::vector<std::string> components;
    std::vector<SideDomain> domains;
};

struct RankRow {
    int node = -1;                               // index into TableDocument::nodes
    std::array<int, kNumLevels> address{};       // -1: unknown
    std::array<OptionalText, kNumLevels> names;  // empty where unknown
    OptionalText cpus;
    OptionalText allowed;  // the CPUs of its cpuset, where that lacks some
};

struct TableDocument {
    std::string version;
    std::string communicator;
    std::array<LevelSummary, kNumLevels> levels;
    std::vector<NodeDocument> nodes;        // these two may be empty
    std::vector<MachineDocument> machines;  // each index is in range
    std::vector<RankRow> ranks;             // row r is rank r
    std::vector<SideResource> side;         // each rank in it is one
    std::vector<std::string> warnings;

    // The index of the machine of a rank's node; -1: unknown.
    int machine_of(const RankRow& row) const {
        return row.node < 0 || nodes.empty() ? -1 : nodes[static_cast<std::size_t>(row.node)].machine;
    }
};

// The answer of one component for one level.
struct Answer {
    std::string component;
    int priority = 0;
    OptionalText value;
    OptionalText reason;
};

struct LevelAnswers {
    std::string level;
    OptionalText chosen;  // the component
    OptionalText value;   // its raw value
    std::vector<Answer> answers;
};

struct BadInput {
    std::string component;
    std::string code;
    std::string value;
    std::string where;
    std::string message;
};

struct ProcessDocument {
    std::string host;
    OptionalText binding;
    bool is_binding_changed = false;
    std::vector<LevelAnswers> levels;  // and then side resources, by type
    std::vector<BadInput> errors;
};

struct ComponentInfo {
    std::string name;
    std::string version;
    int priority = 0;
    std::vector<std::string> levels;  // that it can fill
};

struct VariableInfo {
    std::string name;
    std::string type;
    OptionalText value;
    std::string source;
    std::string scope;
    std::string help;
};

struct FrameworkDocument {
    std::string version;
    std::string open_mpi;
    std::vector<std::string> levels;
    std::vector<ComponentInfo> components;
    std::vector<VariableInfo> variables;
};

// Any bytes. An error names the member that is missing or wrong, or reports text that is no JSON.
Result<Json> parse_json(std::string_view text);
Result<TableDocument> parse_table(const Json& document);
Result<ProcessDocument> parse_process(const Json& document);
Result<FrameworkDocument> parse_framework(const Json& document);

// The error of a document that is not as docs/json.md has it; `what` is the piece.
Error wrong_document(const std::string& what);

// ASCII only (\u escapes), two spaces a step. Ends in a newline.
std::string pretty_json(const Json& document);

// ---- members of JSON objects by name and type. These functions throw std::invalid_argument with the
// fault where the member is missing or of another type: their callers turn that into an Error ----

const Json& member(const Json& object, const char* name);
const Json& array_at(const Json& object, const char* name);
std::string text_at(const Json& object, const char* name);
std::vector<std::string> texts_at(const Json& object, const char* name);
bool bool_at(const Json& object, const char* name);

// A member that may be null may be missing, too.
OptionalText optional_text_at(const Json& object, const char* name);

// A number itself; `name` is for the message.
int to_int(const Json& value, const char* name, int smallest = std::numeric_limits<int>::min());
int int_at(const Json& object, const char* name, int smallest = std::numeric_limits<int>::min());

// 0 .. 2^64 - 1.
std::uint64_t to_count(const Json& value, const char* name);
std::uint64_t count_at(const Json& object, const char* name);

// CPUs as lists: "0-3,8".
CpuSet to_cpus(const std::string& list);
std::vector<CpuSet> to_cpu_sets(const std::vector<std::string>& lists);

template <class Read>
auto list_at(const Json& object, const char* name, Read read) {
    std::vector<decltype(read(object))> list;
    for (const Json& value : array_at(object, name)) {
        list.push_back(read(value));
    }
    return list;
}

}  // namespace hitopo::tool

#endif
