// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Processes that each have a contribution, such as the leaders of nodes, exchange them until all have
// the sum: recursive doubling, or by more than two at once. In each round, a process sends what it has
// to a few others, which send it theirs, and all of these merge alike: all have equal bits. Processes
// that are too many for whole rounds hand theirs to another before, and get the sum behind.
#ifndef OMPI_MCA_COLL_HITOPO_CORE_ROUNDS_H
#define OMPI_MCA_COLL_HITOPO_CORE_ROUNDS_H

#include <vector>

namespace hitopo::coll {

// One process in one round.
struct Round {
    std::vector<int> peers;  // ascending: contributions are merged in this order
    int own = 0;  // peers before this process's own contribution; kNobody: the peer's is the sum
    bool sends = false, receives = false;  // to all peers, from all
};

class Rounds {
public:
    // num: of processes, which are numbered from 0 on, near ones one behind the other. radix: processes
    // that exchange in a round at most; 2 or more.
    Rounds(int num, int radix);

    // Replaces `round`, whose memory serves again; false: behind the last.
    bool find(int own, int index, Round& round) const;

    int radix() const { return radix_; }
    // Processes that exchange in each whole round; the largest first, which is of the nearest.
    const std::vector<int>& radices() const { return radices_; }
    bool has_more() const { return num_more_ > 0; }  // processes than in whole rounds

private:
    int radix_, num_more_;
    std::vector<int> radices_;
};

}  // namespace hitopo::coll

#endif
