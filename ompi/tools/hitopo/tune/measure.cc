// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/tune/measure.h"

#include <algorithm>
#include <memory>

#include "ompi/mca/coll/hitopo/core/groups.h"
#include "ompi/tools/hitopo/coll_settings.h"

namespace hitopo::tool {
namespace {

constexpr int kTag = 0;
constexpr int kPings = 9;
constexpr int kBurst = 16;
constexpr int kRounds = 3;
constexpr std::size_t kBlock = 32768;
constexpr int kMostBlocks = 4096;
constexpr double kLongEnoughUs = 100000;  // that buffers on the way count no more
constexpr double kBudgetUs = 8e6;         // after which no other collective is begun

double now_us() { return MPI_Wtime() * 1e6; }

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

double greatest(double own, MPI_Comm comm) {
    double all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, comm);  // collective
    return all;
}

// The links between the children of one group, as its members measure them at the same time. A process
// that has no such group takes part in what is collective.
class Probe {
public:
    Probe(MPI_Comm comm, const coll::Groups& groups, const coll::Group* group)
        : comm_(comm),
          groups_(groups),
          group_(group),
          index_(group == nullptr ? 0 : groups.own_position() - group->child(group->own).first) {}

    // Half of there and back, of the first process of child 0 and that of child 1; nobody else sends.
    double latency_us() {
        if (group_ == nullptr || index_ != 0 || group_->own > 1) {
            return 0;
        }
        const int peer = groups_.rank_of(group_->child(1 - group_->own).first);
        std::vector<double> times;
        for (int i = 0; i < kPings; ++i) {
            char byte = 0;
            const double begin = now_us();
            if (group_->own == 0) {
                MPI_Send(&byte, 1, MPI_CHAR, peer, kTag, comm_);
                MPI_Recv(&byte, 1, MPI_CHAR, peer, kTag, comm_, MPI_STATUS_IGNORE);
            } else {
                MPI_Recv(&byte, 1, MPI_CHAR, peer, kTag, comm_, MPI_STATUS_IGNORE);
                MPI_Send(&byte, 1, MPI_CHAR, peer, kTag, comm_);
            }
            times.push_back((now_us() - begin) / 2);
        }
        return median(times);
    }

    // The time of each byte that goes into a child. Collective.
    double us_per_byte(double latency_us) {
        int num = 1;
        double us = to_next_child(num, kBlock);
        while (greatest(us, comm_) < kLongEnoughUs && num < kMostBlocks) {
            us = to_next_child(num *= 2, kBlock);
        }
        std::vector<double> times = {us};
        for (int i = 1; i < kRounds; ++i) {
            times.push_back(to_next_child(num, kBlock));
        }
        const double bytes = static_cast<double>(kBlock) * num * num_coming();
        return bytes == 0 ? 0 : std::max(1e-6, (median(times) - latency_us) / bytes);
    }

    // The time of each of many messages. Collective.
    double message_us() { return to_next_child(kBurst, 1) / kBurst; }

private:
    int child(int further) const {
        return (group_->own + further + group_->num_children()) % group_->num_children();
    }
    int pairs_with(int other) const {
        return std::min(group_->child(group_->own).size(), group_->child(other).size());
    }
    int num_coming() const { return group_ == nullptr ? 0 : pairs_with(child(-1)); }
    int peer_in(int other) const { return groups_.rank_of(group_->child(other).first + index_); }

    // Messages of all processes to their like in the next child, so that what they share is loaded: how
    // long it takes until they are there. 0 where none come. Collective.
    double to_next_child(int num, std::size_t bytes) {
        std::vector<char> out(bytes), in(bytes * static_cast<std::size_t>(num));
        std::vector<MPI_Request> requests;
        MPI_Barrier(comm_);  // collective
        const double begin = now_us();
        const bool has_in = group_ != nullptr && index_ < num_coming();
        for (int i = 0; has_in && i < num; ++i) {
            requests.emplace_back();
            MPI_Irecv(&in[static_cast<std::size_t>(i) * bytes], static_cast<int>(bytes), MPI_CHAR,
                      peer_in(child(-1)), kTag, comm_, &requests.back());
        }
        for (int i = 0; group_ != nullptr && index_ < pairs_with(child(1)) && i < num; ++i) {
            requests.emplace_back();
            MPI_Isend(out.data(), static_cast<int>(bytes), MPI_CHAR, peer_in(child(1)), kTag, comm_,
                      &requests.back());
        }
        MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
        return has_in ? now_us() - begin : 0;
    }

