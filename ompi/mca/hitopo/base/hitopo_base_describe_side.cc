// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/hitopo_base_describe_side.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/table/domain.h"
#include "ompi/mca/hitopo/core/text/text.h"

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
            add_once(components, table.node(rank).inner_component);
        } else if (domain["name"].is_null()) {
            const auto value = side_value(table, rank, static_cast<std::size_t>(type.side));
            add_once(components, value->component);
            domain["name"] = value->value.visible().to_string();
        }
        domain["ranks"].push_back(rank);
    }
    return all;
}

// And the types that a component has a word for.
std::vector<std::string> with_heard_of(std::vector<std::string> types, const Answers& answers) {
    for (const ComponentAnswer& answer : answers.by_component) {
        for (const SideAnswer& said : answer.side) {
            add_once(types, said.type);
        }
        for (const SideReason& reason : answer.side_reasons) {
            add_once(types, reason.type);
        }
    }
    return types;
}

// Null where the component says nothing of the type.
Json said_of(const ComponentAnswer& answer, const std::string& type) {
    Json value;
    Json reason;
    for (const SideAnswer& said : answer.side) {
        if (said.type == type) {
            value = said.value.to_string();
            reason = said.is_for_node ? Json("for all of the node") : Json();
        }
    }
    for (const SideReason& why : answer.side_reasons) {
        reason = why.type == type ? Json(why.text) : reason;
    }
    return value.is_null() && reason.is_null() ? Json()
                                               : Json{{"component", answer.component},
                                                      {"priority", answer.priority},
                                                      {"value", std::move(value)},
                                                      {"reason", std::move(reason)}};
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
    const std::vector<std::string> known =
        table == nullptr ? std::vector<std::string>() : table->dictionary().side_types();
    Json side = Json::array();
    for (const std::string& type : with_heard_of(known, answers)) {
        Json json = {{"type", type}, {"chosen", nullptr}, {"value", nullptr}};
        const auto number =
            static_cast<std::size_t>(std::find(known.begin(), known.end(), type) - known.begin());
        const auto value = number < known.size() ? side_value(*table, rank, number) : std::nullopt;
        if (value) {
            json["chosen"] = value->component;
            json["value"] = value->value.to_string();
        }
        json["answers"] = Json::array();
        for (const ComponentAnswer& answer : answers.by_component) {
            if (Json said = said_of(answer, type); !said.is_null()) {
                json["answers"].push_back(std::move(said));
            }
        }
        side.push_back(std::move(json));
    }
    return side;
}

}  // namespace hitopo
