// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo check --links`, as far as it needs MPI.
#include <mpi.h>

#include <algorithm>

#include "ompi/tools/hitopo/links/links.h"
#include "ompi/tools/hitopo/tune/ping.h"

namespace hitopo::tool {
namespace {

constexpr int kTag = 0, kPings = 9;
constexpr std::size_t kWindow = 8;  // blocks on the way
constexpr double kFirstBlock = 4096, kLeastBlock = 2048, kMostBlock = 1 << 20;
constexpr double kRepetitions = 12;  // that there is time for, as far as pairs take no longer than this
constexpr double kLeastUs = 2000, kMostUs = 50000;

// The peer receives blocks for so long, then an empty one for each that it waits for. Synchronous sends
// bound what is on the way, however slow the link is.
void send_blocks(int peer, const std::vector<char>& block, double us) {
    MPI_Request requests[kWindow];
    std::fill(std::begin(requests), std::end(requests), MPI_REQUEST_NULL);
    const double end = now_us() + us;
    for (std::size_t i = 0; i < kWindow || now_us() < end; ++i) {
        MPI_Wait(&requests[i % kWindow], MPI_STATUS_IGNORE);
        MPI_Issend(block.data(), static_cast<int>(block.size()), MPI_CHAR, peer, kTag, MPI_COMM_WORLD,
                   &requests[i % kWindow]);
    }
    for (MPI_Request& request : requests) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Isend(nullptr, 0, MPI_CHAR, peer, kTag, MPI_COMM_WORLD, &request);
    }
    MPI_Waitall(kWindow, requests, MPI_STATUSES_IGNORE);
}

// MB/s from the end of the first block to that of the last.
double receive_blocks(int peer, std::size_t length) {
    std::vector<char> blocks(kWindow * length);
    MPI_Request requests[kWindow];
    const auto receive = [&](std::size_t i) {
        MPI_Irecv(&blocks[i * length], static_cast<int>(length), MPI_CHAR, peer, kTag, MPI_COMM_WORLD,
                  &requests[i]);
    };
    for (std::size_t i = 0; i < kWindow; ++i) {
        receive(i);
    }
    double begin = 0, end = 0, bytes = 0;
    for (std::size_t i = 0;; i = (i + 1) % kWindow) {
        MPI_Status status;
        int num = 0;
        MPI_Wait(&requests[i], &status);
        MPI_Get_count(&status, MPI_CHAR, &num);
        if (num == 0) {
            break;
        }
        end = now_us();
        bytes += begin == 0 ? 0 : num;
        begin = begin == 0 ? end : begin;
        receive(i);
    }
    MPI_Waitall(kWindow, requests, MPI_STATUSES_IGNORE);
    return bytes / std::max(1e-3, end - begin);
}

// One round of this process with its peer.
LinkValue measure_pair(int peer, bool is_first, std::size_t length, double us) {
    const std::vector<double> trips = half_trips_us(kPings, peer, is_first, MPI_COMM_WORLD);
    LinkValue value{*std::min_element(trips.begin(), trips.end()), 0};
    const std::vector<char> block(length);
    for (const bool sends : {is_first, !is_first}) {
        if (sends) {
            send_blocks(peer, block, us);
        } else {
            value.mb_per_s = receive_blocks(peer, length);
        }
    }
    return value;
}

void keep_best(LinkValue& best, const LinkValue& value) {
    best.us = best.us == 0 ? value.us : std::min(best.us, value.us);
    best.mb_per_s = std::max(best.mb_per_s, value.mb_per_s);
}

struct Peer {
    int rank = -1;  // none
    bool is_first = false;
};

// The peer of `rank` in each round.
std::vector<Peer> peers_of(int rank, const MeasuredLinks& links) {
    std::vector<Peer> peers(links.rounds.size());
    for (std::size_t round = 0; round < peers.size(); ++round) {
        for (const auto& [a, b] : links.rounds[round].pairs) {
            const int first = links.ends[static_cast<std::size_t>(a)].rank;
            const int second = links.ends[static_cast<std::size_t>(b)].rank;
            if (rank == first || rank == second) {
                peers[round] = {rank == first ? second : first, rank == first};
            }
        }
    }
    return peers;
}

// By round and part. The first repetition makes connections and finds the length of blocks. All
// processes leave together. Collective.
std::vector<LinkValue> measure_rounds(const std::vector<Peer>& peers, MPI_Comm comm, double us) {
    const std::size_t num = peers.size();
    const double end = now_us() + us;
    const double each_us =
        std::clamp(us / (2 * kRepetitions * static_cast<double>(num)), kLeastUs, kMostUs);
    std::vector<LinkValue> first(num), values(num * kLinkParts);
    std::vector<double> lengths(num, kFirstBlock);
    for (std::size_t repetition = 0;; ++repetition) {
        for (std::size_t round = 0; round < num; ++round) {
            if (greatest(now_us() < end ? 0 : 1, comm) > 0) {  // collective
                return values;
            }
            const auto [peer, is_first] = peers[round];
            if (peer >= 0) {
                keep_best(
                    repetition == 0 ? first[round]
                                    : values[round * kLinkParts + repetition % kLinkParts],
                    measure_pair(peer, is_first, static_cast<std::size_t>(lengths[round]), each_us));
            }
        }
        for (std::size_t round = 0; repetition == 0 && round < num; ++round) {
            const double bytes = greatest(first[round].mb_per_s, comm) * each_us;  // collective
            lengths[round] = std::clamp(bytes / 8 / kWindow, kLeastBlock, kMostBlock);
        }
    }
}

}  // namespace

void measure_links(MeasuredLinks& links, int seconds) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const bool is_end = std::any_of(links.ends.begin(), links.ends.end(),
                                    [&](const LinkEnd& end) { return end.rank == rank; });
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, is_end || rank == 0 ? 0 : MPI_UNDEFINED, rank, &comm);  // collective
    if (comm == MPI_COMM_NULL) {
        return;
    }
    const std::vector<LinkValue> own =
        measure_rounds(peers_of(rank, links), comm, seconds * 1e6);  // collective
    static_assert(sizeof(LinkValue) == 2 * sizeof(double));
    const int num = static_cast<int>(2 * own.size());
    MPI_Request request = MPI_REQUEST_NULL;
    if (is_end) {
        MPI_Isend(own.data(), num, MPI_DOUBLE, 0, kTag, MPI_COMM_WORLD, &request);
    }
    if (rank == 0) {
        links.values.resize(own.size() * links.ends.size());
        for (std::size_t end = 0; end < links.ends.size(); ++end) {
            MPI_Recv(&links.values[end * own.size()], num, MPI_DOUBLE, links.ends[end].rank, kTag,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
}

}  // namespace hitopo::tool
