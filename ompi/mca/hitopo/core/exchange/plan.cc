// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/plan.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "ompi/mca/hitopo/core/exchange/inner_choice.h"
#include "ompi/mca/hitopo/core/exchange/network_choice.h"
#include "ompi/mca/hitopo/core/exchange/seen_ranks.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {
namespace {

// What is not the same in all processes that have one sequence of cards, by their places in it.
struct SeatingFacts {
    struct FirstOf {
        std::uint32_t layers, index;
    };
    bool is_known = false;
    std::vector<FirstOf> layers;         // where each value of layers is first
    std::vector<std::uint32_t> notable;  // who says more than where it is
};

// A node while its parts are read.
struct NodeCount {
    std::uint32_t host;  // number of
    bool is_spoken_for = false;
};

struct Host {
    std::uint64_t machine_hash = 0;  // 0: nobody told it
    bool is_spoken_for = false;
};

// A process that says more than where it is.
struct Notable {
    std::uint32_t rank, node, host, card;
};

class Planner {
public:
    Planner(const Summary& summary, std::size_t num_processes)
        : summary_(summary), num_processes_(num_processes) {}

    Result<Plan> run() {
        if (!are_machines_apart()) {
            return two_machines();
        }
        for (const std::string& card : summary_.process_cards()) {
            plan_.cards.add(card, plan_.names);
        }
        if (const std::optional<std::uint32_t> rank = twice_or_missing()) {
            return not_once(*rank);
        }
        compare_settings();
        read_parts();
        finish();
        return std::move(plan_);
    }

private:
    bool are_machines_apart() const {
        FlatMap numbers;
        for (const std::string& machine : summary_.machines()) {
            (void)numbers.number_of(hash_bytes(machine));
        }
        return numbers.size() == summary_.machines().size();
    }

    static Error two_machines() {
        return {Errc::kDisagree,
                "two different machines",
                "they have the same hash; report this as a bug",
                "",
                0,
                0};
    }

    static Error not_once(std::uint32_t rank) {
        return {Errc::kDisagree,
                "rank " + std::to_string(rank),
                "HiTopo in this process sent no contribution, or several; start all processes with one "
                "installation",
                "",
                0,
                0};
    }

    std::optional<std::uint32_t> twice_or_missing() const {
        SeenRanks seen(num_processes_);
        std::optional<std::uint32_t> twice;
        for (const Summary::Part& part : summary_.parts()) {
            summary_.ranks(part).for_each_run([&](const RankRun& run) {
                if (const std::optional<std::uint32_t> rank = seen.add(run); rank && !twice) {
                    twice = rank;
                }
            });
        }
        if (twice) {
            return twice;
        }
        const std::uint32_t missing = seen.lowest_missing(num_processes_);
        return missing < num_processes_ ? std::optional(missing) : std::nullopt;
    }

    void compare_settings() {
        const auto first = std::find_if(summary_.parts().begin(), summary_.parts().end(),
                                        [](const Summary::Part& part) { return part.first_rank == 0; });
        const ProcessCard& card = plan_.cards[summary_.seating(first->seating)[0]];
        plan_.forced = card.forced;
        for (std::size_t other = 0; other < plan_.cards.size(); ++other) {
            plan_.has_mixed_settings |= plan_.cards[other].settings_hash != card.settings_hash;
        }
    }

    // Parts come in the order of their first ranks.
    void read_parts() {
        const std::size_t num_parts = summary_.parts().size();
        parts_.reserve(num_parts);
        plan_.nodes.reserve(num_parts);
        counts_.reserve(num_parts);
        NodeCardReader reader(summary_.node_cards(), plan_.names);
        NetworkChoice choice(reader, plan_);
        for (std::uint32_t number = 0; number < num_parts; ++number) {
            const NodeCard& card = reader.next();
            const Summary::Part& part = summary_.parts()[number];
            add_part(number, card, choice.of(card, part.first_rank));
        }
    }

    void add_part(std::uint32_t number, const NodeCard& card, const NetworkChoices& network) {
        const Summary::Part& part = summary_.parts()[number];
        const std::uint32_t node_id = number_of_id(card.node_id);
        const std::uint32_t host = card.host_id == card.node_id ? node_id : number_of_id(card.host_id);
        if (node_of_id_[node_id] == kNone) {
            node_of_id_[node_id] = static_cast<std::uint32_t>(plan_.nodes.size());
            NodePlan& fresh = plan_.nodes.emplace_back();
            fresh.node_id = card.node_id;
            fresh.first_rank = part.first_rank;
            fresh.network = network;
            counts_.push_back({host});
        }
        const std::uint32_t node = node_of_id_[node_id];
        plan_.nodes[node].num_processes += part.num_ranks;
        ++plan_.nodes[node].num_parts;
        parts_.push_back({node, {number, cohorts_.add(node, {card.shared_id, card.side})}});
        note_facts(part, node, host);
    }

