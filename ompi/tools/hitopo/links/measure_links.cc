// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo check --links`, as far as it needs MPI.
#include <mpi.h>

#include <algorithm>

#include "ompi/tools/hitopo/links/links.h"

namespace hitopo::tool {
namespace {

constexpr int kTag = 0, kTrips = 9;
constexpr std::size_t kWindow = 8;  // blocks on the way
constexpr double kFirstBlock = 1024, kMostBlock = 1 << 20;
constexpr double kRepetitions = 12, kWindows = 4, kMostUs = 25000;  // in all; each way; its time

// Windows of blocks from one to the other, which answers each, until the sender has taken so long: those
// of other pairs are under way meanwhile. The time of a window.
double window_us(int peer, bool sends, std::size_t num, std::size_t length, double us, char* memory) {
    std::vector<MPI_Request> requests(num);
    const auto size = static_cast<int>(length);
    const double begin = MPI_Wtime();
    for (double num_windows = 1;; ++num_windows) {
        memory[0] = (MPI_Wtime() - begin) * 1e6 >= us ? 1 : 0;  // tells the other that this is the last
        for (std::size_t i = 0; i < num; ++i) {
            char* const block = memory + i * length;
            sends ? MPI_Isend(block, size, MPI_CHAR, peer, kTag, MPI_COMM_WORLD, &requests[i])
                  : MPI_Irecv(block, size, MPI_CHAR, peer, kTag, MPI_COMM_WORLD, &requests[i]);
        }
        MPI_Waitall(static_cast<int>(num), requests.data(), MPI_STATUSES_IGNORE);
        sends ? MPI_Recv(nullptr, 0, MPI_CHAR, peer, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
              : MPI_Send(nullptr, 0, MPI_CHAR, peer, kTag, MPI_COMM_WORLD);
        if (memory[0] != 0) {
            return (MPI_Wtime() - begin) * 1e6 / num_windows;
        }
    }
}

// MB/s of the worse direction, and 1 / us: as the first finds it, for both.
std::array<double, 2> measure_pair(int peer, bool is_first, std::size_t length, double us,
                                   char* memory) {
    double trip_us = 1e9;
    for (int i = 0; i < kTrips; ++i) {
        trip_us = std::min(trip_us, window_us(peer, is_first, 1, 1, 0, memory));
    }
    double most_us = window_us(peer, is_first, kWindow, length, us, memory);
    most_us = std::max(most_us, window_us(peer, !is_first, kWindow, length, us, memory));
    std::array<double, 2> found = {static_cast<double>(kWindow * length) / most_us, 2 / trip_us};
    is_first ? MPI_Send(found.data(), 2, MPI_DOUBLE, peer, kTag, MPI_COMM_WORLD)
             : MPI_Recv(found.data(), 2, MPI_DOUBLE, peer, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return found;
}

}  // namespace

void measure_links(MeasuredLinks& links, int seconds) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const bool is_end = std::any_of(links.ends.begin(), links.ends.end(),
                                    [&](const LinkEnd& end) { return end.rank == rank; });
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, is_end ? 0 : MPI_UNDEFINED, rank, &comm);  // collective
    if (comm == MPI_COMM_NULL) {
        return;
    }
    const auto num_rounds = static_cast<double>(links.pairs.back().round + 1);
    const double each_us = std::min(kMostUs, seconds * 1e6 / kRepetitions / num_rounds / 2);
    const double end = MPI_Wtime() + seconds;
    std::vector<char> memory(kWindow * static_cast<std::size_t>(kMostBlock));
    std::vector<double> lengths(links.pairs.size(), kFirstBlock);
    links.values.resize(lengths.size());
    for (std::size_t turn = 0;; ++turn) {
        const std::size_t i = turn % lengths.size(), repetition = turn / lengths.size();
        const LinkPair& pair = links.pairs[i];
        if (i == 0 || pair.round != links.pairs[i - 1].round) {
            int is_over = MPI_Wtime() < end ? 0 : 1;
            MPI_Allreduce(MPI_IN_PLACE, &is_over, 1, MPI_INT, MPI_MAX, comm);  // collective
            if (is_over != 0) {
                break;
            }
        }
        const int first = links.ends[pair.first].rank, second = links.ends[pair.second].rank;
        if (rank == first || rank == second) {
            const std::array<double, 2> found =
                measure_pair(rank == first ? second : first, rank == first,
                             static_cast<std::size_t>(lengths[i]), each_us, memory.data());
            lengths[i] = std::clamp(found[0] * each_us / kWindow / kWindows, lengths[i], kMostBlock);
            // The first repetition makes connections, and its blocks are short.
            for (std::size_t kind = 0; repetition > 0 && kind < 2; ++kind) {
                double& best = links.values[i][kind][repetition % kNumLinkParts];
                best = std::max(best, found[kind]);
            }
        }
    }
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : links.values.data(), links.values.data(),
               static_cast<int>(2 * kNumLinkParts * lengths.size()), MPI_DOUBLE, MPI_MAX, 0,
               comm);  // collective
    MPI_Comm_free(&comm);
}

}  // namespace hitopo::tool
