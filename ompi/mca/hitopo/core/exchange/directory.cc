// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// make_directory: names and machines of a plan, everything in its order.
#include <algorithm>
#include <iterator>
#include <numeric>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/exchange/dictionary.h"
#include "ompi/mca/hitopo/core/exchange/inner_values.h"
#include "ompi/mca/hitopo/core/exchange/led_switches.h"
#include "ompi/mca/hitopo/core/machine/binding.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/text/text.h"

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
    std::sort(indices.begin(), indices.end(), is_before);
    return indices;
}

// A node while its processes are placed.
struct NodeState {
    std::int32_t machine = -1;  // index into the dictionary's machines
    std::uint32_t num_placed = 0;
    bool has_values = false;  // explicit ones
};

// The latest pattern of a placement, where that and the machine decide it.
struct UsualPattern {
    std::int32_t machine = -1;
    std::uint32_t number = FlatMap::kAbsent;
};

class DirectoryMaker {
public:
    DirectoryMaker(const Summary& summary, Plan& plan, const std::vector<std::string>& led)
        : plan_(plan),
          machines_(summary.machines()),
          led_(led, plan.names),
          states_(plan.nodes.size()),
          usual_patterns_(plan.placements.size()) {
        for (const std::string& machine : machines_) {
            (void)machine_numbers_.number_of(hash_bytes(machine));
        }
        dictionary().shared_ids = plan.shared_ids;
        dictionary().layers = plan.layers;
    }

    Directory run() {
        collect_warnings();
        list_nodes();
        for (const Level level : {kCluster, kIsland, kSwitch}) {
            list_values(level);
        }
        make_nesting_consistent();
        list_machines();
        place_processes();
        order_nodes();
        return std::move(directory_);
    }

private:
    Dictionary& dictionary() { return directory_.dictionary; }

    void warn(std::string text) {
        std::vector<std::string>& warnings = dictionary().warnings;
        if (warnings.size() < kMaxWarnings &&
            std::find(warnings.begin(), warnings.end(), text) == warnings.end()) {
            warnings.push_back(std::move(text));
        }
    }

