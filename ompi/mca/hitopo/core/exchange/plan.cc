// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/plan.h"

#include <algorithm>
#include <utility>

#include "ompi/mca/hitopo/core/exchange/inner_choice.h"
#include "ompi/mca/hitopo/core/exchange/network_choice.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {
namespace {

constexpr std::uint32_t kNoNode = UINT32_MAX;

// A node while its processes are counted.
struct NodeCount {
    std::uint64_t shared_id;   // of its first process: the others mostly share with it
    std::uint32_t num_shared;  // values of shared_id
    bool is_spoken_for;
};

// A further value of shared_id in one node.
struct OtherShared {
    std::uint64_t shared_id;
    std::uint32_t node;
    std::uint32_t number;  // in the node, from 1
};

class Planner {
public:
    Planner(const Summary& summary, std::size_t num_processes)
        : summary_(summary), said_(num_processes, {kNoNode, 0, 0}) {}

    Result<Plan> run() {
        FlatMap machine_numbers;
        for (const std::string& machine : summary_.machines()) {
            if (machine_numbers.number_of(hash_bytes(machine)) + 1 != machine_numbers.size()) {
                return two_machines();
            }
        }
        for (const std::string& card : summary_.process_cards()) {
            plan_.cards.add(card, plan_.names);
        }
        for (const Summary::Part& part : summary_.parts()) {
            if (!add_part(part)) {
                return not_once(part.ranks[0]);
            }
        }
        plan_.processes.reserve(said_.size());
        for (std::uint32_t rank = 0; rank < said_.size(); ++rank) {
            if (said_[rank].node == kNoNode) {
                return not_once(rank);
            }
            add(rank);
        }
        finish();
        return std::move(plan_);
    }

private:
    // What a process says of itself, by rank.
    struct Said {
        std::uint32_t node, card, host;  // host: index into hosts_
    };

    static Error not_once(std::uint32_t rank) {
        return {Errc::kDisagree,
                "rank " + std::to_string(rank),
                "its HiTopo said nothing, or several things; start all processes with one installation",
                "",
                0,
                0};
    }

    static Error two_machines() {
        return {Errc::kDisagree, "two different machines", "they have one hash; report this", "", 0, 0};
    }

    bool add_part(const Summary::Part& part) {
        const NodeCard card = read_node_card(part.node_card, plan_.names);
        const std::uint32_t node = node_of(card, part.ranks[0]);
        const std::uint32_t host = host_numbers_.number_of(card.host_id);
        if (host == hosts_.size()) {
            hosts_.push_back(card.host_id);
        }
        const std::vector<std::uint32_t>& cards = summary_.seating(part.seating);
        for (std::size_t i = 0; i < part.ranks.size(); ++i) {
            Said& said = said_[part.ranks[i]];
            if (said.node != kNoNode) {
                return false;
            }
            said = {node, cards[i], host};
        }
        classes_.push_back({card, node, part.ranks[0], static_cast<std::uint32_t>(part.ranks.size())});
        return true;
    }

    std::uint32_t node_of(const NodeCard& card, std::uint32_t first_rank) {
        const std::uint32_t node = node_numbers_.number_of(card.node_id);
        if (node == plan_.nodes.size()) {
            NodePlan& fresh = plan_.nodes.emplace_back();
            fresh.node_id = card.node_id;
            fresh.host_id = card.host_id;
            fresh.first_rank = first_rank;
            counts_.push_back({0, 0, false});
        }
        return node;
    }

    void add(std::uint32_t rank) {
        const auto [node, number, host] = said_[rank];
        const ProcessCard& card = plan_.cards[number];
        const std::uint32_t shared = shared_of(node, shared_id(host, card));
        const std::uint32_t placement = placement_numbers_.number_of(combine(card.place, shared));
        if (placement == plan_.placements.size()) {
            plan_.placements.push_back({card.place, shared, rank});
        }
        plan_.processes.push_back({node, placement});
        note_contributor(card, node, hosts_[host]);
        note_trouble(card, rank);
    }

    // Mostly the same as of the process before.
    std::uint64_t shared_id(std::uint32_t host, const ProcessCard& card) {
        const std::array<std::uint64_t, 3> key = {hosts_[host], card.shm_device, card.ipc_namespace};
        if (key != latest_shared_key_) {
            latest_shared_key_ = key;
            latest_shared_id_ = hash_bytes({reinterpret_cast<const char*>(key.data()), sizeof key});
        }
        return latest_shared_id_;
    }

    std::uint32_t shared_of(std::uint32_t node, std::uint64_t id) {
        NodeCount& count = counts_[node];
        if (count.num_shared == 0) {
            count = {id, 1, count.is_spoken_for};
        }
        if (count.shared_id == id) {
            return 0;
        }
        const std::uint32_t number = shared_numbers_.number_of(combine(id, node));
        if (number == other_shared_.size()) {
            other_shared_.push_back({id, node, count.num_shared++});
        }
        return other_shared_[number].number;
    }

    void note_contributor(const ProcessCard& card, std::uint32_t node, std::uint64_t host_id) {
        if ((card.flags & kSpeaksForNode) != 0) {
            counts_[node].is_spoken_for = true;
            (void)spoken_hosts_.number_of(host_id);
        }
        if (card.machine_hash == 0) {
            return;
        }
        if (plan_.nodes[node].machine_hash == 0) {
            plan_.nodes[node].machine_hash = card.machine_hash;
        }
        if (machine_hosts_.number_of(host_id) == host_machines_.size()) {
            host_machines_.push_back(card.machine_hash);
        }
    }

    void note_trouble(const ProcessCard& card, std::uint32_t rank) {
        if (rank == 0) {
            plan_.forced = card.forced;
            first_settings_ = card.settings_hash;
        }
        if (card.error && !plan_.error) {
            plan_.error = card.error;
            plan_.error_rank = rank;
        }
        plan_.has_mixed_settings |= card.settings_hash != first_settings_;
    }

    void finish() {
        list_shared();
        find_machines();
        find_unspoken();
        choose_network(std::move(classes_), plan_);
        choose_inner(plan_);
        plan_.leaders = leaders_of(plan_);
    }

    void list_shared() {
        for (std::size_t i = 0; i < plan_.nodes.size(); ++i) {
            plan_.nodes[i].first_shared = static_cast<std::uint32_t>(plan_.shared_ids.size());
            plan_.shared_ids.resize(plan_.shared_ids.size() + counts_[i].num_shared,
                                    counts_[i].shared_id);
        }
        for (const OtherShared& other : other_shared_) {
            plan_.shared_ids[plan_.nodes[other.node].first_shared + other.number] = other.shared_id;
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
    std::vector<Said> said_;
    FlatMap node_numbers_, host_numbers_, placement_numbers_, shared_numbers_, machine_hosts_,
        spoken_hosts_;
    std::vector<std::uint64_t> hosts_;  // identities
    std::vector<NodeCount> counts_;     // by node
    std::vector<OtherShared> other_shared_;
    std::vector<AnswerClass> classes_;
    std::vector<std::uint64_t> host_machines_;  // by number in machine_hosts_
    std::array<std::uint64_t, 3> latest_shared_key_ = {};
    std::uint64_t latest_shared_id_ = 0;
    std::uint64_t first_settings_ = 0;
};

}  // namespace

Result<Plan> make_plan(const Summary& summary, std::size_t num_processes) {
    return Planner(summary, num_processes).run();
}

}  // namespace hitopo