    MPI_Comm comm_;
    const coll::Groups& groups_;
    const coll::Group* group_;
    int index_;  // in the own child
};

const coll::Group* group_at(const coll::Groups& groups, int level) {
    const auto found = std::find_if(groups.path().begin(), groups.path().end(),
                                    [&](const coll::Group& group) { return group.level == level; });
    return found == groups.path().end() ? nullptr : &*found;
}

// Collective.
void measure_links(MPI_Comm comm, const coll::Groups& groups, coll::Links& links) {
    for (int level = 0; level < coll::kNumDivisions; ++level) {
        if (groups.shape().max_children[static_cast<std::size_t>(level)] > 1) {
            Probe probe(comm, groups, group_at(groups, level));
            MPI_Barrier(comm);  // collective
            const double latency_us = greatest(probe.latency_us(), comm);
            const double us_per_byte = greatest(probe.us_per_byte(latency_us), comm);
            links[static_cast<std::size_t>(level)] = {latency_us, 1 / us_per_byte,
                                                      greatest(probe.message_us(), comm)};
        }
    }
}

struct Candidate {
    const char* name;
    coll::Pattern pattern;
    void (*call)(MPI_Comm comm, int size, char* from, char* to, int bytes);
};

const Candidate kCandidates[] = {
    {"bcast", coll::Pattern::kFromRoot,
     [](MPI_Comm comm, int, char* from, char*, int bytes) {
         MPI_Bcast(from, bytes, MPI_CHAR, 0, comm);
     }},
    {"reduce", coll::Pattern::kToRoot,
     [](MPI_Comm comm, int, char* from, char* to, int bytes) {
         MPI_Reduce(from, to, bytes / 8, MPI_INT64_T, MPI_SUM, 0, comm);
     }},
    {"allreduce", coll::Pattern::kThereAndBack,
     [](MPI_Comm comm, int, char* from, char* to, int bytes) {
         MPI_Allreduce(from, to, bytes / 8, MPI_INT64_T, MPI_SUM, comm);
     }},
    {"allgather", coll::Pattern::kFromEach,
     [](MPI_Comm comm, int size, char* from, char* to, int bytes) {
         MPI_Allgather(from, bytes / size, MPI_CHAR, to, bytes / size, MPI_CHAR, comm);
     }},
};

// The least of a few at the slowest process. Collective.
double time_of(const Candidate& candidate, MPI_Comm comm, int bytes) {
    int size = 1;
    MPI_Comm_size(comm, &size);
    std::vector<char> from(static_cast<std::size_t>(bytes)), to(from.size());
    double least = 0;
    for (int i = 0; i < kRounds; ++i) {
        MPI_Barrier(comm);  // collective
        const double begin = now_us();
        candidate.call(comm, size, from.data(), to.data(), bytes);
        const double us = greatest(now_us() - begin, comm);
        least = i == 0 ? us : std::min(least, us);
    }
    return least;
}

}  // namespace

Tuning measure(MPI_Comm comm, const std::vector<std::int32_t>& addresses, int num_leaders) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    const std::vector<const std::int32_t*> rows = rows_in(addresses);
    const coll::Groups groups(
        std::make_shared<coll::RowPositions>(rows.data(), static_cast<int>(rows.size())), rank);
    Tuning tuning;
    tuning.shape = groups.shape();
    tuning.is_on_one_node = !coll::has_several_nodes(groups);
    const double begin = now_us();
    measure_links(comm, groups, tuning.links);
    for (const int bytes : {65536, 262144, 1048576}) {
        for (const Candidate& candidate : kCandidates) {
            if (greatest(now_us() - begin, comm) < kBudgetUs) {
                const auto length = static_cast<std::size_t>(bytes);
                const coll::Choice choice = coll::choose(groups.shape(), tuning.links, candidate.pattern,
                                                         length, 8, num_leaders);
                tuning.timings.push_back(
                    {candidate.name, length, time_of(candidate, comm, bytes), choice.us});
            }
        }
    }
    return tuning;
}

}  // namespace hitopo::tool
