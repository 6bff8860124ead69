// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/make_tree.h"

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/record/selection.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/text/natural_order.h"
#include "ompi/mca/hitopo/core/tree/level_values.h"
#include "ompi/mca/hitopo/core/tree/node_places.h"
#include "ompi/mca/hitopo/core/tree/side_sets.h"
#include "ompi/mca/hitopo/core/tree/type_order.h"

namespace hitopo {
namespace {

constexpr std::size_t kMaxWarnings = 8;

// An MCA variable of the framework.
bool is_setting(std::string_view key) { return key.substr(0, 7) == "hitopo_"; }

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
        nodes_ = records_by_node(message_.records);
        compare_words();
        select_levels();
        nest_levels();
        find_machines();
        Occupation occupation = place_processes();
        sides_.list(*facts_);
        list_nodes(occupation);
        AddressTree tree(facts_, std::move(occupation));
        facts_->types = types_in_order(tree);
        return tree;
    }

private:
    using Node = std::vector<std::uint32_t>;  // indices of its records
    using OneMachine = NodePlaces::OneMachine;

    std::vector<const NodeRecord*> records_of(const Node& node) const {
        std::vector<const NodeRecord*> records;
        for (const std::uint32_t index : node) {
            records.push_back(&message_.records[index]);
        }
        return records;
    }
    const NodeRecord& first_of(const Node& node) const { return message_.records[node[0]]; }

    void warn(std::string text) {
        std::vector<std::string>& warnings = facts_->warnings;
        if (warnings.size() < kMaxWarnings &&
            std::find(warnings.begin(), warnings.end(), text) == warnings.end()) {
            warnings.push_back(std::move(text));
        }
    }

    // ---- words ----

    void compare_words() {
        std::map<std::uint32_t, std::uint32_t> lowest;  // rank by words
        for (const NodeRecord& record : message_.records) {
            const std::uint32_t rank = record.ranks.front();
            std::uint32_t& known = lowest.emplace(record.words, rank).first->second;
            known = std::min(known, rank);
        }
        std::map<std::uint32_t, const SameWords*> by_rank;
        std::map<std::string, std::map<std::optional<std::string>, std::uint32_t>> ranks;  // by key
        for (const auto& [words, rank] : lowest) {
            by_rank.emplace(rank, &message_.words[words]);
            for (const auto& word : message_.words[words]) {
                ranks[word.first];
            }
        }
        for (const auto& [rank, words] : by_rank) {
            warn_of_settings(*by_rank.begin()->second, *words, rank);
            for (auto& [key, lowest_ranks] : ranks) {
                lowest_ranks.emplace(value_of(*words, key), rank);  // the lowest comes first
            }
        }
        for (const auto& [key, lowest_ranks] : ranks) {
            for (const auto& [value, rank] : lowest_ranks) {
                facts_->words.push_back({key, value, rank});
            }
        }
    }

    static std::optional<std::string> value_of(const SameWords& words, const std::string& key) {
        const auto found = std::find_if(words.begin(), words.end(),
                                        [&](const auto& word) { return word.first == key; });
        return found == words.end() ? std::nullopt : std::optional(found->second);
    }

    // Of the framework's words. Who says others asks whether they are said alike.
    void warn_of_settings(const SameWords& own, const SameWords& other, std::uint32_t rank) {
        for (const SameWords* words : {&own, &other}) {
            for (const auto& [key, value] : *words) {
                if (is_setting(key) && value_of(own, key) != value_of(other, key)) {
                    warn("processes run with different HiTopo settings: " + key + " of rank " +
                         std::to_string(rank) +
                         " is not rank 0's, which decides: give all processes the same MCA variables");
                    return;
                }
            }
        }
    }

    // ---- names and the network ----

