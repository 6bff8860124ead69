// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo tune`, as far as it needs MPI.
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <memory>
#include <numeric>
#include <string>

#include "ompi/mca/coll/hitopo/core/groups.h"
#include "ompi/mca/coll/hitopo/core/settings.h"
#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/tools/hitopo/tune/tuning.h"

namespace hitopo::tool {
namespace {

constexpr int kTag = 0;
constexpr int kPings = 9;
constexpr int kBurst = 16;
constexpr int kRounds = 3;
constexpr std::size_t kBlock = 32768;
constexpr int kMostBlocks = 4096;
constexpr double kLongEnoughUs = 100000;  // that buffers on the way count no more
constexpr double kCollectiveUs = 200000;  // of one length
constexpr unsigned kTestEveryUs = 100;    // beside work
constexpr std::size_t kLeastTimes = 5, kMostTimes = 201;
constexpr int kRoots = 8;  // of those that have one
constexpr std::size_t kLongestInRow = 16384;
constexpr int kInRow = 5;  // short ones: the barrier before them is as long as one

double now_us() { return MPI_Wtime() * 1e6; }

double greatest(double own, MPI_Comm comm) {
    double all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, comm);  // collective
    return all;
}

// The links between the children of one group, as its members measure them at the same time. A process
// that has no such group takes part in collective calls.
class Probe {
public:
    Probe(MPI_Comm comm, const coll::Groups& groups, const coll::Group* group)
        : comm_(comm),
          groups_(groups),
          group_(group),
          index_(group == nullptr ? 0 : groups.own_position() - group->child(group->own).first) {}

    // Half of there and back, of the first process of child 0 and that of child 1; no other one sends.
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
        return interval_of(times).median;
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
        return bytes == 0 ? 0 : std::max(1e-6, (interval_of(times).median - latency_us) / bytes);
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

    // Messages of all processes to their like in the next child, so that the links that they share are
    // loaded: the time until they are there. 0 where none come. Collective.
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

// Collective.
void measure_links(MPI_Comm comm, const coll::Groups& groups, coll::Links& links) {
    for (int level = 0; level < coll::kNumDivisions; ++level) {
        if (groups.shape().max_children[static_cast<std::size_t>(level)] > 1) {
            const auto group =
                std::find_if(groups.path().begin(), groups.path().end(),
                             [&](const coll::Group& each) { return each.level == level; });
            Probe probe(comm, groups, group == groups.path().end() ? nullptr : &*group);
            MPI_Barrier(comm);  // collective
            const double latency_us = greatest(probe.latency_us(), comm);
            const double us_per_byte = greatest(probe.us_per_byte(latency_us), comm);
            links[static_cast<std::size_t>(level)] = {latency_us, 1 / us_per_byte,
                                                      greatest(probe.message_us(), comm)};
        }
    }
}

// The progress, word by word: a launcher hides whether there is a terminal.
void tell(MPI_Comm comm, const std::string& word) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        std::fputs((word + (word.back() == '\n' ? "" : " ")).c_str(), stderr);
    }
}

// By the names that Open MPI has for hosts. Collective.
bool are_on_one_host(MPI_Comm comm) {
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    int length = 0;
    MPI_Get_processor_name(name, &length);
    const auto hash = static_cast<double>(static_cast<std::uint32_t>(hash_bytes(name)));
    return greatest(hash, comm) == -greatest(-hash, comm);  // collective
}

constexpr int kPairBytes = 64;  // of alltoallv

struct Call {
    Call(MPI_Comm comm, int root, std::vector<char>& from, std::vector<char>& to, MPI_Request* request)
        : comm(comm),
          root(root),
          from(from.data()),
          to(to.data()),
          bytes(static_cast<int>(from.size())),
          request(request) {
        MPI_Comm_size(comm, &size);
        counts.assign(static_cast<std::size_t>(size), kPairBytes);
        begins.assign(counts.size(), 0);
        std::partial_sum(counts.begin(), counts.end() - 1, begins.begin() + 1);
    }

    // The one function, or with a request the other.
    template <class Blocking, class Nonblocking, class... Arguments>
    void start(Blocking blocking, Nonblocking nonblocking, Arguments... arguments) const {
        if (request == nullptr) {
            blocking(arguments..., comm);
        } else {
            nonblocking(arguments..., comm, request);
        }
    }

    MPI_Comm comm;
    int size = 1;  // of comm
    int root;
    char *from, *to;
    int bytes;
    MPI_Request* request;             // NULL: the call blocks
    std::vector<int> counts, begins;  // of alltoallv: kPairBytes for each process
};

