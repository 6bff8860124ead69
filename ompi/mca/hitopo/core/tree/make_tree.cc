// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/record/selection.h"
#include "ompi/mca/hitopo/core/record/wire_form.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/tree/address_tree.h"
#include "ompi/mca/hitopo/core/tree/inner_levels.h"
#include "ompi/mca/hitopo/core/tree/type_order.h"
#include "ompi/mca/hitopo/core/tree/values.h"

namespace hitopo {
namespace {

class TreeMaker {
public:
    TreeMaker(const RecordMessage& message, std::size_t num_processes)
        : message_(message),
          num_processes_(num_processes),
          facts_(std::make_shared<JobFacts>()),
          places_(message, *facts_),
          sides_(message) {}

    AddressTree make(std::int64_t identity) {
        facts_->identity = identity;
        for (std::vector<const NodeRecord*>& records : records_by_node(message_.records)) {
            nodes_.emplace_back().records = std::move(records);
        }
        list_settings();
        select_levels();
        adopt_parent(kSwitch, kIsland);
        adopt_parent(kIsland, kCluster);
        adopt_parent(kSwitch, kCluster);
        find_machines();
        ProcessMap process_map = place_processes();
        sides_.list(*facts_);
        list_nodes(process_map);
        AddressTree tree(facts_, std::move(process_map));
        facts_->types = types_in_order(tree);
        return tree;
    }

private:
    struct Node {
        std::vector<const NodeRecord*> records;
        std::uint32_t name_component, name;  // indices into RecordMessage::names
        Branch branch;
        InnerLevels::OneMachine machine;
        std::uint32_t first_sharing;
        InnerLevels::Filling filling = {};
    };

    // ---- settings ----

    void list_settings() {
        std::map<std::uint32_t, std::uint32_t> lowest_ranks;  // by settings
        for (const NodeRecord& record : message_.records) {
            const std::uint32_t rank = record.ranks.front();
            std::uint32_t& lowest = lowest_ranks.emplace(record.settings, rank).first->second;
            lowest = std::min(lowest, rank);
        }
        for (const auto& [settings, rank] : lowest_ranks) {
            facts_->settings.push_back({rank, message_.settings[settings]});
        }
        std::sort(facts_->settings.begin(), facts_->settings.end(),
                  [](const auto& a, const auto& b) { return a.lowest_rank < b.lowest_rank; });
        for (const JobFacts::SettingsOf& other : facts_->settings) {
            warn_of_settings(facts_->settings[0].settings, other);
        }
    }

    // Compares the framework's variables alone: a layer whose settings differ warns itself.
    void warn_of_settings(const AgreedSettings& first, const JobFacts::SettingsOf& other) {
        for (const AgreedSettings* settings : {&first, &other.settings}) {
            for (const auto& [key, value] : *settings) {
                const bool is_variable = key.compare(0, 7, "hitopo_") == 0;
                if (is_variable && value_of(first, key) != value_of(other.settings, key)) {
                    facts_->warn(
                        "processes have different settings of HiTopo: " + key + " of rank " +
                        std::to_string(other.lowest_rank) +
                        " is not that of rank 0, which is used; give all processes the same MCA "
                        "variables");
                    return;
                }
            }
        }
    }

    // ---- the network ----

    void select_levels() {
        std::array<std::string, kNode + 1> forced;
        for (const Level level : {kCluster, kIsland, kSwitch, kNode}) {
            forced[level] = forced_component(message_, level);
        }
        LevelValues values(message_);
        for (Node& node : nodes_) {
            for (const Level level : {kCluster, kIsland, kSwitch}) {
                node.branch[level] = values.add(level, select(node, level, forced[level]));
            }
            const LevelAnswer name = select(node, kNode, forced[kNode]).answer;
            node.name_component = name.component;
            node.name = name.value;
        }
        for (const Level level : {kCluster, kIsland, kSwitch}) {
            std::vector<std::int32_t> numbers;
            facts_->values[level] = values.values(level).in_order(numbers);
            for (Node& node : nodes_) {
                std::int32_t& own = node.branch[level];
                own = own < 0 ? -1 : numbers[static_cast<std::size_t>(own)];
            }
        }
    }