    void list_nodes() {
        for (const NodePlan& planned : plan_.nodes) {
            NodeInfo& node = dictionary().nodes.emplace_back();
            node.identity = planned.node_id;
            node.first_shared = planned.first_shared;
            const Candidate& name = planned.network[kNode].candidate;
            if (name.component != 0) {
                node.name = plan_.names.value_of(name.value).visible().to_string();
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
        for (std::size_t i = 0; i < plan_.nodes.size(); ++i) {
            const Choice& choice = plan_.nodes[i].network[level];
            const std::optional<std::uint32_t> value = led_.value_for(level, choice);
            if (!value) {
                continue;
            }
            const Candidate& from = choice.candidate;
            const std::uint32_t number = numbers.number_of(std::uint64_t{from.component} << 32 | *value);
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
                     "s; the one that the lowest rank knows stands: check component " + value.component +
                     "'s input");
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
            states_[i].machine = indices[number];
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
            warn("a node's machine arrived damaged; its inside is unknown");
            return -1;
        }
        dictionary().machines.push_back(std::move(*machine));
        dictionary().machine_components.push_back(component);
        return static_cast<std::int32_t>(dictionary().machines.size()) - 1;
    }

    void place_processes() {
        const InnerValues explicit_values(plan_);
        for (std::size_t i = 0; i < plan_.nodes.size(); ++i) {
            states_[i].has_values = explicit_values.has(static_cast<std::uint32_t>(i));
        }
        directory_.processes.reserve(plan_.processes.size());
        for (std::uint32_t rank = 0; rank < plan_.processes.size(); ++rank) {
            const Plan::Process& process = plan_.processes[rank];
            NodeState& node = states_[process.node];
            const UsualPattern& usual = usual_patterns_[process.placement];
            const bool is_usual =
                usual.number != FlatMap::kAbsent && usual.machine == node.machine && !node.has_values;
            directory_.processes.push_back(
                {process.node, is_usual ? usual.number : pattern_of(rank, explicit_values)});
            ++node.num_placed;
        }
    }

    const Place& place_of(const Plan::Process& process) const {
        return plan_.cards.place(plan_.placements[process.placement].place);
    }

    std::uint32_t pattern_of(std::uint32_t rank, const InnerValues& explicit_values) {
        const Plan::Process& process = plan_.processes[rank];
        const NodeState& node = states_[process.node];
        const bool has_rule = !place_of(process).rule.empty();
        const auto machine = static_cast<std::uint64_t>(node.machine) + 1;
        const std::uint64_t key =
            combine(machine << 32 | process.placement,
                    combine(has_rule ? node.num_placed + 1 : 0, node.has_values ? process.node + 1 : 0));
        const std::uint32_t number = pattern_numbers_.number_of(key);
        if (number == dictionary().patterns.size()) {
            dictionary().patterns.push_back(make_pattern(rank));
            if (node.has_values) {
                explicit_values.apply(rank, dictionary().patterns.back());
            }
        }
        if (!has_rule && !node.has_values) {
            usual_patterns_[process.placement] = {node.machine, number};
        }
        return number;
    }

    Pattern make_pattern(std::uint32_t rank) {
        const Plan::Process& process = plan_.processes[rank];
        const std::int32_t machine_index = states_[process.node].machine;
        const Machine* machine = machine_index < 0
                                     ? nullptr
                                     : &dictionary().machines[static_cast<std::size_t>(machine_index)];
        Pattern pattern;
        pattern.shared = plan_.placements[process.placement].shared;
        const Place& said = place_of(process);
        if (said.rule.empty()) {
            pattern.cpus = said.cpus;
        } else if (machine != nullptr) {
            pattern.cpus =
                bind_by_rule(*machine, said.rule, static_cast<int>(states_[process.node].num_placed));
        }
        if (machine != nullptr) {
            pattern.placement = place(*machine, pattern.cpus);
            if (!pattern.placement.is_covered) {
                warn("rank " + std::to_string(rank) + " may run on CPUs " + pattern.cpus.to_string() +
                     ", which its node's machine does not have; its place inside the node is unknown");
            }
        }
        return pattern;
    }

    void order_nodes() {
        std::vector<NodeInfo>& nodes = dictionary().nodes;
        const auto name_of = [&](std::uint32_t node) {
            const Candidate& name = plan_.nodes[node].network[kNode].candidate;
            return name.component == 0 ? nullptr : &plan_.names.value_of(name.value);
        };
        const auto order = sorted_indices(nodes.size(), [&](std::uint32_t a, std::uint32_t b) {
            const RawValue *first = name_of(a), *second = name_of(b);
            if (first == nullptr || second == nullptr) {
                return first != second ? first == nullptr : nodes[a].identity < nodes[b].identity;
            }
            if (const int visible = compare(first->visible(), second->visible())) {
                return visible < 0;
            }
            const int path = compare(*first, *second);
            return path != 0 ? path < 0 : nodes[a].identity < nodes[b].identity;
        });
        std::vector<NodeInfo> ordered;
        ordered.reserve(nodes.size());
        for (const std::uint32_t index : order) {
            ordered.push_back(std::move(nodes[index]));
        }
        nodes = std::move(ordered);
        const std::vector<std::int32_t> places = inverse(order);
        for (Process& process : directory_.processes) {
            process.node = static_cast<std::uint32_t>(places[process.node]);
        }
    }

    void collect_warnings() {
        for (const Disagreement& disagreement : plan_.disagreements) {
            warn("ranks " + std::to_string(disagreement.rank) + " and " +
                 std::to_string(disagreement.other_rank) +
                 " of one node give different values of level " +
                 std::string(level_name(disagreement.level)) + "; rank " +
                 std::to_string(disagreement.rank) + "'s stands: `hitopo show --why` prints both");
        }
        if (plan_.has_mixed_settings) {
            warn(
                "processes run with different HiTopo settings; those of the lowest ranks decide: give "
                "all "
                "processes the same MCA variables");
        }
    }

    static constexpr std::int32_t kUnknownParent = -1;

    Plan& plan_;
    const Distinct& machines_;
    const LedSwitches led_;
    FlatMap machine_numbers_;  // by hash, in the order of machines_
    Directory directory_;
    std::vector<NodeState> states_;             // by the plan's nodes
    std::vector<UsualPattern> usual_patterns_;  // by the plan's placements
    FlatMap pattern_numbers_;
};

}  // namespace

LayerPresence presence_of(const Dictionary& dictionary, std::string_view layer) {
    LayerPresence presence;
    for (const LayerClass& all : dictionary.layers) {
        const std::vector<std::string_view> names = split(all.layers, ' ');
        const bool has_it = std::find(names.begin(), names.end(), layer) != names.end();
        std::optional<std::uint32_t>& lowest = has_it ? presence.present : presence.missing;
        lowest = std::min(lowest.value_or(all.first_rank), all.first_rank);
    }
    return presence;
}

Directory make_directory(const Summary& summary, Plan& plan, const std::vector<std::string>& led) {
    return DirectoryMaker(summary, plan, led).run();
}

}  // namespace hitopo
