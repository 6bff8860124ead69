// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Each process that waits has the ranks that it waits for: peers, or the members that have not begun its
// collective. A cause waits for nothing. A way goes from a process to one of those that it waits for, a
// cause if there is one; where it comes back, processes wait in a circle.
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

// Where it has more communicators than its record, it has begun what is not there.
bool has_begun(const WatchedProcess& process, std::uint64_t comm, std::uint64_t number) {
    const auto comms = comms_of(process);
    const auto found = std::find_if(comms.begin(), comms.end(),
                                    [&](const WatchedComm& each) { return each.id == comm; });
    return found == comms.end() ? comms.num == profile::kMaxComms : found->num_begun >= number;
}

// Empty: it waits, or what for is unknown. process: null where it wrote nothing.
std::optional<Cause> cause_of(const WatchedProcess* process) {
    if (process == nullptr || !can_run(*process)) {
        return process == nullptr      ? Cause::kSilent
               : process->state == '-' ? Cause::kGone
               : process->state == 'F' ? Cause::kEnded
                                       : Cause::kStopped;
    }
    const auto threads = threads_of(*process);
    const auto num = std::count_if(threads.begin(), threads.end(), is_outside);
    return num == 0                ? std::nullopt
           : num < threads.num     ? std::optional(Cause::kThread)
           : process->state == 'D' ? Cause::kBlocked
           : threads.first->polls  ? Cause::kPolling
                                   : Cause::kOutside;
}

class Waits {
public:
    explicit Waits(const Hang& hang)
        : hang_(hang),
          all_(index(hang.size)),
          causes_(index(hang.size)),
          next_(index(hang.size), -1),
          is_awaited_(index(hang.size), false) {
        std::iota(all_.begin(), all_.end(), 0);
        for (const int rank : all_) {
            causes_[index(rank)] = cause_of(process_of(rank));
        }
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
        for (const int rank : all_) {
            if (next(rank) < 0 && !causes_[index(rank)]) {
                causes_[index(rank)] = Cause::kUnknown;
            }
        }
    }

    // Negative: a rank waits for no other.
    int next(int rank) const { return next_[index(rank)]; }

    std::map<Cause, Ranks> causes_of_waits() const {
        std::map<Cause, Ranks> causes;
        for (const int rank : all_) {
            if (is_awaited_[index(rank)] && causes_[index(rank)]) {
                causes[*causes_[index(rank)]].push_back(rank);
            }
        }
        return causes;
    }

    std::vector<Ranks> cycles() const {
        std::vector<Ranks> cycles;
        Ranks met(all_.size(), -1);  // on the way from that rank
        for (const int first : all_) {
            int rank = first;
            while (rank >= 0 && met[index(rank)] < 0) {
                met[index(rank)] = first;
                rank = causes_[index(rank)] ? -1 : next(rank);
            }
            if (rank >= 0 && met[index(rank)] == first) {
                Ranks cycle = {rank};
                while (next(cycle.back()) != rank) {
                    cycle.push_back(next(cycle.back()));
                }
                std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
                cycles.push_back(std::move(cycle));
            }
        }
        return cycles;
    }

private:
    const WatchedProcess* process_of(int rank) const {
        const auto found = hang_.processes.find(rank);
        return found == hang_.processes.end() ? nullptr : &found->second;
    }

    void add(const WatchedProcess& process, const WatchedThread& thread) {
        if (is_in_finalize(thread)) {
            wait_for(process.rank, one_missing({}, [&] {
                         return ranks_without(all_, [](const WatchedProcess& other) {
                             const auto threads = threads_of(other);
                             return other.state == 'F' ||
                                    std::any_of(threads.begin(), threads.end(), is_in_finalize);
                         });
                     }));
        }
        for (const WatchedWait& wait : waits_of(thread)) {
            const WatchedComm* const comm = comm_of(wait, process);
            if (comm != nullptr && (wait.what == 'c' || wait.what == 'i')) {
                wait_for(process.rank, one_missing({comm->id, wait.number, wait.what},
                                                   [&] { return missing_in(*comm, wait); }));
            } else if (wait.peer >= 0) {
                wait_for(process.rank, one_of({wait.peer}));
            } else if (comm != nullptr && wait.peer == profile::kAnyPeer) {
                Ranks others = members_of(*comm);
                others.erase(std::find(others.begin(), others.end(), process.rank));
                wait_for(process.rank, one_of(others));
            }
        }
    }

