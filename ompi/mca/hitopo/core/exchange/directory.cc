// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/directory.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/exchange/led_switches.h"
#include "ompi/mca/hitopo/core/exchange/node_order.h"
#include "ompi/mca/hitopo/core/exchange/placer.h"
#include "ompi/mca/hitopo/core/exchange/side_values.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {
namespace {

constexpr std::size_t kMaxWarnings = 8;

// indices[i] is the old place of what now stands at i; gives the new place of each old one.
std::vector<std::int32_t> inverse(const std::vector<std::uint32_t>& indices) {
    std::vector<std::int32_t> places(indices.size());
    for (std::size_t i = 0; i < indices.size(); ++i) {
        places[indices[i]] = static_cast<std::int32_t>(i);
    }
    return places;
}

template <class IsBefore>
std::vector<std::uint32_t> sorted_indices(std::size_t count, IsBefore is_before) {
    std::vector<std::uint32_t> indices(count);
    std::iota(indices.begin(), indices.end(), 0u);
    if (!std::is_sorted(indices.begin(), indices.end(), is_before)) {
        std::sort(indices.begin(), indices.end(), is_before);
    }
    return indices;
}

class DirectoryMaker {
public:
    DirectoryMaker(const Summary& summary, Plan& plan, const std::vector<std::string>& led)
        : summary_(summary), plan_(plan), machines_(summary.machines()), led_(led, plan.names) {
        for (const std::string& machine : machines_) {
            (void)machine_numbers_.number_of(hash_bytes(machine));
        }
        dictionary().cohorts = plan.cohorts;
        dictionary().layers = plan.layers;
    }

    Directory run() {
        collect_warnings();
        list_nodes();
        for (const Level level : {kCluster, kIsland, kSwitch}) {
            list_values(level);
        }
        make_nesting_consistent();
        list_side_resources(plan_, dictionary());
        list_machines();
        place_processes();
        order_nodes();
        return std::move(directory_);
    }

private:
    DictionaryDraft& dictionary() { return directory_.dictionary; }

    void warn(std::string text) {
        std::vector<std::string>& warnings = dictionary().warnings;
        if (warnings.size() < kMaxWarnings &&
            std::find(warnings.begin(), warnings.end(), text) == warnings.end()) {
            warnings.push_back(std::move(text));
        }
    }

    void list_nodes() {
        dictionary().nodes.reserve(plan_.nodes.size());
        for (const NodePlan& planned : plan_.nodes) {
            NodeInfo& node = dictionary().nodes.emplace_back();
            node.identity = planned.node_id;
            node.first_cohort = planned.first_cohort;
            const Candidate& name = planned.network[kNode].candidate;
            if (name.component != 0) {
                node.name = plan_.names.visible(name.value);
                node.component = plan_.names.component_name(name.component);
            }
        }
    }

    // A value of the level, and where it comes from.
    struct Origin {
        std::uint32_t component, value;  // of Names
        std::int32_t priority;
    };

    // The level's distinct values in their order: (priority, component, value).
    void list_values(Level level) {
        FlatMap numbers;
        std::vector<Origin> values;
        std::uint32_t number = 0;  // mostly that of the node before
        for (std::size_t i = 0; i < plan_.nodes.size(); ++i) {
            const Choice& choice = plan_.nodes[i].network[level];
            const std::optional<std::uint32_t> value = led_.value_for(level, choice);
            if (!value) {
                continue;
            }
            const Candidate& from = choice.candidate;
            if (values.empty() || values[number].component != from.component ||
                values[number].value != *value) {
                number = numbers.number_of(std::uint64_t{from.component} << 32 | *value);
            }
            if (number == values.size()) {
                values.push_back({from.component, *value, from.priority});
            }
            dictionary().nodes[i].values[level] = static_cast<std::int32_t>(number);
        }
        const auto order = sorted_indices(values.size(), [&](std::uint32_t a, std::uint32_t b) {
            return comes_first(values[a], values[b]);
        });
        const std::vector<std::int32_t> places = inverse(order);
        for (const std::uint32_t index : order) {
            dictionary().values[level].push_back({plan_.names.component_name(values[index].component),
                                                  plan_.names.value_of(values[index].value)});
        }
        for (NodeInfo& node : dictionary().nodes) {
            if (node.values[level] >= 0) {
                node.values[level] = places[static_cast<std::size_t>(node.values[level])];
            }
        }
    }

    bool comes_first(const Origin& a, const Origin& b) const {
        if (a.priority != b.priority) {
            return a.priority > b.priority;
        }
        const int components =
            plan_.names.component_name(a.component).compare(plan_.names.component_name(b.component));
        return components != 0 ? components < 0
                               : plan_.names.value_of(a.value) < plan_.names.value_of(b.value);
    }

    // Levels nest: all nodes of one switch lie in one island, all of one island in one cluster.
    void make_nesting_consistent() {
        adopt_parent(kSwitch, kIsland);
        adopt_parent(kIsland, kCluster);
        adopt_parent(kSwitch, kCluster);
    }

