// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Processes and collectives are the nodes of a graph, whose edges lead from who waits to what it waits
// for: a process to a peer, or to a collective; that to the members which have not begun it. Causes wait
// for nothing. Where no way leads to a cause, processes wait in a circle.
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

#include "profiler/tool/hang/hang.h"

namespace hitopo::tool {
namespace {

using Ranks = std::vector<int>;

std::size_t index(int number) { return static_cast<std::size_t>(number); }

bool can_run(const WatchedProcess& process) {
    return std::string_view("-TtF").find(process.state) == std::string_view::npos;
}

bool is_in_finalize(const WatchedThread& thread) {
    return thread.function == std::string_view("MPI_Finalize");
}

std::ptrdiff_t num_outside(const WatchedProcess& process) {
    const auto threads = threads_of(process);
    return std::count_if(threads.begin(), threads.end(), is_outside);
}

// Where it has more communicators than its record, it has begun what is not there.
bool has_begun(const WatchedProcess& process, std::uint64_t comm, std::uint64_t number) {
    const auto comms = comms_of(process);
    const auto found = std::find_if(comms.begin(), comms.end(),
                                    [&](const WatchedComm& each) { return each.id == comm; });
    return found == comms.end() ? comms.num == profile::kMaxComms : found->num_begun >= number;
}

class Graph {
public:
    explicit Graph(const Hang& hang) : hang_(hang), all_(index(hang.size)), edges_(index(hang.size)) {
        std::iota(all_.begin(), all_.end(), 0);
        for (const auto& [rank, process] : hang.processes) {
            for (const WatchedComm& comm : comms_of(process)) {
                members_[comm.id].push_back(rank);
            }
        }
        for (const auto& [rank, process] : hang.processes) {
            for (const WatchedThread& thread : threads_of(process)) {
                if (can_run(process)) {
                    add(process, thread);
                }
            }
        }
    }

    int num_nodes() const { return static_cast<int>(edges_.size()); }
    const Ranks& edges(int node) const { return edges_[index(node)]; }

private:
    void add(const WatchedProcess& process, const WatchedThread& thread) {
        Ranks& edges = edges_[index(process.rank)];
        if (is_in_finalize(thread)) {
            add_collective(process.rank, {}, [&] {
                return ranks_without(all_, [](const WatchedProcess& other) {
                    const auto threads = threads_of(other);
                    return other.state == 'F' ||
                           std::any_of(threads.begin(), threads.end(), is_in_finalize);
                });
            });
        }
        for (const WatchedWait& wait : waits_of(thread)) {
            const WatchedComm* const comm = comm_of(wait, process);
            if (comm != nullptr && (wait.what == 'c' || wait.what == 'i')) {
                add_collective(process.rank, {comm->id, wait.number, wait.what},
                               [&] { return missing_in(*comm, wait); });
            } else if (wait.peer >= 0) {
                edges.push_back(wait.peer);
            } else if (comm != nullptr && wait.peer == profile::kAnyPeer) {
                const Ranks others = members_of(*comm);
                std::remove_copy(others.begin(), others.end(), std::back_inserter(edges), process.rank);
            }
        }
    }

    using Key = std::tuple<std::uint64_t, std::uint64_t, char>;
    template <class Missing>
    void add_collective(int rank, const Key& key, Missing&& missing) {
        const auto [found, is_new] = collectives_.try_emplace(key, num_nodes());
        if (is_new) {
            edges_.push_back(missing());
        }
        if (!edges(found->second).empty()) {
            edges_[index(rank)].push_back(found->second);
        }
    }

    // Where some wrote nothing, these can be members.
    Ranks members_of(const WatchedComm& comm) const {
        if (comm.size == hang_.size) {
            return all_;
        }
        Ranks members = members_.at(comm.id);
        if (members.size() < index(comm.size)) {
            std::copy_if(all_.begin(), all_.end(), std::back_inserter(members),
                         [&](int rank) { return hang_.processes.count(rank) == 0; });
        }
        return members;
    }

    // Those that cannot run, or of which has_come(process) is false.
    template <class HasCome>
    Ranks ranks_without(const Ranks& ranks, HasCome&& has_come) const {
        Ranks missing;
        std::copy_if(ranks.begin(), ranks.end(), std::back_inserter(missing), [&](int rank) {
            const auto found = hang_.processes.find(rank);
            return found == hang_.processes.end() || !has_come(found->second) ||
                   (!can_run(found->second) && found->second.state != 'F');
        });
        return missing;
    }

