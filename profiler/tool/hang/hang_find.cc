// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Processes and collectives are the nodes of a graph, whose edges lead from who waits to what it waits
// for: a process to a peer, or to a collective; that to the members which have not begun it. Causes wait
// for nothing. Where no way leads to a cause, processes wait in a circle.
#include <algorithm>
#include <cstddef>
#include <utility>

#include "profiler/tool/hang/hang.h"

namespace hitopo::tool {
namespace {

constexpr const char* kFinalize = "MPI_Finalize";

std::size_t index(int number) { return static_cast<std::size_t>(number); }

class Graph {
public:
    explicit Graph(const Hang& hang)
        : hang_(hang), edges_(index(hang.size)), records_(index(hang.size), nullptr) {
        for (const HangProcess& process : hang.processes) {
            records_[index(process.rank)] = &process;
        }
        for (const HangProcess& process : hang.processes) {
            if (process.can_run()) {
                add(process);
            }
        }
    }

    int num_nodes() const { return static_cast<int>(edges_.size()); }
    const std::vector<int>& edges(int node) const { return edges_[index(node)]; }
    // Null: there is none.
    const HangProcess* record(int rank) const { return records_[index(rank)]; }

private:
    void add(const HangProcess& process) {
        for (const HangPlace& thread : process.threads) {
            if (thread.function == kFinalize) {
                add_collective(process.rank, {kFinalize, 0}, [&] {
                    return ranks_but([&](const HangProcess& other) {
                        return other.has_ended() || other.is_in(kFinalize);
                    });
                });
            } else if (thread.number > 0) {
                add_collective(process.rank, {thread.comm.id, thread.number},
                               [&] { return missing_in(thread.comm, thread.number); });
            } else {
                add_peer(process.rank, thread.peer, thread.comm);
            }
            for (const HangPlace& request : thread.requests) {
                if (request.awaits == "collective") {
                    add_collective(process.rank, {request.comm.id + " by request", request.number},
                                   [&] { return missing_in_request(request); });
                } else {
                    add_peer(process.rank, request.peer, request.comm);
                }
            }
        }
    }

    void add_peer(int rank, int peer, const HangCommunicator& comm) {
        std::vector<int>& edges = edges_[index(rank)];
        if (peer >= 0) {
            edges.push_back(peer);
        } else if (peer == kAnyPeer) {
            std::copy_if(comm.ranks.begin(), comm.ranks.end(), std::back_inserter(edges),
                         [&](int other) { return other != rank; });
        }
    }

    template <class Missing>
    void add_collective(int rank, const std::pair<std::string, std::uint64_t>& key, Missing&& missing) {
        const auto [found, is_new] = collectives_.try_emplace(key, num_nodes());
        if (is_new) {
            edges_.push_back(missing());
        }
        if (!edges_[index(found->second)].empty()) {
            edges_[index(rank)].push_back(found->second);
        }
    }

    // Those of `ranks` that cannot run, or of which has_come(record) is false.
    template <class HasCome>
    std::vector<int> ranks_without(const std::vector<int>& ranks, HasCome&& has_come) const {
        std::vector<int> missing;
        std::copy_if(ranks.begin(), ranks.end(), std::back_inserter(missing), [&](int rank) {
            const HangProcess* const process = record(rank);
            return process == nullptr || process->is_gone() || process->is_stopped() ||
                   !has_come(*process);
        });
        return missing;
    }
    template <class HasCome>
    std::vector<int> ranks_but(HasCome&& has_come) const {
        std::vector<int> all;
        for (int rank = 0; rank < hang_.size; ++rank) {
            all.push_back(rank);
        }
        return ranks_without(all, has_come);
    }

    // The members that have not begun that collective, or are stopped or gone.
    std::vector<int> missing_in(const HangCommunicator& comm, std::uint64_t number) const {
        return ranks_without(comm.ranks, [&](const HangProcess& process) {
            const auto found = process.counts.find(comm.id);
            return found != process.counts.end() ? found->second >= number
                                                 : !process.has_all_counts && waits_in(process, comm);
        });
    }

    // The number is that of the last one which the process started; and a persistent one has none.
    std::vector<int> missing_in_request(const HangPlace& request) const {
        const std::vector<int> missing = missing_in(request.comm, request.number);
        return !missing.empty() ? missing
                                : ranks_without(request.comm.ranks, [&](const HangProcess& process) {
                                      return waits_in(process, request.comm);
                                  });
    }

    // Whether it waits for a collective of that communicator.
    static bool waits_in(const HangProcess& process, const HangCommunicator& comm) {
        const auto is_it = [&](const auto& record) {
            return record.number > 0 && record.comm.id == comm.id;
        };
        return std::any_of(process.threads.begin(), process.threads.end(), [&](const HangPlace& thread) {
            return is_it(thread) || std::any_of(thread.requests.begin(), thread.requests.end(), is_it);
        });
    }

