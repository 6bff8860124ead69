// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/base/describe/describe.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/hitopo_base_api.h"
#include "ompi/mca/hitopo/base/lifecycle.h"
#include "ompi/mca/hitopo/base/tree_cache.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/core/tree/partition.h"
#include "ompi/mca/hitopo/core/tree/type_order.h"

namespace hitopo {
namespace {

Json inner_name(const PlaceInNode& place, Level level, std::int32_t address) {
    if (!place.names[level].empty()) {
        return place.names[level];
    }
    const int number = level == kHwThread ? address : place.instance_numbers[level];
    return number < 0 || (level == kHwThread && place.instance_numbers[kCore] < 0)
               ? Json()
               : Json(std::to_string(number));
}

}  // namespace

Filled filled(const AddressTree& tree, std::uint32_t rank, Level level) {
    const JobFacts& facts = tree.facts();
    const AddressTree::At at = tree.at(rank);
    const std::size_t node = tree.listed(at.node);
    const JobFacts::Kind& kind = facts.kind_of(node);
    if (level == kNode) {
        return {kind.node, facts.node_name(node)};
    }
    if (level > kNode) {
        return {level == kL2Numa ? kind.l2numa : kind.inner,
                inner_name(tree.place(at.seat), level, tree.address(rank)[level])};
    }
    const std::int32_t number = facts.branch_of(node)[level];
    if (number < 0) {
        return {};
    }
    const NamedValue& value = facts.values[level][static_cast<std::size_t>(number)];
    return {value.component, value.value.visible().to_string()};
}

const NamedValue* side_value(const AddressTree& tree, std::uint32_t rank, std::size_t type) {
    const AddressTree::At at = tree.at(rank);
    const JobFacts& facts = tree.facts();
    const std::int32_t number = facts.side_sets[tree.sharing(at.node, at.seat).sides][type];
    return number < 0 ? nullptr : &facts.side_types[type].values[static_cast<std::size_t>(number)];
}

namespace {

// The tree's nodes by their numbers.
std::vector<std::size_t> nodes_by_number(const AddressTree& tree) {
    std::vector<std::size_t> nodes(tree.nodes().size());
    for (std::size_t node = 0; node < nodes.size(); ++node) {
        nodes[tree.nodes()[node].number] = node;
    }
    return nodes;
}

Json components_of(const AddressTree& tree, Level level) {
    std::vector<std::string> names;
    for (const std::size_t node : nodes_by_number(tree)) {
        add_once(names, filled(tree, tree.lowest_rank(node), level).component);
    }
    return names;
}

Json describe_levels(const AddressTree& tree) {
    return array_of(kAllLevels, [&](Level level) -> Json {
        const AddressTree::Known known = tree.known(level);
        const bool is_known = known != AddressTree::Known::kNone;
        return {{"level", level_name(level)},
                {"type", "hitopo://" + std::string(level_type(level))},
                {"known", !is_known                           ? "none"
                          : known == AddressTree::Known::kAll ? "all"
                                                              : "some"},
                {"distinct", tree.num_distinct(level)},
                {"components", is_known ? components_of(tree, level) : Json::array()}};
    });
}

Json describe_nodes(const AddressTree& tree) {
    const JobFacts& facts = tree.facts();
    return array_of(nodes_by_number(tree), [&](std::size_t node) -> Json {
        const std::size_t listed = tree.listed(node);
        const std::int32_t machine = facts.kind_of(listed).machine;
        const std::uint32_t lowest = tree.lowest_rank(node);
        std::vector<std::uint32_t> ranks;
        tree.for_each_in(node, [&](std::uint32_t rank, std::uint32_t) { ranks.push_back(rank); });
        return {{"name", facts.node_name(listed)},
                {"identity", to_hex(facts.nodes[listed].identity)},
                {"cluster", filled(tree, lowest, kCluster).value},
                {"island", filled(tree, lowest, kIsland).value},
                {"switch", filled(tree, lowest, kSwitch).value},
                {"machine", machine < 0 ? Json() : Json(machine)},
                {"ranks", ranks}};
    });
}

Json describe_machines(const JobFacts& facts) {
    return array_of(facts.machines, [](const Machine& machine) -> Json {
        Json types = array_of(machine.types(), [](const MachineType& type) -> Json {
            return {{"type", type.name}, {"instances", array_of(type.instances, [](const CpuSet& cpus) {
                                              return cpus.to_string();
                                          })}};
        });
        return {{"cpus", machine.cpus().to_string()}, {"types", std::move(types)}};
    });
}

Json describe_restricted(const JobFacts& facts, const PlaceInNode& place) {
    Json restricted = Json::object();
    const std::vector<int>& instances = place.instance_numbers.instances;
    for (std::size_t i = 0; place.machine >= 0 && i < instances.size(); ++i) {
        if (instances[i] >= 0) {
            restricted[facts.machines[static_cast<std::size_t>(place.machine)].types()[i].name] =
                instances[i];
        }
    }
    return restricted;
}

Json describe_ranks(const AddressTree& tree) {
    Json ranks = Json::array();
    for (std::uint32_t rank = 0; rank < tree.size(); ++rank) {
        const PlaceInNode& place = tree.place(tree.at(rank).seat);
        const Address address = tree.address(rank);
        ranks.push_back(
            {{"rank", rank},
             {"node", address[kNode]},
             {"address", address},
             {"names",
              array_of(kAllLevels, [&](Level level) { return filled(tree, rank, level).value; })},
             {"cpus", string_or_null(place.cpus.to_string())},
             {"restricted", describe_restricted(tree.facts(), place)}});
    }
    return ranks;
}

// Also lists the components that give the values.
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

Json describe_table(const AddressTree& tree) {
    Json json = document();
    json["communicator"] = "MPI_COMM_WORLD";
    json["size"] = tree.size();
    json["levels"] = describe_levels(tree);
    json["nodes"] = describe_nodes(tree);
    json["machines"] = describe_machines(tree.facts());
    json["ranks"] = describe_ranks(tree);
    json["types"] = array_of(resource_types(tree), [&](const ResourceType& type) -> Json {
        return {{"type", type.uri()}, {"domains", Partition::by_type(tree, type).count()}};
    });
    json["side"] = describe_side(tree);
    json["warnings"] = tree.facts().warnings;
    return json;
}

}  // namespace
}  // namespace hitopo

char* ompi_hitopo_describe_table(const char** reason) {
    return hitopo::to_text([&]() -> hitopo::Json {
        if (const auto own = hitopo::TreeCache::instance().find(hitopo_glue_world())) {
            return hitopo::describe_table(own->tree());
        }
        if (reason != nullptr) {
            *reason = hitopo::Lifecycle::instance().reason();
        }
        return nullptr;
    });
}
