// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace hitopo::tool {
namespace {

// The member, if it is; `fault` is the message otherwise.
const Json& typed(const Json& object, const char* name, bool (Json::*is)() const, const char* fault) {
    const Json& value = member(object, name);
    if (!(value.*is)()) {
        throw std::invalid_argument(fmt::format("\"{}\" {}", name, fault));
    }
    return value;
}

constexpr int kMaxDepth = 32;  // the schema needs 6; bounds the recursion of dump()

// An array of kNumLevels entries.
const Json& level_array_at(const Json& object, const char* name) {
    const Json& value = array_at(object, name);
    if (value.size() != kNumLevels) {
        throw std::invalid_argument(fmt::format("\"{}\" does not have {} entries", name, kNumLevels));
    }
    return value;
}

Known read_known(const Json& level) {
    const std::string known = text_at(level, "known");
    if (known != "all" && known != "some" && known != "none") {
        throw std::invalid_argument("\"known\" is not all, some or none");
    }
    return known == "all" ? Known::kAll : known == "some" ? Known::kSome : Known::kNone;
}

LevelSummary read_level(const Json& level) {
    return {text_at(level, "level"), read_known(level), texts_at(level, "components")};
}

MachineDocument read_machine(const Json& machine) {
    return {text_at(machine, "cpus"), list_at(machine, "types", [](const Json& type) {
                return ResourceType{text_at(type, "type"), texts_at(type, "instances")};
            })};
}

// -1 where it is null or missing.
int optional_index_at(const Json& object, const char* name) {
    const auto found = object.find(name);
    return found == object.end() || found->is_null() ? -1 : to_int(*found, name, 0);
}

NodeDocument read_node(const Json& node) {
    return {optional_text_at(node, "identity"), optional_index_at(node, "machine"),
            optional_text_at(node, "name")};
}

SideResource read_side(const Json& side) {
    const auto read_rank = [](const Json& rank) { return to_int(rank, "ranks", 0); };
    return {text_at(side, "type"), texts_at(side, "components"),
            list_at(side, "domains", [&](const Json& domain) {
                return SideDomain{optional_text_at(domain, "name"), list_at(domain, "ranks", read_rank)};
            })};
}

// Documents of 0.1 have none.
void read_side_resources(const Json& document, TableDocument& table) {
    if (document.contains("side")) {
        table.side = list_at(document, "side", read_side);
    }
    for (const SideResource& side : table.side) {
        std::vector<bool> is_taken(table.ranks.size(), false);
        for (const SideDomain& domain : side.domains) {
            for (const int rank : domain.ranks) {
                const auto index = static_cast<std::size_t>(rank);
                if (index >= is_taken.size() || is_taken[index]) {
                    throw std::invalid_argument(
                        "a rank of \"side\" is not in \"ranks\", or is in \"side\" twice");
                }
                is_taken[index] = true;
            }
        }
    }
}

RankRow read_row(const Json& rank) {
    RankRow row;
    row.node = optional_index_at(rank, "node");
    const Json& address = level_array_at(rank, "address");
    const Json& names = level_array_at(rank, "names");
    for (std::size_t i = 0; i < kNumLevels; ++i) {
        row.address[i] = to_int(address[i], "address", -1);
        if (!names[i].is_null()) {
            row.names[i] = names[i].get<std::string>();
        }
    }
    row.cpus = optional_text_at(rank, "cpus");
    row.allowed = optional_text_at(rank, "allowed");
    return row;
}

void read_nodes(const Json& document, TableDocument& table) {
    if (document.contains("nodes") && document.contains("machines")) {
        table.nodes = list_at(document, "nodes", read_node);
        table.machines = list_at(document, "machines", read_machine);
    }
    for (const NodeDocument& node : table.nodes) {
        if (node.machine >= static_cast<int>(table.machines.size())) {
            throw std::invalid_argument("\"machine\" is not in \"machines\"");
        }
    }
    for (const RankRow& row : table.ranks) {
        if (!table.nodes.empty() && row.node >= static_cast<int>(table.nodes.size())) {
            throw std::invalid_argument("\"node\" is not in \"nodes\"");
        }
    }
}

TableDocument read_table(const Json& document) {
    if (int_at(document, "schema") != kSchema) {
        throw std::invalid_argument("another schema");
    }
    TableDocument table;
    table.version = text_at(document, "hitopo");
    table.communicator = text_at(document, "communicator");
    const Json& levels = level_array_at(document, "levels");
    for (std::size_t i = 0; i < kNumLevels; ++i) {
        table.levels[i] = read_level(levels[i]);
    }
    table.ranks = list_at(document, "ranks", read_row);
    read_nodes(document, table);
    read_side_resources(document, table);
    table.warnings = texts_at(document, "warnings");
    return table;
}

// name: the member that has the level, or the type of side resources.
std::vector<LevelAnswers> answers_at(const Json& document, const char* list, const char* name) {
    const auto read_answer = [](const Json& answer) {
        return Answer{text_at(answer, "component"), int_at(answer, "priority"),
                      optional_text_at(answer, "value"), optional_text_at(answer, "reason")};
    };
    return list_at(document, list, [&](const Json& place) {
        return LevelAnswers{text_at(place, name), optional_text_at(place, "chosen"),
                            optional_text_at(place, "value"), list_at(place, "answers", read_answer)};
    });
}

ProcessDocument read_process(const Json& document) {
    const auto read_error = [](const Json& error) {
        return BadInput{text_at(error, "component"), text_at(error, "code"), text_at(error, "value"),
                        text_at(error, "where"), text_at(error, "message")};
    };
    ProcessDocument process = {text_at(document, "host"), optional_text_at(document, "binding"),
                               bool_at(document, "binding_changed"),
                               answers_at(document, "levels", "level"),
                               list_at(document, "errors", read_error)};
    if (document.contains("side")) {
        for (LevelAnswers& side : answers_at(document, "side", "type")) {
            process.levels.push_back(std::move(side));
        }
    }
    return process;
}

FrameworkDocument read_framework(const Json& document) {
    const auto read_component = [](const Json& each) {
        return ComponentInfo{text_at(each, "name"), text_at(each, "version"), int_at(each, "priority"),
                             texts_at(each, "levels")};
    };
    const auto read_variable = [](const Json& each) {
        return VariableInfo{text_at(each, "name"),           text_at(each, "type"),
                            optional_text_at(each, "value"), text_at(each, "source"),
                            text_at(each, "scope"),          text_at(each, "help")};
    };
    return {text_at(document, "hitopo"), text_at(document, "open_mpi"), texts_at(document, "levels"),
            list_at(document, "components", read_component),
            list_at(document, "variables", read_variable)};
}

template <class T>
Result<T> reading(const Json& document, T (*read)(const Json&)) {
    try {
        return read(document);
    } catch (const std::exception& wrong) {
        return wrong_document(wrong.what());
    }
}

// It looks before parsing: the library's callback, which could count too, looks at all elements of an
// array for each that is added. Brackets in strings do not count.
bool is_too_deep(std::string_view text) {
    int depth = 0;
    int deepest = 0;
    bool is_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (is_string) {
            i += c == '\\' ? 1 : 0;
            is_string = c != '"';
            continue;
        }
        is_string = c == '"';
        depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
        deepest = std::max(deepest, depth);
    }
    return deepest > kMaxDepth;
}

}  // namespace