    Selected select(const Node& node, Level level, std::string_view forced) {
        Selected selected = select_answer(message_, node.records, level, forced);
        if (selected.other_rank && !disagrees_[level]) {
            disagrees_[level] = true;
            facts_->warn("ranks " + std::to_string(selected.rank) + " and " +
                         std::to_string(*selected.other_rank) +
                         " of one node give different values of the level " +
                         std::string(level_name(level)) + "; rank " + std::to_string(selected.rank) +
                         "'s value is used; `hitopo show --why` prints both");
        }
        return selected;
    }

    // Levels nest: the parent that the node of the lowest rank knows stands for all nodes of a child.
    void adopt_parent(Level child, Level parent) {
        std::vector<std::int32_t> parents(facts_->values[child].size(), -1);
        for (const Node& node : nodes_) {
            const std::int32_t own = node.branch[child];
            if (own >= 0 && parents[static_cast<std::size_t>(own)] < 0) {
                parents[static_cast<std::size_t>(own)] = node.branch[parent];
            }
        }
        for (Node& node : nodes_) {
            if (node.branch[child] < 0) {
                continue;
            }
            const auto own = static_cast<std::size_t>(node.branch[child]);
            if (node.branch[parent] >= 0 && node.branch[parent] != parents[own]) {
                const NamedValue& value = facts_->values[child][own];
                facts_->warn(std::string(level_name(child)) + " " + value.value.visible().to_string() +
                             " is in several " + std::string(level_name(parent)) +
                             "s; HiTopo uses the value of the lowest rank: check the component " +
                             value.component + "'s input");
            }
            node.branch[parent] = parents[own];
        }
    }

    // ---- machines ----

    // A node has its lowest rank's machine; a simulated node without one has that of its host.
    void find_machines() {
        const auto consider = [](const MachineAnswer& answer, MachineAnswer& best) {
            if (answer.component != 0 && (best.component == 0 || answer.rank < best.rank)) {
                best = answer;
            }
        };
        Keyed<MachineAnswer> of_host;
        for (const NodeRecord& record : message_.records) {
            consider(record.machine, of_host[record.host_id]);
        }
        for (Node& node : nodes_) {
            MachineAnswer best;
            for (const NodeRecord* record : node.records) {
                consider(record->machine, best);
            }
            if (best.component == 0) {
                best = of_host[node.records[0]->host_id];
            }
            if (best.component != 0) {
                node.machine = decoded(best);
            }
        }
    }

    InnerLevels::OneMachine decoded(const MachineAnswer& answer) {
        const auto [known, is_new] =
            machines_.emplace(std::pair(answer.component, answer.machine), InnerLevels::OneMachine());
        if (is_new) {
            if (Result<Machine> machine = Machine::decode(message_.machines[answer.machine])) {
                known->second = {static_cast<std::int32_t>(facts_->machines.size()), answer.component,
                                 answer.priority};
                facts_->machines.push_back(std::move(*machine));
            } else {
                facts_->warn(
                    "the description of a node's machine arrived damaged; the levels inside this node "
                    "are unknown");
            }
        }
        return known->second;
    }

    // ---- processes ----

    // Nodes of one record that have one layout and one machine are alike.
    ProcessMap place_processes() {
        ProcessMap process_map;
        process_map.node_of.resize(num_processes_);
        Keyed<std::optional<std::uint32_t>> alike;  // sequences
        for (Node& node : nodes_) {
            const auto index = static_cast<std::uint32_t>(process_map.nodes.size());
            for (const NodeRecord* record : node.records) {
                record->ranks.for_each([&](std::uint32_t rank) { process_map.node_of[rank] = index; });
            }
            const std::vector<std::uint32_t> sharings = list_sharings(node);
            const bool may_be_alike = node.records.size() == 1 && !places_.have_values();
            const std::uint64_t key = std::uint64_t{node.records[0]->layout} << 32 |
                                      static_cast<std::uint32_t>(node.machine.index);
            std::optional<std::uint32_t> own;
            std::optional<std::uint32_t>& sequence = may_be_alike ? alike[key] : own;
            if (!sequence) {
                sequence = process_map.sequences.number_of(place_node(node, sharings));
            }
            process_map.nodes.push_back({0, *sequence});
        }
        return process_map;
    }

