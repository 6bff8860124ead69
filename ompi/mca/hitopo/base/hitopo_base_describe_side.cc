// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/hitopo_base_describe_side.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/core/tree/partition.h"
#include "ompi/mca/hitopo/core/tree/type_order.h"

namespace hitopo {
namespace {

using Json = nlohmann::ordered_json;

// What the process has of a type that crosses nodes; NULL for nothing.
const NamedValue* side_value(const AddressTree& tree, std::uint32_t rank, std::size_t type) {
    const AddressTree::At at = tree.at(rank);
    const JobFacts& facts = tree.facts();
    const std::int32_t number = facts.side_sets[tree.sharing(at.node, at.seat).sides][type];
    return number < 0 ? nullptr : &facts.side_types[type].values[static_cast<std::size_t>(number)];
}

Json describe_domains(const AddressTree& tree, const ResourceType& type,
                      std::vector<std::string>& components) {
    const Partition domains = Partition::by_type(tree, type);
    const std::vector<std::int32_t> groups = domains.groups();
    Json all(domains.count(), {{"name", nullptr}, {"ranks", Json::array()}});
    for (std::uint32_t rank = 0; rank < tree.size(); ++rank) {
        if (groups[rank] < 0) {
            continue;
        }
        Json& domain = all[static_cast<std::size_t>(groups[rank])];
        if (!type.crosses_nodes()) {
            add_once(components, tree.facts().kind_of(tree.listed(tree.at(rank).node)).inner);
        } else if (domain["name"].is_null()) {
            const NamedValue* value = side_value(tree, rank, static_cast<std::size_t>(type.side));
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

Json describe_side(const AddressTree& tree) {
    Json side = Json::array();
    for (const ResourceType& type : resource_types(tree)) {
        if (type.is_side()) {
            std::vector<std::string> components;
            Json domains = describe_domains(tree, type, components);
            side.push_back({{"type", type.uri()},
                            {"crosses_nodes", type.crosses_nodes()},
                            {"components", std::move(components)},
                            {"domains", std::move(domains)}});
        }
    }
    return side;
}

Json describe_side_answers(const Answers& answers, const AddressTree* tree, std::uint32_t rank) {
    std::vector<std::string> known;
    for (std::size_t i = 0; tree != nullptr && i < tree->facts().side_types.size(); ++i) {
        known.push_back(tree->facts().side_types[i].uri);
    }
    Json side = Json::array();
    for (const std::string& type : with_heard_of(known, answers)) {
        Json json = {{"type", type}, {"chosen", nullptr}, {"value", nullptr}};
        const auto number =
            static_cast<std::size_t>(std::find(known.begin(), known.end(), type) - known.begin());
        const NamedValue* value = number < known.size() ? side_value(*tree, rank, number) : nullptr;
        if (value != nullptr) {
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
