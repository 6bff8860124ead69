// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/plan.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ompi/mca/hitopo/core/exchange/inner_choice.h"
#include "ompi/mca/hitopo/core/exchange/network_choice.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {
namespace {

// Which ranks there were, one bit each.
class Seen {
public:
    explicit Seen(std::size_t num_processes) : words_((num_processes + 63) / 64, 0) {}

    // Gives one that was there before, if there is one.
    std::optional<std::uint32_t> add(const RankRun& run) {
        for (std::uint32_t i = 0; i < run.count;) {
            const std::uint32_t rank = run.first + i * run.stride;
            const std::uint32_t bit = rank % 64;
            const std::uint32_t count = run.stride == 1 ? std::min(64 - bit, run.count - i) : 1;
            const std::uint64_t bits = (~std::uint64_t{0} >> (64 - count)) << bit;
            std::uint64_t& word = words_[rank / 64];
            if ((word & bits) != 0) {
                return rank + trailing_zeros((word & bits) >> bit);
            }
            word |= bits;
            i += count;
        }
        return std::nullopt;
    }

    // The lowest of that many processes that was not there; as many if all were.
    std::uint32_t lowest_missing(std::size_t num_processes) const {
        const auto word =
            std::find_if(words_.begin(), words_.end(), [](std::uint64_t w) { return ~w != 0; });
        const auto before = static_cast<std::uint32_t>(word - words_.begin()) * 64;
        const std::uint32_t missing = word == words_.end() ? before : before + trailing_zeros(~*word);
        return std::min(missing, static_cast<std::uint32_t>(num_processes));
    }

private:
    // bits: not 0.
    static std::uint32_t trailing_zeros(std::uint64_t bits) {
        std::uint32_t count = 0;
        for (; (bits & 1) == 0; bits >>= 1) {
            ++count;
        }
        return count;
    }

    std::vector<std::uint64_t> words_;
};

// Of processes that have one sequence of cards: what is not the same in all, by their places in it.
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
    std::uint64_t first_shared_id;               // of its first rank
    std::vector<std::uint64_t> more_shared_ids;  // in the order of ranks; mostly none
    bool is_spoken_for = false;
};

// A process that says more than where it is.
struct Notable {
    std::uint32_t rank, node;
    std::uint64_t host_id;
    const ProcessCard* card;
};