    // The parent that the node of the lowest rank knows stands for all nodes of a child; plan_.nodes
    // are in that order.
    void adopt_parent(Level child, Level parent) {
        std::vector<std::int32_t> parents(dictionary().values[child].size(), kUnknownParent);
        for (const NodeInfo& node : dictionary().nodes) {
            if (node.values[child] >= 0 && parents[static_cast<std::size_t>(node.values[child])] < 0) {
                parents[static_cast<std::size_t>(node.values[child])] = node.values[parent];
            }
        }
        for (NodeInfo& node : dictionary().nodes) {
            if (node.values[child] < 0) {
                continue;
            }
            const std::int32_t common = parents[static_cast<std::size_t>(node.values[child])];
            if (node.values[parent] >= 0 && node.values[parent] != common) {
                const LevelValue& value =
                    dictionary().values[child][static_cast<std::size_t>(node.values[child])];
                warn(std::string(level_name(child)) + " " + value.value.visible().to_string() +
                     " is in several " + std::string(level_name(parent)) +
                     "s; HiTopo uses the value of the lowest rank: check the component " +
                     value.component + "'s input");
            }
            node.values[parent] = common;
        }
    }

    void list_machines() {
        FlatMap numbers;
        std::vector<std::int32_t> indices;  // by machine number; -1: could not be decoded
        std::vector<std::string> components;
        for (std::size_t i = 0; i < plan_.nodes.size(); ++i) {
            const std::uint64_t hash = plan_.nodes[i].machine_hash;
            if (hash == 0) {
                continue;
            }
            const std::uint32_t number = numbers.number_of(hash);
            if (number == indices.size()) {
                indices.push_back(decode_machine(hash, components.emplace_back()));
            }
            NodeInfo& node = dictionary().nodes[i];
            node.machine = indices[number];
            node.l2numa_component = components[number];
            node.inner_component = components[number];
        }
        for (std::size_t i = 0; i < plan_.nodes.size(); ++i) {
            const NodePlan& planned = plan_.nodes[i];
            NodeInfo& node = dictionary().nodes[i];
            if (planned.l2numa_component != 0) {
                node.l2numa_component = plan_.names.component_name(planned.l2numa_component);
            }
            if (planned.inner_component != 0) {
                node.inner_component = plan_.names.component_name(planned.inner_component);
            }
        }
    }

    std::int32_t decode_machine(std::uint64_t hash, std::string& component) {
        const std::uint32_t number = machine_numbers_.look_up(hash);
        ByteReader reader(number == FlatMap::kAbsent ? std::string_view() : machines_[number]);
        component = reader.get_string();
        Result<Machine> machine = Machine::decode(reader.get_string());
        if (!machine) {
            component.clear();
            warn(
                "the description of a node's machine arrived damaged; the levels inside this node are "
                "unknown");
            return -1;
        }
        dictionary().machines.push_back(std::move(*machine));
        dictionary().machine_components.push_back(component);
        return static_cast<std::int32_t>(dictionary().machines.size()) - 1;
    }

    void place_processes() {
        Placer placer(summary_, plan_, dictionary());
        directory_.occupancy = placer.place_all();
        for (const auto& [rank, pattern] : placer.uncovered()) {
            warn(
                "rank " + std::to_string(rank) + " may run on CPUs " +
                dictionary().patterns[pattern].cpus.to_string() +
                ", which the machine of its node does not have; its levels inside the node are unknown");
        }
    }

    void order_nodes() {
        const std::vector<std::uint32_t> order = node_order(plan_);
        std::vector<Occupancy::Node>& occupied = directory_.occupancy.nodes;
        if (!std::is_sorted(order.begin(), order.end())) {
            reorder(order, dictionary().nodes);
            reorder(order, occupied);
        }
        for (std::uint32_t i = 0; i < occupied.size(); ++i) {
            occupied[i].node = i;
        }
    }

    template <class T>
    static void reorder(const std::vector<std::uint32_t>& order, std::vector<T>& values) {
        std::vector<T> ordered;
        ordered.reserve(values.size());
        for (const std::uint32_t index : order) {
            ordered.push_back(std::move(values[index]));
        }
        values = std::move(ordered);
    }

    void collect_warnings() {
        for (const Disagreement& disagreement : plan_.disagreements) {
            warn("ranks " + std::to_string(disagreement.rank) + " and " +
                 std::to_string(disagreement.other_rank) +
                 " of one node give different values of the level " +
                 std::string(level_name(disagreement.level)) + "; rank " +
                 std::to_string(disagreement.rank) +
                 "'s value is used; `hitopo show --why` prints both");
        }
        if (plan_.has_mixed_settings) {
            warn(
                "processes have different settings of HiTopo, and those of the lowest ranks are used; "
                "give all processes the same MCA variables");
        }
    }

    static constexpr std::int32_t kUnknownParent = -1;

    const Summary& summary_;
    Plan& plan_;
    const Distinct& machines_;
    const LedSwitches led_;
    FlatMap machine_numbers_;  // by hash, in the order of machines_
    Directory directory_;
};

}  // namespace

Directory make_directory(const Summary& summary, Plan& plan, const std::vector<std::string>& led) {
    return DirectoryMaker(summary, plan, led).run();
}

}  // namespace hitopo
