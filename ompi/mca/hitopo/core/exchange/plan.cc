// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/plan.h"

#include <algorithm>
#include <utility>

#include "ompi/mca/hitopo/core/exchange/inner_choice.h"
#include "ompi/mca/hitopo/core/exchange/network_choice.h"
#include "ompi/mca/hitopo/core/exchange/pieces.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {
namespace {

// A node while its processes are counted.
struct NodeCount {
    std::uint64_t network_hash;  // of its latest process: the next one mostly says the same
    std::uint64_t shared_id;     // of its first process: the others mostly share with it
    std::uint32_t answers;       // class of network_hash
    std::uint32_t num_shared;    // values of shared_id
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
    Planner(const Record* records, std::size_t num_processes) : records_(records) {
        plan_.processes.reserve(num_processes);
    }

    Result<Plan> run(std::size_t num_processes) {
        for (std::uint32_t rank = 0; rank < num_processes; ++rank) {
            if (!is_of_this_version(records_[rank])) {
                return unusable(rank);
            }
            add(rank);
        }
        list_shared();
        find_machines();
        find_unspoken();
        choose_network(records_, std::move(classes_), plan_);
        const std::vector<std::uint32_t> with_inner_values = ranks_with_inner_values(records_, plan_);
        choose_inner(records_, with_inner_values, machines_, plan_);
        list_pieces(records_, {machines_.ranks(), leaders_of(plan_), with_inner_values}, plan_);
        return std::move(plan_);
    }

private:
    static bool is_of_this_version(const Record& record) {
        return record.magic == Record::kMagic && record.version == Record::kVersion &&
               record.num_words == sizeof(Record) / sizeof(std::int32_t);
    }

    Error unusable(std::uint32_t rank) const {
        const char* message =
            records_[rank].magic == 0
                ? "its HiTopo could not start; see its own message, or its node's memory"
                : "its HiTopo is of another version; start all processes with one installation";
        return {Errc::kDisagree, "rank " + std::to_string(rank), message, "", 0, 0};
    }

    // The only pass over all records; it reads 64 bytes of most.
    void add(std::uint32_t rank) {
        const Record& record = records_[rank];
        const std::uint32_t node = node_of(rank);
        const std::uint32_t shared = shared_of(rank, node);
        const std::uint32_t placement = placement_numbers_.number_of(
            shared == 0 ? record.placement_hash : combine(record.placement_hash, shared));
        if (placement == plan_.placements.size()) {
            plan_.placements.push_back({rank, shared});
        }
        plan_.processes.push_back({node, placement});
        count_answers(rank, node);
        note_contributor(rank, node);
        note_machine(rank, node);
        note_trouble(rank);
    }

    std::uint32_t node_of(std::uint32_t rank) {
        const std::uint32_t node = node_numbers_.number_of(records_[rank].node_id);
        if (node == plan_.nodes.size()) {
            NodePlan& fresh = plan_.nodes.emplace_back();
            fresh.node_id = records_[rank].node_id;
            fresh.host_id = records_[rank].host_id;
            fresh.first_rank = rank;
            counts_.push_back({0, records_[rank].shared_id, FlatMap::kAbsent, 1, false});
        }
        return node;
    }

    std::uint32_t shared_of(std::uint32_t rank, std::uint32_t node) {
        const std::uint64_t id = records_[rank].shared_id;
        if (counts_[node].shared_id == id) {
            return 0;
        }
        const std::uint32_t number = shared_numbers_.number_of(combine(id, node));
        if (number == other_shared_.size()) {
            other_shared_.push_back({id, node, counts_[node].num_shared++});
        }
        return other_shared_[number].number;
    }

    void count_answers(std::uint32_t rank, std::uint32_t node) {
        const std::uint64_t hash = records_[rank].network_hash;
        NodeCount& count = counts_[node];
        if (count.answers == FlatMap::kAbsent || count.network_hash != hash) {
            count.network_hash = hash;
            count.answers = class_numbers_.number_of(combine(records_[rank].node_id, hash));
            if (count.answers == classes_.size()) {
                classes_.push_back({node, rank, 0});
            }
        }
        ++classes_[count.answers].num_processes;
    }

    void note_contributor(std::uint32_t rank, std::uint32_t node) {
        if ((records_[rank].flags & Record::kSpeaksForNode) != 0) {
            counts_[node].is_spoken_for = true;
            (void)spoken_hosts_.number_of(records_[rank].host_id);
        }
    }

    void note_machine(std::uint32_t rank, std::uint32_t node) {
        const Record& record = records_[rank];
        if (record.machine_hash == 0) {
            return;
        }
        if (plan_.nodes[node].machine_hash == 0) {
            plan_.nodes[node].machine_hash = record.machine_hash;
        }
        machines_.add(record.machine_hash, rank);
        if (host_numbers_.number_of(record.host_id) == host_machines_.size()) {
            host_machines_.push_back(record.machine_hash);
        }
    }

    void note_trouble(std::uint32_t rank) {
        const Record& record = records_[rank];
        if ((record.flags & Record::kHasError) != 0 && plan_.first_error_rank < 0) {
            plan_.first_error_rank = rank;
        }
        plan_.has_mixed_settings |= record.settings_hash != records_[0].settings_hash;
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
            const std::uint32_t host = host_numbers_.look_up(node.host_id);
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

    const Record* records_;
    Plan plan_;
    FlatMap node_numbers_, placement_numbers_, class_numbers_, shared_numbers_, host_numbers_,
        spoken_hosts_;
    MachineSenders machines_;
    std::vector<NodeCount> counts_;  // by node
    std::vector<OtherShared> other_shared_;
    std::vector<AnswerClass> classes_;
    std::vector<std::uint64_t> host_machines_;  // by host number
};

}  // namespace

Result<Plan> make_plan(const Record* records, std::size_t num_processes) {
    return Planner(records, num_processes).run(num_processes);
}

}  // namespace hitopo