    void note_facts(const Summary::Part& part, std::uint32_t node, std::uint32_t host) {
        const SeatingFacts& facts = facts_of(part.seating);
        const CodedRanks ranks = summary_.ranks(part);
        for (const SeatingFacts::FirstOf& first : facts.layers) {
            note_layers(first.layers, ranks[first.index]);
        }
        const std::vector<std::uint32_t>& cards = summary_.seating(part.seating);
        for (const std::uint32_t index : facts.notable) {
            notables_.push_back({ranks[index], node, host, cards[index]});
        }
    }

    // Nodes and hosts, which mostly are the same, are numbered together.
    std::uint32_t number_of_id(std::uint64_t id) {
        const std::uint32_t number = id_numbers_.number_of(id);
        if (number == node_of_id_.size()) {
            node_of_id_.push_back(kNone);
        }
        return number;
    }

    const SeatingFacts& facts_of(std::uint32_t seating) {
        if (seating >= facts_.size()) {
            facts_.resize(seating + std::size_t{1});
        }
        SeatingFacts& facts = facts_[seating];
        const std::vector<std::uint32_t>& cards = summary_.seating(seating);
        for (std::uint32_t index = 0; !facts.is_known && index < cards.size(); ++index) {
            const ProcessCard& card = plan_.cards[cards[index]];
            if (std::none_of(facts.layers.begin(), facts.layers.end(),
                             [&](const auto& first) { return first.layers == card.layers; })) {
                facts.layers.push_back({card.layers, index});
            }
            if (card.flags != 0) {
                facts.notable.push_back(index);
            }
        }
        facts.is_known = true;
        return facts;
    }

    void note_layers(std::uint32_t layers, std::uint32_t rank) {
        const std::uint32_t number = layer_numbers_.number_of(layers);
        if (number == plan_.layers.size()) {
            plan_.layers.push_back({plan_.names.component_name(layers), rank});
        }
        plan_.layers[number].first_rank = std::min(plan_.layers[number].first_rank, rank);
    }

    // The lowest rank's stands among equal ones.
    void hear_notables() {
        const auto is_before = [](const Notable& a, const Notable& b) { return a.rank < b.rank; };
        if (!std::is_sorted(notables_.begin(), notables_.end(), is_before)) {
            std::sort(notables_.begin(), notables_.end(), is_before);
        }
        hosts_.resize(node_of_id_.size());
        for (const Notable& notable : notables_) {
            const ProcessCard& card = plan_.cards[notable.card];
            note_contributor(notable, card);
            if (card.error &&
                (!plan_.error || cost_of(card.error->error.code) > cost_of(plan_.error->error.code))) {
                plan_.error = card.error;
                plan_.error_rank = notable.rank;
            }
        }
        if (plan_.error && plan_.error->error.code == Errc::kAbsent && !are_all_absent()) {
            plan_.error.reset();
        }
    }

    // A file may be of a part of the job's nodes; it is told of where it is of none.
    bool are_all_absent() const {
        for (std::size_t card = 0; card < plan_.cards.size(); ++card) {
            const std::optional<ComponentError>& told = plan_.cards[card].error;
            if (!told || told->error.code != Errc::kAbsent) {
                return false;
            }
        }
        return true;
    }

    void note_contributor(const Notable& notable, const ProcessCard& card) {
        Host& host = hosts_[notable.host];
        if ((card.flags & kSpeaksForNode) != 0) {
            counts_[notable.node].is_spoken_for = true;
            host.is_spoken_for = true;
        }
        NodePlan& node = plan_.nodes[notable.node];
        if (node.machine_hash == 0) {
            node.machine_hash = card.machine_hash;
        }
        if (host.machine_hash == 0) {
            host.machine_hash = card.machine_hash;
        }
    }

    void finish() {
        hear_notables();
        list_cohorts();
        find_machines();
        find_unspoken();
        list_parts();
        choose_among_parts();
        choose_inner(summary_, plan_);
        plan_.leaders = leaders_of(plan_);
    }