    void wait_for(int rank, int other) {
        if (other >= 0 && (next(rank) < 0 || causes_[index(other)])) {
            next_[index(rank)] = other;
        }
    }

    // Negative: there is none.
    int one_of(const Ranks& ranks) {
        const auto cause = std::find_if(ranks.begin(), ranks.end(),
                                        [&](int rank) { return causes_[index(rank)].has_value(); });
        for (const int rank : ranks) {
            is_awaited_[index(rank)] = true;
        }
        return cause != ranks.end() ? *cause : ranks.empty() ? -1 : ranks.front();
    }

    // One of the members that are missing in a collective.
    using Key = std::tuple<std::uint64_t, std::uint64_t, char>;
    template <class Missing>
    int one_missing(const Key& key, Missing&& missing) {
        const auto found = missing_.find(key);
        return found != missing_.end() ? found->second
                                       : missing_.emplace(key, one_of(missing())).first->second;
    }

    // Where some wrote nothing, these can be members.
    Ranks members_of(const WatchedComm& comm) const {
        if (comm.size == hang_.size) {
            return all_;
        }
        Ranks members = members_.at(comm.id);
        if (members.size() < index(comm.size)) {
            std::copy_if(all_.begin(), all_.end(), std::back_inserter(members),
                         [&](int rank) { return process_of(rank) == nullptr; });
        }
        return members;
    }

    // Those that cannot run, or of which has_come(process) is false.
    template <class HasCome>
    Ranks ranks_without(const Ranks& ranks, HasCome&& has_come) const {
        Ranks missing;
        std::copy_if(ranks.begin(), ranks.end(), std::back_inserter(missing), [&](int rank) {
            const WatchedProcess* const process = process_of(rank);
            return process == nullptr || !has_come(*process) ||
                   (!can_run(*process) && process->state != 'F');
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
                         const auto threads = threads_of(process);
                         return !std::all_of(threads.begin(), threads.end(), is_outside);
                     });
    }

    const Hang& hang_;
    Ranks all_;
    std::vector<std::optional<Cause>> causes_;  // by rank
    Ranks next_;
    std::vector<bool> is_awaited_;
    std::map<std::uint64_t, Ranks> members_;  // that have it in their records
    std::map<Key, int> missing_;
};

// Members in other functions of one number; or in an earlier one that all have begun.
std::vector<Mismatch> find_mismatches(const Hang& hang, const Waits& waits) {
    std::map<std::uint64_t, Mismatch> by_comm;
    for (const auto& [rank, process] : hang.processes) {
        for (const WatchedThread& thread : threads_of(process)) {
            const WatchedComm* const comm = comm_of(thread.waits[0], process);
            if (thread.num_waits == 1 && thread.waits[0].what == 'c' && comm != nullptr &&
                can_run(process)) {
                Mismatch& mismatch = by_comm[comm->id];
                mismatch.comm = *comm;
                mismatch.groups[{thread.waits[0].number, thread.function}].push_back(rank);
            }
        }
    }
    std::vector<Mismatch> found;
    for (auto& [id, mismatch] : by_comm) {
        const auto& [first, first_ranks] = *mismatch.groups.begin();
        const auto second = std::next(mismatch.groups.begin());
        if (second != mismatch.groups.end() &&
            (second->first.first == first.first || waits.next(first_ranks.front()) < 0)) {
            found.push_back(std::move(mismatch));
        }
    }
    return found;
}

}  // namespace

HangFindings find_in(const Hang& hang) {
    const Waits waits(hang);
    HangFindings findings = {find_mismatches(hang, waits), {}, waits.causes_of_waits()};
    if (findings.mismatches.empty()) {
        findings.cycles = waits.cycles();
    }
    const auto first_unsure = findings.causes.lower_bound(Cause::kPolling);
    if (first_unsure != findings.causes.begin() || !findings.mismatches.empty() ||
        !findings.cycles.empty()) {
        findings.causes.erase(first_unsure, findings.causes.end());
    }
    return findings;
}

}  // namespace hitopo::tool