struct Collective {
    int unit;  // bytes are a multiple of it for each process
    void (*start)(const Call& call);
};

// In the order of kServedKinds: those that block, and once more those that do not.
const Collective kCollectives[] = {
    {0, [](const Call& c) { c.start(MPI_Bcast, MPI_Ibcast, c.from, c.bytes, MPI_CHAR, c.root); }},
    {0,
     [](const Call& c) {
         c.start(MPI_Reduce, MPI_Ireduce, c.from, c.to, c.bytes / 8, MPI_INT64_T, MPI_SUM, c.root);
     }},
    {0,
     [](const Call& c) {
         c.start(MPI_Allreduce, MPI_Iallreduce, c.from, c.to, c.bytes / 8, MPI_INT64_T, MPI_SUM);
     }},
    {1,
     [](const Call& c) {
         const int bytes = c.bytes / c.size;
         c.start(MPI_Allgather, MPI_Iallgather, c.from, bytes, MPI_CHAR, c.to, bytes, MPI_CHAR);
     }},
    {8,
     [](const Call& c) {
         c.start(MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block, c.from, c.to, c.bytes / c.size / 8,
                 MPI_INT64_T, MPI_SUM);
     }},
    {1,
     [](const Call& c) {
         const int bytes = c.bytes / c.size;
         c.start(MPI_Alltoall, MPI_Ialltoall, c.from, bytes, MPI_CHAR, c.to, bytes, MPI_CHAR);
     }},
    {0, [](const Call& c) { c.start(MPI_Barrier, MPI_Ibarrier); }},
    {kPairBytes,
     [](const Call& c) {
         const int *counts = c.counts.data(), *begins = c.begins.data();
         c.start(MPI_Alltoallv, MPI_Ialltoallv, c.from, counts, begins, MPI_CHAR, c.to, counts, begins,
                 MPI_CHAR);
     }},
};
static_assert(std::size(kCollectives) == coll::kNumBlocking);

// The same collectives of the same processes, without coll/hitopo and with it.
struct Pair {
    MPI_Comm without = MPI_COMM_NULL, with = MPI_COMM_NULL;
};

// The work of a program between start and wait. It sleeps rather than computes: a job may have more
// processes than processors.
void work(double us, MPI_Request& request) {
    const double end = now_us() + us;
    for (double left = us; left > 0; left = end - now_us()) {
        int is_complete = 0;
        if (left >= kTestEveryUs) {
            usleep(kTestEveryUs);
        }
        while (left < kTestEveryUs && now_us() < end) {
        }
        MPI_Test(&request, &is_complete, MPI_STATUS_IGNORE);
    }
}