    // Node after node; they mostly come so.
    void list_parts() {
        const auto is_before = [](const NodePart& a, const NodePart& b) { return a.node < b.node; };
        if (!std::is_sorted(parts_.begin(), parts_.end(), is_before)) {
            std::stable_sort(parts_.begin(), parts_.end(), is_before);
        }
        plan_.parts.reserve(parts_.size());
        std::uint32_t next = 0;
        for (NodePlan& node : plan_.nodes) {
            node.first_part = next;
            next += node.num_parts;
        }
        for (const NodePart& own : parts_) {
            plan_.parts.push_back(own.part);
        }
    }

    // Reads the cards of nodes with several parts once more.
    void choose_among_parts() {
        if (plan_.parts.size() == plan_.nodes.size()) {
            return;
        }
        std::vector<AnswerClass> classes;
        std::vector<std::uint32_t> node_of(parts_.size());
        for (const NodePart& own : parts_) {
            node_of[own.part.part] = own.node;
        }
        NodeCardReader reader(summary_.node_cards(), plan_.names);
        for (std::size_t number = 0; number < node_of.size(); ++number) {
            const NodeCard& card = reader.next();
            const Summary::Part& part = summary_.parts()[number];
            if (plan_.nodes[node_of[number]].num_parts > 1) {
                classes.push_back({card, node_of[number], part.first_rank, part.num_ranks});
            }
        }
        std::stable_sort(classes.begin(), classes.end(),
                         [](const AnswerClass& a, const AnswerClass& b) { return a.node < b.node; });
        choose_network(classes, plan_);
    }

    void list_cohorts() {
        Cohorts cohorts = cohorts_.finish(plan_.names);
        for (NodePart& own : parts_) {
            own.part.cohort = cohorts.of_part(own.node, own.part.cohort);
        }
        for (std::size_t i = 0; i < plan_.nodes.size(); ++i) {
            plan_.nodes[i].first_cohort = cohorts.first_of_node[i];
        }
        plan_.cohorts = std::move(cohorts.all);
        plan_.sides = std::move(cohorts.sides);
    }

    // A simulated node without a machine of its own has that of the host it runs on.
    void find_machines() {
        for (std::size_t i = 0; i < plan_.nodes.size(); ++i) {
            NodePlan& node = plan_.nodes[i];
            node.machine_hash =
                node.machine_hash != 0 ? node.machine_hash : hosts_[counts_[i].host].machine_hash;
        }
    }

    // One of the simulated nodes on a host speaks for all.
    void find_unspoken() {
        for (std::size_t i = 0; i < plan_.nodes.size(); ++i) {
            Host& host = hosts_[counts_[i].host];
            if (!counts_[i].is_spoken_for && !host.is_spoken_for) {
                host.is_spoken_for = true;
                plan_.unspoken.push_back(plan_.nodes[i].first_rank);
            }
        }
    }

    static constexpr std::uint32_t kNone = UINT32_MAX;

    struct NodePart {
        std::uint32_t node;
        PlannedPart part;
    };

    const Summary& summary_;
    const std::size_t num_processes_;
    Plan plan_;
    FlatMap id_numbers_, layer_numbers_;
    std::vector<std::uint32_t> node_of_id_;  // by number in id_numbers_; kNone: a host's alone
    std::vector<Host> hosts_;                // by number in id_numbers_
    std::vector<NodeCount> counts_;          // by node
    CohortMaker cohorts_;
    std::vector<SeatingFacts> facts_;  // by seating
    std::vector<NodePart> parts_;
    std::vector<Notable> notables_;
};

}  // namespace

Result<Plan> make_plan(const Summary& summary, std::size_t num_processes) {
    // Not on the stack, of which a program's thread may have little.
    return std::make_unique<Planner>(summary, num_processes)->run();
}

std::vector<Member> members_of(const Summary& summary, const Plan& plan, std::size_t node) {
    const NodePlan& own = plan.nodes[node];
    std::vector<Member> members;
    members.reserve(own.num_processes);
    for (std::uint32_t i = own.first_part; i < own.first_part + own.num_parts; ++i) {
        const Summary::Part& part = summary.parts()[plan.parts[i].part];
        const std::uint32_t* card = summary.seating(part.seating).data();
        summary.ranks(part).for_each([&](std::uint32_t rank) {
            members.push_back({rank, plan.cards[*card++].place, plan.parts[i].cohort});
        });
    }
    if (own.num_parts > 1) {
        std::sort(members.begin(), members.end(),
                  [](const Member& a, const Member& b) { return a.rank < b.rank; });
    }
    return members;
}

}  // namespace hitopo