class Planner {
public:
    Planner(const Summary& summary, std::size_t num_processes)
        : summary_(summary), num_processes_(num_processes), node_cards_(plan_.names) {}

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
        classes_.reserve(summary_.parts().size());
        plan_.nodes.reserve(summary_.parts().size());
        counts_.reserve(summary_.parts().size());
        for (std::uint32_t part = 0; part < summary_.parts().size(); ++part) {
            add_part(part);
        }
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
        return {Errc::kDisagree, "two different machines", "they have one hash; report this", "", 0, 0};
    }

    static Error not_once(std::uint32_t rank) {
        return {Errc::kDisagree,
                "rank " + std::to_string(rank),
                "its HiTopo said nothing, or several things; start all processes with one installation",
                "",
                0,
                0};
    }

    std::optional<std::uint32_t> twice_or_missing() const {
        Seen seen(num_processes_);
        for (const Summary::Part& part : summary_.parts()) {
            for (std::size_t number = 0; number < part.ranks.num_runs(); ++number) {
                if (const std::optional<std::uint32_t> twice = seen.add(part.ranks.run(number))) {
                    return twice;
                }
            }
        }
        const std::uint32_t missing = seen.lowest_missing(num_processes_);
        return missing < num_processes_ ? std::optional(missing) : std::nullopt;
    }

    // Parts come in the order of their first ranks.
    void add_part(std::uint32_t number) {
        const Summary::Part& part = summary_.parts()[number];
        const NodeCard& card = node_cards_.read(part.node_card);
        const std::uint32_t node = node_of(card, part.ranks.front());
        const SeatingFacts& facts = facts_of(part.seating);
        for (const SeatingFacts::FirstOf& first : facts.layers) {
            note_layers(first.layers, part.ranks[first.index]);
        }
        const std::vector<std::uint32_t>& cards = summary_.seating(part.seating);
        for (const std::uint32_t index : facts.notable) {
            notables_.push_back({part.ranks[index], node, card.host_id, &plan_.cards[cards[index]]});
        }
        first_card_ = part.ranks.front() == 0 ? &plan_.cards[cards[0]] : first_card_;
        plan_.nodes[node].num_processes += static_cast<std::uint32_t>(part.ranks.size());
        classes_.push_back({card,
                            node,
                            part.ranks.front(),
                            static_cast<std::uint32_t>(part.ranks.size()),
                            {number, shared_of(node, card.shared_id)}});
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

    std::uint32_t node_of(const NodeCard& card, std::uint32_t first_rank) {
        const std::uint32_t node = node_numbers_.number_of(card.node_id);
        if (node == plan_.nodes.size()) {
            NodePlan& fresh = plan_.nodes.emplace_back();
            fresh.node_id = card.node_id;
            fresh.host_id = card.host_id;
            fresh.first_rank = first_rank;
            counts_.push_back({card.shared_id, {}, false});
        }
        return node;
    }

    // The number among those of the node: mostly there is one.
    std::uint32_t shared_of(std::uint32_t node, std::uint64_t id) {
        if (counts_[node].first_shared_id == id) {
            return 0;
        }
        std::vector<std::uint64_t>& more = counts_[node].more_shared_ids;
        const auto known = std::find(more.begin(), more.end(), id);
        const auto number = static_cast<std::uint32_t>(known - more.begin()) + 1;
        if (known == more.end()) {
            more.push_back(id);
        }
        return number;
    }

    void note_layers(std::uint32_t layers, std::uint32_t rank) {
        const std::uint32_t number = layer_numbers_.number_of(layers);
        if (number == plan_.layers.size()) {
            plan_.layers.push_back({plan_.names.component_name(layers), rank});
        }
        plan_.layers[number].first_rank = std::min(plan_.layers[number].first_rank, rank);
    }

    // Of several that say the same thing, the lowest rank's stands.
    void hear_notables() {
        const auto is_before = [](const Notable& a, const Notable& b) { return a.rank < b.rank; };
        if (!std::is_sorted(notables_.begin(), notables_.end(), is_before)) {
            std::sort(notables_.begin(), notables_.end(), is_before);
        }
        for (const Notable& notable : notables_) {
            note_contributor(notable);
            if (notable.card->error && !plan_.error) {
                plan_.error = notable.card->error;
                plan_.error_rank = notable.rank;
            }
        }
    }

    void note_contributor(const Notable& notable) {
        const ProcessCard& card = *notable.card;
        if ((card.flags & kSpeaksForNode) != 0) {
            counts_[notable.node].is_spoken_for = true;
            (void)spoken_hosts_.number_of(notable.host_id);
        }
        if (card.machine_hash == 0) {
            return;
        }
        if (plan_.nodes[notable.node].machine_hash == 0) {
            plan_.nodes[notable.node].machine_hash = card.machine_hash;
        }
        if (machine_hosts_.number_of(notable.host_id) == host_machines_.size()) {
            host_machines_.push_back(card.machine_hash);
        }
    }

    void compare_settings() {
        plan_.forced = first_card_->forced;
        for (std::size_t card = 0; card < plan_.cards.size(); ++card) {
            plan_.has_mixed_settings |= plan_.cards[card].settings_hash != first_card_->settings_hash;
        }
    }

    void finish() {
        hear_notables();
        compare_settings();
        list_shared();
        find_machines();
        find_unspoken();
        list_parts();
        choose_network(classes_, plan_);
        choose_inner(summary_, plan_);
        plan_.leaders = leaders_of(plan_);
    }

    // Node after node; they mostly come so.
    void list_parts() {
        const auto is_before = [](const AnswerClass& a, const AnswerClass& b) {
            return a.node < b.node;
        };
        if (!std::is_sorted(classes_.begin(), classes_.end(), is_before)) {
            std::stable_sort(classes_.begin(), classes_.end(), is_before);
        }
        plan_.parts.reserve(classes_.size());
        for (const AnswerClass& own : classes_) {
            NodePlan& node = plan_.nodes[own.node];
            node.first_part =
                node.num_parts++ == 0 ? static_cast<std::uint32_t>(plan_.parts.size()) : node.first_part;
            plan_.parts.push_back(own.part);
        }
    }

    void list_shared() {
        for (std::size_t i = 0; i < plan_.nodes.size(); ++i) {
            const std::vector<std::uint64_t>& more = counts_[i].more_shared_ids;
            plan_.nodes[i].first_shared = static_cast<std::uint32_t>(plan_.shared_ids.size());
            plan_.shared_ids.push_back(counts_[i].first_shared_id);
            plan_.shared_ids.insert(plan_.shared_ids.end(), more.begin(), more.end());
        }
    }

    // A simulated node without a machine of its own has that of the host it runs on.
    void find_machines() {
        for (NodePlan& node : plan_.nodes) {
            const std::uint32_t host = machine_hosts_.look_up(node.host_id);
            if (node.machine_hash == 0 && host != FlatMap::kAbsent) {
                node.machine_hash = host_machines_[host];
            }
        }
    }

    // Of simulated nodes on one host, one speaks for all.
    void find_unspoken() {
        for (std::size_t i = 0; i < plan_.nodes.size(); ++i) {
            const NodePlan& node = plan_.nodes[i];
            if (!counts_[i].is_spoken_for && spoken_hosts_.look_up(node.host_id) == FlatMap::kAbsent) {
                (void)spoken_hosts_.number_of(node.host_id);
                plan_.unspoken.push_back(node.first_rank);
            }
        }
    }

    const Summary& summary_;
    const std::size_t num_processes_;
    Plan plan_;
    NodeCardReader node_cards_;
    FlatMap node_numbers_, machine_hosts_, spoken_hosts_, layer_numbers_;
    std::vector<NodeCount> counts_;    // by node
    std::vector<SeatingFacts> facts_;  // by seating
    std::vector<AnswerClass> classes_;
    std::vector<Notable> notables_;
    std::vector<std::uint64_t> host_machines_;  // by number in machine_hosts_
    const ProcessCard* first_card_ = nullptr;   // rank 0's
};

}  // namespace

Result<Plan> make_plan(const Summary& summary, std::size_t num_processes) {
    return Planner(summary, num_processes).run();
}

std::vector<Member> members_of(const Summary& summary, const Plan& plan, std::size_t node) {
    const NodePlan& own = plan.nodes[node];
    std::vector<Member> members;
    members.reserve(own.num_processes);
    for (std::uint32_t i = own.first_part; i < own.first_part + own.num_parts; ++i) {
        const Summary::Part& part = summary.parts()[plan.parts[i].part];
        const std::uint32_t* card = summary.seating(part.seating).data();
        part.ranks.for_each([&](std::uint32_t rank) {
            members.push_back({rank, plan.cards[*card++].place, plan.parts[i].shared});
        });
    }
    if (own.num_parts > 1) {
        std::sort(members.begin(), members.end(),
                  [](const Member& a, const Member& b) { return a.rank < b.rank; });
    }
    return members;
}

}  // namespace hitopo