    // A collective that goes on in the background needs members in MPI; and the number of a persistent
    // one is unknown.
    Ranks missing_in(const WatchedComm& comm, const WatchedWait& wait) const {
        const Ranks members = members_of(comm);
        Ranks missing = ranks_without(members, [&](const WatchedProcess& process) {
            return has_begun(process, comm.id, wait.number);
        });
        return wait.what == 'c' || !missing.empty()
                   ? missing
                   : ranks_without(members, [](const WatchedProcess& process) {
                         return num_outside(process) < process.num_threads;
                     });
    }

    const Hang& hang_;
    Ranks all_;
    std::map<std::uint64_t, Ranks> members_;  // that have it in their records
    std::vector<Ranks> edges_;
    std::map<Key, int> collectives_;
};

// Empty where it waits for a process.
std::optional<Cause> cause_of(const Hang& hang, const Graph& graph, int rank) {
    const auto found = hang.processes.find(rank);
    if (found == hang.processes.end()) {
        return Cause::kSilent;
    }
    const WatchedProcess& process = found->second;
    if (!can_run(process)) {
        return process.state == '-'   ? Cause::kGone
               : process.state == 'F' ? Cause::kEnded
                                      : Cause::kStopped;
    }
    if (num_outside(process) == process.num_threads) {
        return process.state == 'D'       ? Cause::kBlocked
               : process.threads[0].polls ? Cause::kPolling
                                          : Cause::kOutside;
    }
    return num_outside(process) > 0    ? std::optional(Cause::kThread)
           : graph.edges(rank).empty() ? std::optional(Cause::kUnknown)
                                       : std::nullopt;
}

// The nodes from which a way leads to one of these.
std::vector<bool> who_reaches(const Graph& graph, Ranks ranks) {
    std::vector<Ranks> before(index(graph.num_nodes()));
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
std::vector<Ranks> find_cycles(const Graph& graph, int size, const std::vector<bool>& reaches_cause) {
    std::vector<Ranks> cycles;
    Ranks met(index(graph.num_nodes()), -1);  // on the way from that rank
    for (int first = 0; first < size; ++first) {
        Ranks way;
        int node = first;
        for (; !reaches_cause[index(node)] && met[index(node)] < 0; node = graph.edges(node).front()) {
            met[index(node)] = first;
            way.push_back(node);
        }
        way.erase(way.begin(), std::find(way.begin(), way.end(), node));
        way.erase(std::remove_if(way.begin(), way.end(), [&](int one) { return one >= size; }),
                  way.end());
        if (!way.empty()) {
            std::rotate(way.begin(), std::min_element(way.begin(), way.end()), way.end());
            cycles.push_back(std::move(way));
        }
    }
    return cycles;
}

// Members in other functions of one number; or in an earlier one that all have begun.
std::vector<Mismatch> find_mismatches(const Hang& hang, const Graph& graph) {
    std::map<std::uint64_t, Mismatch> by_comm;
    for (const auto& [rank, process] : hang.processes) {
        for (const WatchedThread& thread : threads_of(process)) {
            for (const WatchedWait& wait : waits_of(thread)) {
                const WatchedComm* const comm = comm_of(wait, process);
                if (wait.what == 'c' && comm != nullptr && can_run(process)) {
                    Mismatch& mismatch = by_comm[comm->id];
                    mismatch.comm = *comm;
                    mismatch.groups[{wait.number, thread.function}].push_back(rank);
                }
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
    HangFindings findings = {find_mismatches(hang, graph), {}, {}};
    Ranks causes;
    for (int rank = 0; rank < hang.size; ++rank) {
        if (const std::optional<Cause> cause = cause_of(hang, graph, rank)) {
            causes.push_back(rank);
            if (is_awaited[index(rank)]) {
                findings.causes[*cause].push_back(rank);
            }
        }
    }
    if (findings.mismatches.empty()) {
        findings.cycles = find_cycles(graph, hang.size, who_reaches(graph, std::move(causes)));
    }
    const auto first_unsure = findings.causes.lower_bound(Cause::kPolling);
    if (first_unsure != findings.causes.begin() || !findings.mismatches.empty() ||
        !findings.cycles.empty()) {
        findings.causes.erase(first_unsure, findings.causes.end());
    }
    return findings;
}

}  // namespace hitopo::tool