// The time of one call at the slowest process, with work_us of work if it does not block. Collective.
double us_of(std::size_t kind, MPI_Comm comm, const Pair& pair, int root, double work_us,
             std::vector<char>& from, std::vector<char>& to) {
    const int num = from.size() <= kLongestInRow ? kInRow : 1;
    MPI_Request request = MPI_REQUEST_NULL;
    const bool is_blocking = kind < coll::kNumBlocking;
    const Call call(comm, root, from, to, is_blocking ? nullptr : &request);
    MPI_Barrier(pair.without);  // collective
    const double begin = now_us();
    for (int i = 0; i < num; ++i) {
        kCollectives[kind % coll::kNumBlocking].start(call);
        if (!is_blocking) {
            work(work_us, request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
    return greatest((now_us() - begin) / num, pair.without);
}

// Measures in turn, with each root and each order of the two. A nonblocking call has work of half the
// time that it takes without coll/hitopo. Collective.
Timing time_of(std::size_t kind, const Pair& pair, std::size_t bytes) {
    int size = 1;
    MPI_Comm_size(pair.without, &size);
    std::vector<char> from(bytes), to(bytes);
    std::vector<double> at_once, without, with, ratios;
    const double begin = now_us();
    for (std::size_t i = 0; kind >= coll::kNumBlocking && i < kLeastTimes; ++i) {
        at_once.push_back(us_of(kind, pair.without, pair, 0, 0, from, to));
    }
    const double work_us = at_once.empty() ? 0 : interval_of(at_once).median / 2;
    int goes_on = 1;
    for (int round = 0; goes_on != 0; ++round) {
        const int root = round % kRoots * size / kRoots;
        const bool is_with_first = round / kRoots % 2 == 0;
        const auto us = [&](MPI_Comm comm) { return us_of(kind, comm, pair, root, work_us, from, to); };
        const double first = us(is_with_first ? pair.with : pair.without);
        const double second = us(is_with_first ? pair.without : pair.with);
        with.push_back(is_with_first ? first : second);
        without.push_back(is_with_first ? second : first);
        ratios.push_back(with.back() / std::max(1e-3, without.back()));
        goes_on = ratios.size() < kLeastTimes ||
                  (ratios.size() < kMostTimes && now_us() - begin < kCollectiveUs);
        MPI_Bcast(&goes_on, 1, MPI_INT, 0, pair.without);  // collective
    }
    return {kind, bytes, interval_of(without).median, interval_of(with).median, interval_of(ratios)};
}

// is_on_one_node: only collectives that may be served there. Collective.
std::vector<Timing> time_all(const Pair& pair, bool is_on_one_node) {
    int size = 1;
    MPI_Comm_size(pair.without, &size);
    std::vector<Timing> timings;
    for (std::size_t kind = 0; kind < coll::kServedKinds.size(); ++kind) {
        tell(pair.without, std::string(coll::kServedKinds[kind]));
        const auto least = static_cast<std::size_t>(kCollectives[kind % coll::kNumBlocking].unit) *
                           static_cast<std::size_t>(size);
        std::vector<char> from(std::max<std::size_t>(8, least)), to(from.size());
        for (int root = 0; root < kRoots; ++root) {  // makes connections
            for (MPI_Comm comm : {pair.without, pair.with}) {
                (void)us_of(kind, comm, pair, root * size / kRoots, 0, from, to);
            }
        }
        for (const std::size_t bytes : kTunedBytes) {
            if (bytes < least || (is_on_one_node && !coll::may_be_shared(kind, bytes))) {
                continue;
            }
            timings.push_back(time_of(kind, pair, bytes));
            if (!coll::has_length(kind)) {
                timings.back().bytes = 1;
                break;
            }
        }
    }
    return timings;
}

// Whether there is such a variable, and it can be set. Communicators that are made afterwards go by it.
bool set_variable(const char* name, const std::string& value) {
    int provided = 0, index = 0, count = 0;
    if (MPI_T_init_thread(MPI_THREAD_SINGLE, &provided) != MPI_SUCCESS) {
        return false;
    }
    MPI_T_cvar_handle handle = MPI_T_CVAR_HANDLE_NULL;
    bool is_set = MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS &&
                  MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) == MPI_SUCCESS;
    if (is_set) {
        is_set = MPI_T_cvar_write(handle, value.c_str()) == MPI_SUCCESS;
        MPI_T_cvar_handle_free(&handle);
    }
    MPI_T_finalize();
    return is_set;
}

Pair make_pair(MPI_Comm comm) {
    Pair pair;
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "ompi_comm_coll_preference", "^hitopo");
    MPI_Comm_dup_with_info(comm, info, &pair.without);  // collective
    MPI_Info_free(&info);
    MPI_Comm_dup(comm, &pair.with);  // collective
    return pair;
}

}  // namespace

Tuning measure(const std::vector<std::int32_t>& addresses, bool is_check, int share) {
    const MPI_Comm comm = MPI_COMM_WORLD;
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    const std::vector<const std::int32_t*> rows = rows_in(addresses);
    const coll::Groups groups(
        std::make_shared<coll::RowPositions>(rows.data(), static_cast<int>(rows.size())), rank);
    Tuning tuning;
    tuning.shape = groups.shape();
    const bool is_large = coll::shares_memory(tuning.shape, share);
    const bool is_on_one_node = !coll::has_several_nodes(tuning.shape);
    const int serves = !is_on_one_node || (rank == 0 && is_large) ? 1 : 0;
    tuning.is_on_small_node = greatest(serves, comm) == 0;           // collective
    tuning.is_simulated = !is_on_one_node && are_on_one_host(comm);  // collective
    tell(comm, "measuring: links");
    measure_links(comm, groups, tuning.links);
    const bool is_set =
        set_variable("coll_hitopo_serve", "all") &&
        (is_check || set_variable("coll_hitopo_links", coll::format_links(tuning.links, tuning.shape)));
    if (!tuning.is_on_small_node && greatest(is_set ? 0 : 1, comm) == 0) {
        Pair pair = make_pair(comm);
        tuning.timings = time_all(pair, is_on_one_node);
        MPI_Comm_free(&pair.without);
        MPI_Comm_free(&pair.with);
    }
    tell(comm, "done\n");
    return tuning;
}

}  // namespace hitopo::tool