    void select_levels() {
        std::array<std::string, kNode + 1> forced;
        for (const Level level : {kCluster, kIsland, kSwitch, kNode}) {
            forced[level] = forced_component(message_, level);
        }
        LevelValues values(message_);
        std::vector<NamedNode> named;
        named.reserve(nodes_.size());
        for (const Node& node : nodes_) {
            const std::vector<const NodeRecord*> records = records_of(node);
            Branch& branch = branches_.emplace_back();
            for (const Level level : {kCluster, kIsland, kSwitch}) {
                branch[level] = values.add(level, select(records, level, forced[level]));
            }
            const LevelAnswer name = select(records, kNode, forced[kNode]).answer;
            name_components_.push_back(name.component);
            named.push_back({ByteReader(message_.names[name.value]).get_value(),
                             {},
                             records[0]->node_id,
                             static_cast<std::uint32_t>(named.size())});
        }
        for (const Level level : {kCluster, kIsland, kSwitch}) {
            std::vector<std::int32_t> places;
            facts_->values[level] = values.in_order(level, places);
            for (Branch& branch : branches_) {
                branch[level] = branch[level] < 0 ? -1 : places[static_cast<std::size_t>(branch[level])];
            }
        }
        name_nodes(named);
    }

    Selected select(const std::vector<const NodeRecord*>& records, Level level,
                    std::string_view forced) {
        Selected selected = select_answer(message_, records, level, forced);
        if (selected.other_rank && !disagrees_[level]) {
            disagrees_[level] = true;
            warn("ranks " + std::to_string(selected.rank) + " and " +
                 std::to_string(*selected.other_rank) + " of one node give different values of level " +
                 std::string(level_name(level)) + "; rank " + std::to_string(selected.rank) +
                 "'s stands: `hitopo show --why` prints both");
        }
        return selected;
    }

    struct NamedNode {
        RawValue value;
        NaturalHead head;  // mostly tells nodes apart
        std::uint64_t identity;
        std::uint32_t index;

        friend bool operator<(const NamedNode& a, const NamedNode& b) {
            if (a.head.has_number && b.head.has_number && a.head.number != b.head.number &&
                a.head.stem == b.head.stem) {
                return a.head.number < b.head.number;
            }
            if (const int visible = compare(a.value.visible(), b.value.visible())) {
                return visible < 0;
            }
            const int path = compare(a.value, b.value);
            return path != 0 ? path < 0 : a.identity < b.identity;
        }
    };

    // Nodes stand by what is visible of their names, then by the whole, then by identity.
    void name_nodes(std::vector<NamedNode>& named) {
        for (NamedNode& node : named) {
            if (!node.value.visible().is_number()) {
                node.head = natural_head(node.value.visible().text());
            }
        }
        if (!std::is_sorted(named.begin(), named.end())) {
            std::sort(named.begin(), named.end());
        }
        for (const NamedNode& node : named) {
            order_.push_back(node.index);
            facts_->node_names += node.value.visible().to_string();
            name_ends_.push_back(static_cast<std::uint32_t>(facts_->node_names.size()));
        }
        facts_->node_names.shrink_to_fit();
    }

    void nest_levels() {
        adopt_parent(kSwitch, kIsland);
        adopt_parent(kIsland, kCluster);
        adopt_parent(kSwitch, kCluster);
    }

    // Levels nest: the parent that the node of the lowest rank knows stands for all nodes of a child.
    void adopt_parent(Level child, Level parent) {
        std::vector<std::int32_t> parents(facts_->values[child].size(), -1);
        for (const Branch& branch : branches_) {
            if (branch[child] >= 0 && parents[static_cast<std::size_t>(branch[child])] < 0) {
                parents[static_cast<std::size_t>(branch[child])] = branch[parent];
            }
        }
        for (Branch& branch : branches_) {
            if (branch[child] < 0) {
                continue;
            }
            const auto own = static_cast<std::size_t>(branch[child]);
            if (branch[parent] >= 0 && branch[parent] != parents[own]) {
                const NamedValue& value = facts_->values[child][own];
                warn(std::string(level_name(child)) + " " + value.value.visible().to_string() +
                     " is in several " + std::string(level_name(parent)) +
                     "s; the one that the lowest rank knows stands: check component " + value.component +
                     "'s input");
            }
            branch[parent] = parents[own];
        }
    }

    // ---- machines ----