const Json& member(const Json& object, const char* name) {
    const auto found = object.is_object() ? object.find(name) : object.end();
    if (found == object.end()) {
        throw std::invalid_argument(fmt::format("member \"{}\" is missing", name));
    }
    return *found;
}

std::string text_at(const Json& object, const char* name) {
    return typed(object, name, &Json::is_string, "is not a string").get<std::string>();
}

OptionalText optional_text_at(const Json& object, const char* name) {
    const bool is_empty = !object.is_object() || !object.contains(name) || object[name].is_null();
    return is_empty ? OptionalText() : text_at(object, name);
}

int to_int(const Json& value, const char* name, int smallest) {
    const double number = value.is_number_integer() ? value.get<double>() : std::nan("");
    if (!(number >= smallest && number <= std::numeric_limits<int>::max())) {
        throw std::invalid_argument(fmt::format("\"{}\" is not a number, or out of range", name));
    }
    return static_cast<int>(number);
}

int int_at(const Json& object, const char* name, int smallest) {
    return to_int(member(object, name), name, smallest);
}

std::uint64_t to_count(const Json& value, const char* name) {
    if (!value.is_number_unsigned()) {
        throw std::invalid_argument(fmt::format("\"{}\" is not a number from 0 to 2^64 - 1", name));
    }
    return value.get<std::uint64_t>();
}

std::uint64_t count_at(const Json& object, const char* name) {
    return to_count(member(object, name), name);
}

bool bool_at(const Json& object, const char* name) {
    return typed(object, name, &Json::is_boolean, "is neither true nor false").get<bool>();
}

const Json& array_at(const Json& object, const char* name) {
    return typed(object, name, &Json::is_array, "is not an array");
}

std::vector<std::string> texts_at(const Json& object, const char* name) {
    return list_at(object, name, [name](const Json& value) {
        if (!value.is_string()) {
            throw std::invalid_argument(
                fmt::format("\"{}\" contains a value that is not a string", name));
        }
        return value.get<std::string>();
    });
}

CpuSet to_cpus(const std::string& list) {
    Result<CpuSet> cpus = CpuSet::parse(list);
    if (!cpus) {
        throw std::invalid_argument(fmt::format("\"{}\" is not a list of CPUs", list));
    }
    return std::move(*cpus);
}

std::vector<CpuSet> to_cpu_sets(const std::vector<std::string>& lists) {
    std::vector<CpuSet> sets(lists.size());
    std::transform(lists.begin(), lists.end(), sets.begin(), to_cpus);
    return sets;
}

Error wrong_document(const std::string& what) {
    return {Errc::kMalformed, what,
            fmt::format("(not a document of schema {}: the command hitopo and libompi_hitopo have "
                        "different versions; install both from one version)",
                        kSchema),
            "the library's JSON"};
}

Result<Json> parse_json(std::string_view text) {
    if (is_too_deep(text)) {
        return wrong_document("JSON of too many levels");
    }
    Json document = Json::parse(text, nullptr, false);
    if (document.is_discarded()) {
        return wrong_document("text that is not JSON");
    }
    return document;
}

Result<TableDocument> parse_table(const Json& document) { return reading(document, read_table); }
Result<ProcessDocument> parse_process(const Json& document) { return reading(document, read_process); }
Result<FrameworkDocument> parse_framework(const Json& document) {
    return reading(document, read_framework);
}

std::string pretty_json(const Json& document) {
    return document.dump(2, ' ', true, Json::error_handler_t::replace) + '\n';
}

}  // namespace hitopo::tool
