// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/plan.h"

#include <algorithm>
#include <utility>

#include "ompi/mca/hitopo/core/exchange/contest.h"
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

// Processes of one node that gave equal answers for the network levels (nearly always all of them).
struct AnswerClass {
    std::uint32_t node;
    std::uint32_t first_rank;
    std::uint32_t num_processes;
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
        choose_network();
        find_leaders();
        const std::vector<std::uint32_t> with_inner_values = ranks_with_inner_values();
        choose_inner(with_inner_values);
        list_pieces(with_inner_values);
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
        note_speaker(rank, node);
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

    void note_speaker(std::uint32_t rank, std::uint32_t node) {
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
        if (machine_numbers_.number_of(record.machine_hash) == machine_ranks_.size()) {
            machine_ranks_.push_back(rank);
        }
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

    void choose_network() {
        std::stable_sort(classes_.begin(), classes_.end(),
                         [](const AnswerClass& a, const AnswerClass& b) {
                             return a.node != b.node ? a.node < b.node : a.first_rank < b.first_rank;
                         });
        for (std::size_t begin = 0, end = 0; begin < classes_.size(); begin = end) {
            while (end < classes_.size() && classes_[end].node == classes_[begin].node) {
                ++end;
            }
            NodePlan& node = plan_.nodes[classes_[begin].node];
            for (std::size_t i = begin; i < end; ++i) {
                node.num_processes += classes_[i].num_processes;
            }
            for (int level = kCluster; level <= kNode; ++level) {
                node.network[static_cast<std::size_t>(level)] =
                    choose(static_cast<Level>(level), &classes_[begin], &classes_[end - 1] + 1,
                           node.num_processes);
            }
        }
    }

    Choice choose(Level level, const AnswerClass* begin, const AnswerClass* end, std::uint32_t total) {
        Contest contest(total, records_[0].forced[level]);
        for (const AnswerClass* c = begin; c != end; ++c) {
            const Record& record = records_[c->first_rank];
            for (int slot = 0; slot < kNumCandidates; ++slot) {
                const Candidate& candidate = record.candidates[level][slot];
                if (candidate.component != 0) {
                    const bool is_for_node =
                        (record.flags >> Record::kForNodeShift >> (kNumCandidates * level + slot) & 1) !=
                        0;
                    contest.add(candidate, c->first_rank, is_for_node ? total : c->num_processes);
                }
            }
        }
        const Contender* best = contest.winner();
        if (best == nullptr) {
            return {};
        }
        if (best->other_rank) {
            note_disagreement({level, best->witness, *best->other_rank});
        }
        const bool is_led = (level == kIsland || level == kSwitch) &&
                            records_[best->witness].uplinks_component == best->candidate.component;
        return {best->candidate, best->witness, is_led};
    }

    // The lowest rank that stands for a switch, of all its nodes, leads it.
    void find_leaders() {
        FlatMap numbers;
        for (const NodePlan& node : plan_.nodes) {
            for (const Choice& choice : {node.network[kSwitch], node.network[kIsland]}) {
                if (!choice.is_led) {
                    continue;
                }
                const std::uint32_t number =
                    numbers.number_of(combine(choice.candidate.value, choice.candidate.component));
                if (number == leaders_.size()) {
                    leaders_.push_back(choice.witness);
                }
                leaders_[number] = std::min(leaders_[number], choice.witness);
            }
        }
    }

    void note_disagreement(const Disagreement& disagreement) {
        std::vector<Disagreement>& all = plan_.disagreements;
        if (std::none_of(all.begin(), all.end(),
                         [&](const Disagreement& known) { return known.level == disagreement.level; })) {
            all.push_back(disagreement);
        }
    }

    std::vector<std::uint32_t> ranks_with_inner_values() const {
        std::vector<bool> has_values;  // by placement
        for (const PlacementClass& placement : plan_.placements) {
            has_values.push_back((records_[placement.first_rank].flags & Record::kHasInnerValues) != 0);
        }
        std::vector<std::uint32_t> ranks;
        if (std::find(has_values.begin(), has_values.end(), true) == has_values.end()) {
            return ranks;
        }
        for (std::uint32_t rank = 0; rank < plan_.processes.size(); ++rank) {
            if (has_values[plan_.processes[rank].placement]) {
                ranks.push_back(rank);
            }
        }
        return ranks;
    }

    // Explicit values stand where their component beats the machine's, and where there is no machine.
    void choose_inner(const std::vector<std::uint32_t>& ranks) {
        if (ranks.empty()) {
            return;
        }
        std::vector<Contest> l2numa;
        std::vector<Contest> inner;
        for (const NodePlan& node : plan_.nodes) {
            l2numa.emplace_back(node.num_processes, records_[0].forced[kL2Numa]);
            inner.emplace_back(node.num_processes, records_[0].forced[kSocket]);
        }
        for (const std::uint32_t rank : ranks) {
            const std::uint32_t node = plan_.processes[rank].node;
            add_once_each(l2numa[node], kL2Numa, kL2Numa, rank);
            add_once_each(inner[node], kSocket, kHwThread, rank);
        }
        for (std::size_t i = 0; i < plan_.nodes.size(); ++i) {
            plan_.nodes[i].l2numa_component = winner(plan_.nodes[i], std::move(l2numa[i]));
            plan_.nodes[i].inner_component = winner(plan_.nodes[i], std::move(inner[i]));
        }
    }

    void add_once_each(Contest& contest, Level first, Level last, std::uint32_t rank) {
        std::vector<std::uint32_t> seen;
        for (int level = first; level <= last; ++level) {
            for (const Candidate& candidate : records_[rank].candidates[level]) {
                if (candidate.component != 0 &&
                    std::find(seen.begin(), seen.end(), candidate.component) == seen.end()) {
                    seen.push_back(candidate.component);
                    contest.add(candidate, rank, 1);
                }
            }
        }
    }

    // The machine competes too, for all processes of its node, under its component's name; 0 where it
    // wins.
    std::uint32_t winner(const NodePlan& node, Contest contest) const {
        const std::uint32_t machine = machine_numbers_.look_up(node.machine_hash);
        if (machine != FlatMap::kAbsent) {
            const Record& record = records_[machine_ranks_[machine]];
            contest.add_apart({0, record.machine_component, record.machine_priority},
                              node.num_processes);
        }
        const Contender* best = contest.winner();
        return best == nullptr || best->is_apart ? 0 : best->candidate.component;
    }

    void list_pieces(const std::vector<std::uint32_t>& with_inner_values) {
        for (const NodePlan& node : plan_.nodes) {
            for (const Choice& choice : node.network) {
                if (choice.candidate.component != 0) {
                    want(choice.witness, Piece::kNames);
                }
            }
        }
        for (const std::uint32_t rank : machine_ranks_) {
            want(rank, Piece::kMachine);
        }
        for (const std::uint32_t rank : leaders_) {
            want(rank, Piece::kUplinks);
        }
        for (const PlacementClass& placement : plan_.placements) {
            if ((records_[placement.first_rank].flags & Record::kHasIrregularCpus) != 0) {
                want(placement.first_rank, Piece::kCpus);
            }
        }
        for (const std::uint32_t rank : with_inner_values) {
            want(rank, Piece::kNames);
        }
        merge_pieces();
    }

    void want(std::uint32_t rank, Piece::Part part) {
        if (!plan_.pieces.empty() && plan_.pieces.back().rank == rank) {
            plan_.pieces.back().parts |= part;
        } else {
            plan_.pieces.push_back({rank, part, 0, 0});
        }
    }

    void merge_pieces() {
        std::vector<Piece>& pieces = plan_.pieces;
        std::sort(pieces.begin(), pieces.end(),
                  [](const Piece& a, const Piece& b) { return a.rank < b.rank; });
        std::size_t num_pieces = 0;
        for (const Piece& piece : pieces) {
            if (num_pieces > 0 && pieces[num_pieces - 1].rank == piece.rank) {
                pieces[num_pieces - 1].parts |= piece.parts;
            } else {
                pieces[num_pieces++] = piece;
            }
        }
        pieces.resize(num_pieces);
        for (Piece& piece : pieces) {
            const Record& record = records_[piece.rank];
            piece.offset = plan_.num_bytes;
            piece.num_bytes += (piece.parts & Piece::kNames) != 0 ? record.names_bytes : 0;
            piece.num_bytes += (piece.parts & Piece::kCpus) != 0 ? record.cpus_bytes : 0;
            piece.num_bytes += (piece.parts & Piece::kMachine) != 0 ? record.machine_bytes : 0;
            piece.num_bytes += (piece.parts & Piece::kUplinks) != 0 ? record.uplinks_bytes : 0;
            piece.num_bytes = (piece.num_bytes + 3) / 4 * 4;
            plan_.num_bytes += piece.num_bytes;
        }
    }

    const Record* records_;
    Plan plan_;
    FlatMap node_numbers_, placement_numbers_, class_numbers_, shared_numbers_, machine_numbers_,
        host_numbers_, spoken_hosts_;
    std::vector<NodeCount> counts_;  // by node
    std::vector<OtherShared> other_shared_;
    std::vector<AnswerClass> classes_;
    std::vector<std::uint32_t> machine_ranks_;  // by machine number: who sends it
    std::vector<std::uint32_t> leaders_;        // by led switch: who asks for its uplinks
    std::vector<std::uint64_t> host_machines_;  // by host number
};

}  // namespace

Result<Plan> make_plan(const Record* records, std::size_t num_processes) {
    return Planner(records, num_processes).run(num_processes);
}

}  // namespace hitopo