    // The lowest rank's of the node. A simulated node without one has that of the host it runs on.
    void find_machines() {
        const auto offer = [](const MachineAnswer& answer, MachineAnswer& best) {
            if (answer.component != 0 && (best.component == 0 || answer.rank < best.rank)) {
                best = answer;
            }
        };
        FlatMap hosts;
        std::vector<MachineAnswer> of_host;
        for (const NodeRecord& record : message_.records) {
            const std::uint32_t host = hosts.number_of(record.host_id);
            of_host.resize(hosts.size());
            offer(record.machine, of_host[host]);
        }
        for (const Node& node : nodes_) {
            MachineAnswer best;
            for (const std::uint32_t index : node) {
                offer(message_.records[index].machine, best);
            }
            if (best.component == 0) {
                best = of_host[hosts.look_up(first_of(node).host_id)];
            }
            machines_.push_back(best.component == 0 ? OneMachine() : decoded(best));
        }
    }

    OneMachine decoded(const MachineAnswer& answer) {
        const auto [known, is_new] =
            machine_numbers_.emplace(std::make_pair(answer.component, answer.machine), -1);
        if (is_new) {
            Result<Machine> machine = Machine::decode(message_.machines[answer.machine]);
            if (machine) {
                known->second = static_cast<std::int32_t>(facts_->machines.size());
                facts_->machines.push_back(std::move(*machine));
                facts_->machine_components.push_back(message_.names[answer.component]);
            } else {
                warn("a node's machine arrived damaged; its inside is unknown");
            }
        }
        return known->second < 0 ? OneMachine()
                                 : OneMachine{known->second, answer.component, answer.priority};
    }

    // ---- processes ----

