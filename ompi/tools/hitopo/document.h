// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The library's JSON documents (docs/json.md) as values.
#ifndef OMPI_TOOLS_HITOPO_DOCUMENT_H
#define OMPI_TOOLS_HITOPO_DOCUMENT_H

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/level.h"
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
    int machine = -1;  // index into TableDocument::machines; -1: nobody knows
    OptionalText name;
};

// A type of side resources: what processes share that nests in nothing.
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
};

// What one component said of one level.
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

// Any bytes. An error says which member is missing or wrong, or that the text is no JSON.
Result<Json> parse_json(std::string_view text);
Result<TableDocument> parse_table(const Json& document);
Result<ProcessDocument> parse_process(const Json& document);
Result<FrameworkDocument> parse_framework(const Json& document);

// The error of a document that is not as docs/json.md has it; `what` is the piece.
Error wrong_document(const std::string& what);

// ASCII only (\u escapes), two spaces a step. Ends in a newline.
std::string pretty_json(const Json& document);

}  // namespace hitopo::tool

#endif
