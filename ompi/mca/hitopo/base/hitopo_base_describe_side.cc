// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/hitopo_base_describe_side.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/table/domain.h"

namespace hitopo {
namespace {

using Json = nlohmann::ordered_json;

// What the process has of a type that crosses nodes.
std::optional<LevelValue> side_value(const Table& table, std::size_t rank, std::size_t type) {
    const std::int32_t number = table.side_of(table.node_number(rank), table.pattern(rank).cohort, type);
    return number < 0
               ? std::nullopt
               : std::optional(table.dictionary().side_value(type, static_cast<std::size_t>(number)));
}

void add(const std::string& name, std::vector<std::string>& names) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(name);
    }
}

Json describe_domains(const Table& table, const ResourceType& type,
                      std::vector<std::string>& components) {
    const Domains domains = domains_of(table, type);
    Json all(static_cast<std::size_t>(domains.count), {{"name", nullptr}, {"ranks", Json::array()}});
    for (std::size_t rank = 0; rank < table.size(); ++rank) {
        if (domains.domain[rank] < 0) {
            continue;
        }
        Json& domain = all[static_cast<std::size_t>(domains.domain[rank])];
        if (!type.crosses_nodes()) {
            add(table.node(rank).inner_component, components);
        } else if (domain["name"].is_null()) {
            const auto value = side_value(table, rank, static_cast<std::size_t>(type.side));
            add(value->component, components);
            domain["name"] = value->value.visible().to_string();
        }
        domain["ranks"].push_back(rank);
    }
    return all;
}

}  // namespace

Json describe_side(const Table& table) {
    Json side = Json::array();
    for (const ResourceType& type : resource_types(table)) {
        if (type.is_side()) {
            std::vector<std::string> components;
            Json domains = describe_domains(table, type, components);
            side.push_back({{"type", type.uri()},
                            {"crosses_nodes", type.crosses_nodes()},
                            {"components", std::move(components)},
                            {"domains", std::move(domains)}});
        }
    }
    return side;
}

Json describe_side_answers(const Answers& answers, const Table* table, std::size_t rank) {
    std::vector<std::string> types;
    if (table != nullptr) {
        types = table->dictionary().side_types();
    }
    for (const ComponentAnswer& answer : answers.by_component) {
        for (const SideAnswer& said : answer.side) {
            add(said.type, types);
        }
    }
    Json side = Json::array();
    for (std::size_t type = 0; type < types.size(); ++type) {
        Json json = {{"type", types[type]}, {"chosen", nullptr}, {"value", nullptr}};
        if (table != nullptr && type < table->dictionary().side_types().size()) {
            if (const auto value = side_value(*table, rank, type)) {
                json["chosen"] = value->component;
                json["value"] = value->value.to_string();
            }
        }
        json["answers"] = Json::array();
        for (const ComponentAnswer& answer : answers.by_component) {
            for (const SideAnswer& said : answer.side) {
                if (said.type == types[type]) {
                    json["answers"].push_back(
                        {{"component", answer.component},
                         {"priority", answer.priority},
                         {"value", said.value.to_string()},
                         {"reason", said.is_for_node ? Json("for all of the node") : Json()}});
                }
            }
        }
        side.push_back(std::move(json));
    }
    return side;
}

}  // namespace hitopo