    // Nodes of one record that have one layout and one machine are alike.
    Occupation place_processes() {
        Occupation occupation;
        occupation.node_of.resize(num_processes_);
        FlatMap usual;
        std::vector<std::uint32_t> usual_sequences;
        FlatMap memories;
        for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
            first_sharings_.push_back(static_cast<std::uint32_t>(facts_->sharings.size()));
            const std::vector<std::uint32_t> sharings = list_sharings(nodes_[node], memories);
            for (const std::uint32_t record : nodes_[node]) {
                message_.records[record].ranks.for_each(
                    [&](std::uint32_t rank) { occupation.node_of[rank] = node; });
            }
            const std::uint64_t key = std::uint64_t{first_of(nodes_[node]).layout} << 32 |
                                      static_cast<std::uint32_t>(machines_[node].index);
            const bool is_usual = nodes_[node].size() == 1 && !places_.have_values();
            const std::uint32_t number = is_usual ? usual.number_of(key) : 0;
            if (is_usual && number < usual_sequences.size()) {
                occupation.nodes.push_back({0, usual_sequences[number]});
                continue;
            }
            const std::vector<NodePlaces::Process> processes = processes_of(nodes_[node], sharings);
            const NodePlaces::Explicit filling = places_.have_values()
                                                     ? places_.select(processes, machines_[node])
                                                     : NodePlaces::Explicit();
            const std::vector<std::uint32_t> places =
                places_.of_node(processes, machines_[node], filling);
            warn_of_uncovered(processes, places);
            fillings_.resize(node);
            fillings_.push_back(filling);
            occupation.nodes.push_back({0, occupation.sequences.number_of(places)});
            if (is_usual) {
                usual_sequences.push_back(occupation.nodes.back().sequence);
            }
        }
        fillings_.resize(nodes_.size());
        for (const auto& [rank, place] : uncovered_) {
            warn("rank " + std::to_string(rank) + " may run on CPUs " +
                 facts_->places[place].cpus.to_string() +
                 ", which its node's machine does not have; its place inside the node is unknown");
        }
        return occupation;
    }

    // By record, the number of its sharing in the node.
    std::vector<std::uint32_t> list_sharings(const Node& node, FlatMap& memories) {
        const std::vector<const NodeRecord*> records = records_of(node);
        const std::size_t first = facts_->sharings.size();
        std::vector<std::uint32_t> numbers;
        for (const NodeRecord* record : records) {
            const JobFacts::Sharing own = {memories.number_of(record->shared_id),
                                           sides_.of_record(*record, records)};
            std::size_t number = first;
            while (number < facts_->sharings.size() && (facts_->sharings[number].memory != own.memory ||
                                                        facts_->sharings[number].sides != own.sides)) {
                ++number;
            }
            if (number == facts_->sharings.size()) {
                facts_->sharings.push_back(own);
            }
            numbers.push_back(static_cast<std::uint32_t>(number - first));
        }
        return numbers;
    }

    // By rank. sharings: by record.
    std::vector<NodePlaces::Process> processes_of(const Node& node,
                                                  const std::vector<std::uint32_t>& sharings) const {
        std::vector<NodePlaces::Process> processes;
        for (std::size_t i = 0; i < node.size(); ++i) {
            const NodeRecord& record = message_.records[node[i]];
            const std::uint32_t* place = message_.layouts[record.layout].data();
            record.ranks.for_each([&](std::uint32_t rank) {
                processes.push_back({rank, *place++, sharings[i]});
            });
        }
        std::sort(processes.begin(), processes.end(),
                  [](const auto& a, const auto& b) { return a.rank < b.rank; });
        return processes;
    }

    // Each place once, of its lowest rank among those that come with it.
    void warn_of_uncovered(const std::vector<NodePlaces::Process>& processes,
                           const std::vector<std::uint32_t>& places) {
        for (std::size_t i = 0; i < places.size(); ++i) {
            const InnerPlace& place = facts_->places[places[i]];
            if (place.machine >= 0 && !place.placement.is_covered &&
                std::none_of(uncovered_.begin(), uncovered_.end(),
                             [&](const auto& known) { return known.second == places[i]; })) {
                uncovered_.emplace(processes[i].rank, places[i]);
            }
        }
    }

    // ---- nodes, in the order of their names ----

    void list_nodes(Occupation& occupation) {
        using Kind = std::tuple<std::int32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
        std::map<Kind, std::uint32_t> kinds;
        std::map<Branch, std::uint32_t> branches;
        facts_->nodes.reserve(nodes_.size());
        for (std::uint32_t number = 0; number < order_.size(); ++number) {
            const std::uint32_t node = order_[number];
            occupation.nodes[node].node = number;
            const OneMachine& machine = machines_[node];
            const NodePlaces::Explicit& filling = fillings_[node];
            const std::uint32_t l2numa = filling.l2numa != 0 ? filling.l2numa : machine.component;
            const std::uint32_t inner = filling.inner != 0 ? filling.inner : machine.component;
            const auto [kind, is_new] =
                kinds.emplace(Kind{machine.index, name_components_[node], l2numa, inner}, kinds.size());
            if (is_new) {
                facts_->kinds.push_back({machine.index, message_.names[name_components_[node]],
                                         message_.names[l2numa], message_.names[inner]});
            }
            const auto [branch, is_new_branch] = branches.emplace(branches_[node], branches.size());
            if (is_new_branch) {
                facts_->branches.push_back(branches_[node]);
            }
            facts_->nodes.push_back({first_of(nodes_[node]).node_id, name_ends_[number], branch->second,
                                     kind->second, first_sharings_[node]});
        }
    }

    const RecordMessage& message_;
    const std::size_t num_processes_;
    std::shared_ptr<JobFacts> facts_;
    NodePlaces places_;
    SideSets sides_;
    std::vector<Node> nodes_;  // in the order of their first ranks
    std::array<bool, kNumLevels> disagrees_ = {};
    // By node.
    std::vector<std::uint32_t> name_components_;
    std::vector<Branch> branches_;
    std::vector<OneMachine> machines_;
    std::vector<std::uint32_t> first_sharings_;
    std::vector<NodePlaces::Explicit> fillings_;
    // By number at level node: index into nodes_.
    std::vector<std::uint32_t> order_, name_ends_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int32_t> machine_numbers_;
    std::map<std::uint32_t, std::uint32_t> uncovered_;  // places by rank
};

}  // namespace

Result<AddressTree> make_tree(const RecordMessage& message, std::size_t num_processes,
                              std::int64_t identity) {
    if (const std::optional<std::uint32_t> rank = first_not_once(message.records, num_processes)) {
        return Error{
            Errc::kDisagree,
            "rank " + std::to_string(*rank),
            "its HiTopo said nothing, or several things; start all processes with one installation",
            "",
            0,
            0};
    }
    // Not on the stack, of which a program's thread may have little.
    return std::make_unique<TreeMaker>(message, num_processes)->make(identity);
}

}  // namespace hitopo
