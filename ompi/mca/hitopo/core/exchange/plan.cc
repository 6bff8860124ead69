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

constexpr std::uint32_t kNoNode = UINT32_MAX;

// A node while its processes are counted.
struct NodeCount {
    std::vector<std::uint64_t> shared_ids;  // of its processes, in the order of ranks
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
        : summary_(summary), node_cards_(plan_.names) {
        plan_.processes.resize(num_processes, {kNoNode, 0});
    }

    Result<Plan> run() {
        if (!are_machines_apart()) {
            return two_machines();
        }
        for (const std::string& card : summary_.process_cards()) {
            plan_.cards.add(card, plan_.names);
        }
        for (const Summary::Part& part : summary_.parts()) {
            if (const std::optional<std::uint32_t> twice = add_part(part)) {
                return not_once(*twice);
            }
        }
        for (std::uint32_t rank = 0; rank < plan_.processes.size(); ++rank) {
            if (plan_.processes[rank].node == kNoNode) {
                return not_once(rank);
            }
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

    // Gives a rank that is in another part too, if there is one.
    std::optional<std::uint32_t> add_part(const Summary::Part& part) {
        const NodeCard card = node_cards_.read(part.node_card);
        const std::uint32_t node = node_of(card, part.ranks[0]);
        const std::uint32_t shared = shared_of(node, card.shared_id);
        const std::vector<std::uint32_t>& cards = summary_.seating(part.seating);
        for (std::size_t i = 0; i < part.ranks.size(); ++i) {
            Plan::Process& process = plan_.processes[part.ranks[i]];
            if (process.node != kNoNode) {
                return part.ranks[i];
            }
            const ProcessCard& said = plan_.cards[cards[i]];
            process = {node, placement_of(said.place, shared)};
            note_layers(said.layers, part.ranks[i]);
            if (said.flags != 0) {
                notables_.push_back({part.ranks[i], node, card.host_id, &said});
            }
        }
        first_card_ = part.ranks[0] == 0 ? &plan_.cards[cards[0]] : first_card_;
        classes_.push_back({card, node, part.ranks[0], static_cast<std::uint32_t>(part.ranks.size())});
        return std::nullopt;
    }

    std::uint32_t node_of(const NodeCard& card, std::uint32_t first_rank) {
        const std::uint32_t node = node_numbers_.number_of(card.node_id);
        if (node == plan_.nodes.size()) {
            NodePlan& fresh = plan_.nodes.emplace_back();
            fresh.node_id = card.node_id;
            fresh.host_id = card.host_id;
            fresh.first_rank = first_rank;
            counts_.emplace_back();
        }
        return node;
    }

    // The number among those of the node: mostly there is one.
    std::uint32_t shared_of(std::uint32_t node, std::uint64_t id) {
        std::vector<std::uint64_t>& ids = counts_[node].shared_ids;
        const auto known = std::find(ids.begin(), ids.end(), id);
        const auto number = static_cast<std::uint32_t>(known - ids.begin());
        if (known == ids.end()) {
            ids.push_back(id);
        }
        return number;
    }

    // The one of each place where nothing else is shared is looked up at once.
    std::uint32_t placement_of(std::uint32_t place, std::uint32_t shared) {
        if (place >= usual_placements_.size()) {
            usual_placements_.resize(place + 1, FlatMap::kAbsent);
        }
        if (shared == 0 && usual_placements_[place] != FlatMap::kAbsent) {
            return usual_placements_[place];
        }
        const std::uint32_t number = placement_numbers_.number_of(combine(place, shared));
        if (number == plan_.placements.size()) {
            plan_.placements.push_back({place, shared});
        }
        if (shared == 0) {
            usual_placements_[place] = number;
        }
        return number;
    }

    // Mostly the same as of the process before.
    void note_layers(std::uint32_t layers, std::uint32_t rank) {
        if (layers != latest_layers_) {
            latest_layers_ = layers;
            latest_class_ = layer_numbers_.number_of(layers);
            if (latest_class_ == plan_.layers.size()) {
                plan_.layers.push_back({plan_.names.component_name(layers), rank});
            }
        }
        std::uint32_t& first_rank = plan_.layers[latest_class_].first_rank;
        first_rank = std::min(first_rank, rank);
    }

    // Of several that say the same thing, the lowest rank's stands.
    void hear_notables() {
        std::sort(notables_.begin(), notables_.end(),
                  [](const Notable& a, const Notable& b) { return a.rank < b.rank; });
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
        choose_network(std::move(classes_), plan_);
        choose_inner(plan_);
        plan_.leaders = leaders_of(plan_);
    }

    void list_shared() {
        for (std::size_t i = 0; i < plan_.nodes.size(); ++i) {
            const std::vector<std::uint64_t>& ids = counts_[i].shared_ids;
            plan_.nodes[i].first_shared = static_cast<std::uint32_t>(plan_.shared_ids.size());
            plan_.shared_ids.insert(plan_.shared_ids.end(), ids.begin(), ids.end());
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
    Plan plan_;
    NodeCardReader node_cards_;
    FlatMap node_numbers_, placement_numbers_, machine_hosts_, spoken_hosts_, layer_numbers_;
    std::vector<NodeCount> counts_;                // by node
    std::vector<std::uint32_t> usual_placements_;  // by place
    std::vector<AnswerClass> classes_;
    std::vector<Notable> notables_;
    std::vector<std::uint64_t> host_machines_;  // by number in machine_hosts_
    const ProcessCard* first_card_ = nullptr;   // rank 0's
    std::uint32_t latest_layers_ = UINT32_MAX, latest_class_ = 0;
};

}  // namespace

Result<Plan> make_plan(const Summary& summary, std::size_t num_processes) {
    return Planner(summary, num_processes).run();
}

}  // namespace hitopo