    // By record, the number of its sharing in the node.
    std::vector<std::uint32_t> list_sharings(Node& node) {
        std::vector<JobFacts::Sharing>& all = facts_->sharings;
        node.first_sharing = static_cast<std::uint32_t>(all.size());
        FlatMap of_node;
        std::vector<std::uint32_t> numbers;
        for (const NodeRecord* record : node.records) {
            const std::uint32_t memory = memories_.number_of(record->shared_id);
            const std::uint32_t sides = sides_.of_record(*record, node.records);
            numbers.push_back(of_node.number_of(std::uint64_t{memory} << 32 | sides));
            if (numbers.back() == all.size() - node.first_sharing) {
                all.push_back({memory, sides});
            }
        }
        return numbers;
    }

    // The places of its processes, by rank. sharings: by record.
    std::vector<std::uint32_t> place_node(Node& node, const std::vector<std::uint32_t>& sharings) {
        std::vector<InnerLevels::Process> processes;
        for (std::size_t i = 0; i < node.records.size(); ++i) {
            const std::uint32_t* place = message_.layouts[node.records[i]->layout].data();
            node.records[i]->ranks.for_each([&](std::uint32_t rank) {
                processes.push_back({rank, *place++, sharings[i]});
            });
        }
        std::sort(processes.begin(), processes.end(),
                  [](const auto& a, const auto& b) { return a.rank < b.rank; });
        return places_.of_node(processes, node.machine, node.filling);
    }

    // ---- nodes ----

    // Lists nodes by the visible part of their names, then by the whole, then by identity.
    void list_nodes(ProcessMap& process_map) {
        using Key = std::tuple<Name, RawValue, std::uint64_t, std::uint32_t>;  // and index
        std::vector<Key> keys;
        keys.reserve(nodes_.size());
        for (const Node& node : nodes_) {
            RawValue name = ByteReader(message_.names[node.name]).get_value();
            Name visible = name.visible();
            keys.emplace_back(std::move(visible), std::move(name), node.records[0]->node_id,
                              keys.size());
        }
        if (!std::is_sorted(keys.begin(), keys.end())) {
            std::sort(keys.begin(), keys.end());
        }
        facts_->nodes.reserve(nodes_.size());
        for (const auto& [visible, name, identity, index] : keys) {
            const Node& node = nodes_[index];
            facts_->node_names += visible.to_string();
            process_map.nodes[index].node = static_cast<std::uint32_t>(facts_->nodes.size());
            facts_->nodes.push_back(
                {identity, static_cast<std::uint32_t>(facts_->node_names.size()),
                 number_among(facts_->branches, branch_numbers_, node.branch, node.branch),
                 number_of_kind(node), node.first_sharing});
        }
        facts_->node_names.shrink_to_fit();
    }

    std::uint32_t number_of_kind(const Node& node) {
        const std::uint32_t machine = node.machine.component;
        const std::uint32_t l2numa = node.filling[kL2Numa] != 0 ? node.filling[kL2Numa] : machine;
        const std::uint32_t inner = node.filling[kSocket] != 0 ? node.filling[kSocket] : machine;
        return number_among(facts_->kinds, kind_numbers_,
                            {node.machine.index, node.name_component, l2numa, inner},
                            {node.machine.index, message_.names[node.name_component],
                             message_.names[l2numa], message_.names[inner]});
    }

    const RecordMessage& message_;
    const std::size_t num_processes_;
    std::shared_ptr<JobFacts> facts_;
    InnerLevels places_;
    SideSets sides_;
    FlatMap memories_;         // by shared_id
    std::vector<Node> nodes_;  // in the order of their first ranks
    std::array<bool, kNode + 1> disagrees_ = {};
    std::map<std::pair<std::uint32_t, std::uint32_t>, InnerLevels::OneMachine> machines_;
    std::map<Branch, std::uint32_t> branch_numbers_;
    std::map<std::tuple<std::int32_t, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t>
        kind_numbers_;
};

}  // namespace

Result<AddressTree> make_tree(const RecordMessage& message, std::size_t num_processes,
                              std::int64_t identity) {
    if (const std::optional<std::uint32_t> rank = first_not_once(message.records, num_processes)) {
        return Error{Errc::kDisagree, "rank " + std::to_string(*rank),
                     "HiTopo in this process sent no record, or several; start all processes with one "
                     "installation"};
    }
    // On the heap: a program's thread may have a small stack.
    return std::make_unique<TreeMaker>(message, num_processes)->make(identity);
}

}  // namespace hitopo
