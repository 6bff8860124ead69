// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "ompi/tools/hitopo/json_member.h"

namespace hitopo::tool {
namespace {

constexpr int kMaxDepth = 32;  // the schema needs 6; bounds the recursion of dump()

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

ResourceType read_type(const Json& type) { return {text_at(type, "type"), texts_at(type, "instances")}; }

MachineDocument read_machine(const Json& machine) {
    return {text_at(machine, "cpus"), list_at(machine, "types", read_type)};
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

// Who is where is checked with the ranks.
SideDomain read_side_domain(const Json& domain) {
    SideDomain out = {optional_text_at(domain, "name"), {}};
    for (const Json& rank : array_at(domain, "ranks")) {
        out.ranks.push_back(to_int(rank, "ranks", 0));
    }
    return out;
}

SideResource read_side(const Json& side) {
    return {text_at(side, "type"), texts_at(side, "components"),
            list_at(side, "domains", read_side_domain)};
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
    if (rank.contains("allowed")) {
        row.allowed = optional_text_at(rank, "allowed");
    }
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

Answer read_answer(const Json& answer) {
    return {text_at(answer, "component"), int_at(answer, "priority"), optional_text_at(answer, "value"),
            optional_text_at(answer, "reason")};
}

LevelAnswers answers_of(const std::string& name, const Json& place) {
    return {name, optional_text_at(place, "chosen"), optional_text_at(place, "value"),
            list_at(place, "answers", read_answer)};
}

LevelAnswers read_level_answers(const Json& level) { return answers_of(text_at(level, "level"), level); }

LevelAnswers read_side_answers(const Json& side) { return answers_of(text_at(side, "type"), side); }

BadInput read_error(const Json& error) {
    return {text_at(error, "component"), text_at(error, "code"), text_at(error, "value"),
            text_at(error, "where"), text_at(error, "message")};
}

ProcessDocument read_process(const Json& document) {
    ProcessDocument process = {text_at(document, "host"), optional_text_at(document, "binding"),
                               bool_at(document, "binding_changed"),
                               list_at(document, "levels", read_level_answers),
                               list_at(document, "errors", read_error)};
    if (document.contains("side")) {
        for (LevelAnswers& side : list_at(document, "side", read_side_answers)) {
            process.levels.push_back(std::move(side));
        }
    }
    return process;
}

ComponentInfo read_component(const Json& component) {
    return {text_at(component, "name"), text_at(component, "version"), int_at(component, "priority"),
            texts_at(component, "levels")};
}

VariableInfo read_variable(const Json& variable) {
    return {text_at(variable, "name"),   text_at(variable, "type"),  optional_text_at(variable, "value"),
            text_at(variable, "source"), text_at(variable, "scope"), text_at(variable, "help")};
}

FrameworkDocument read_framework(const Json& document) {
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

// Before it is parsed: the library's callback, which could tell too, looks at all elements of an array
// for each that is added. Brackets in strings do not count.
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

Error wrong_document(const std::string& what) {
    return {Errc::kMalformed,
            what,
            fmt::format("(not a document of schema {}: the command hitopo and libompi_hitopo have "
                        "different versions; install both from one version)",
                        kSchema),
            "the library's JSON",
            0,
            0};
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