    const Hang& hang_;
    std::vector<std::vector<int>> edges_;
    std::vector<const HangProcess*> records_;  // by rank
    std::map<std::pair<std::string, std::uint64_t>, int> collectives_;
};

// Empty where it waits for a process.
std::optional<Cause> cause_of(const Graph& graph, int rank) {
    const HangProcess* const process = graph.record(rank);
    if (process == nullptr || !process->can_run()) {
        return process == nullptr      ? Cause::kSilent
               : process->is_gone()    ? Cause::kGone
               : process->is_stopped() ? Cause::kStopped
                                       : Cause::kEnded;
    }
    const auto& threads = process->threads;
    const auto is_outside = [](const HangPlace& thread) { return thread.function.empty(); };
    if (std::all_of(threads.begin(), threads.end(), is_outside)) {
        return threads.empty()                 ? Cause::kSilent
               : process->state == 'D'         ? Cause::kBlocked
               : threads.front().polls.empty() ? Cause::kOutside
                                               : Cause::kPolling;
    }
    return std::any_of(threads.begin(), threads.end(), is_outside) ? std::optional(Cause::kThread)
           : graph.edges(rank).empty()                             ? std::optional(Cause::kUnknown)
                                                                   : std::nullopt;
}

// The nodes from which a way leads to one of these ranks.
std::vector<bool> who_reaches(const Graph& graph, std::vector<int> ranks) {
    std::vector<std::vector<int>> before(index(graph.num_nodes()));
    for (int node = 0; node < graph.num_nodes(); ++node) {
        for (const int next : graph.edges(node)) {
            before[index(next)].push_back(node);
        }
    }
    std::vector<bool> reaches(before.size(), false);
    while (!ranks.empty()) {
        const int node = ranks.back();
        ranks.pop_back();
        if (!reaches[index(node)]) {
            reaches[index(node)] = true;
            ranks.insert(ranks.end(), before[index(node)].begin(), before[index(node)].end());
        }
    }
    return reaches;
}

// A process that reaches no cause waits for another such one, so that each way ends in a circle.
std::vector<std::vector<int>> find_cycles(const Graph& graph, int size,
                                          const std::vector<bool>& reaches_cause) {
    std::vector<std::vector<int>> cycles;
    std::vector<int> met(index(graph.num_nodes()), -1);  // on the way from that rank
    for (int first = 0; first < size; ++first) {
        std::vector<int> way;
        int node = first;
        while (!reaches_cause[index(node)] && met[index(node)] < 0) {
            met[index(node)] = first;
            way.push_back(node);
            node = graph.edges(node).front();
        }
        const auto begin = std::find(way.begin(), way.end(), node);
        if (begin != way.end()) {
            std::vector<int> cycle;
            std::copy_if(begin, way.end(), std::back_inserter(cycle),
                         [&](int one) { return one < size; });
            std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
            cycles.push_back(std::move(cycle));
        }
    }
    return cycles;
}

// Members in other functions of one number; or in an earlier one that all have begun.
std::vector<Mismatch> find_mismatches(const Hang& hang, const Graph& graph) {
    std::map<std::string, Mismatch> by_comm;
    for (const HangProcess& process : hang.processes) {
        for (const HangPlace& thread : process.threads) {
            if (thread.number > 0 && process.can_run()) {
                Mismatch& mismatch = by_comm[thread.comm.id];
                mismatch.comm = thread.comm;
                mismatch.groups[{thread.number, thread.function}].push_back(process.rank);
            }
        }
    }
    std::vector<Mismatch> found;
    for (auto& [id, mismatch] : by_comm) {
        const auto& [first, first_ranks] = *mismatch.groups.begin();
        const auto second = std::next(mismatch.groups.begin());
        if (second != mismatch.groups.end() &&
            (second->first.first == first.first || graph.edges(first_ranks.front()).empty())) {
            found.push_back(std::move(mismatch));
        }
    }
    return found;
}

}  // namespace

HangFindings find_in(const Hang& hang) {
    const Graph graph(hang);
    std::vector<bool> is_awaited(index(graph.num_nodes()), false);
    for (int node = 0; node < graph.num_nodes(); ++node) {
        for (const int next : graph.edges(node)) {
            is_awaited[index(next)] = true;
        }
    }
    std::map<Cause, std::vector<int>> awaited;
    std::vector<int> all;
    for (int rank = 0; rank < hang.size; ++rank) {
        if (const std::optional<Cause> cause = cause_of(graph, rank)) {
            all.push_back(rank);
            if (is_awaited[index(rank)]) {
                awaited[*cause].push_back(rank);
            }
        }
    }
    HangFindings findings = {find_mismatches(hang, graph), {}, {}};
    if (findings.mismatches.empty()) {
        findings.cycles = find_cycles(graph, hang.size, who_reaches(graph, all));
    }
    const auto first_unsure = awaited.lower_bound(Cause::kPolling);
    const bool is_explained =
        first_unsure != awaited.begin() || !findings.mismatches.empty() || !findings.cycles.empty();
    if (is_explained) {
        awaited.erase(first_unsure, awaited.end());
    }
    findings.causes = std::move(awaited);
    return findings;
}

}  // namespace hitopo::tool
