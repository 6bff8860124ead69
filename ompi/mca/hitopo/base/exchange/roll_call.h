// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Whether all of `size` processes are here, found by those that are: each looks up two others a round
// and passes on what it knows, so that log2(size) rounds do for what size look-ups did.
#ifndef OMPI_MCA_HITOPO_BASE_EXCHANGE_ROLL_CALL_H
#define OMPI_MCA_HITOPO_BASE_EXCHANGE_ROLL_CALL_H

#include <algorithm>

namespace hitopo {

// One process's part. In each round until is_over(), it sends lowest_missing() to to() and receives
// the same from from(), each unless that process is missing; it notes who is, and calls end_round.
//
// At the end all that are here know alike whether anyone is missing, and each knows one of the missing.
// Let a be missing and r here: r - a is a sum of the rounds' distances, so a chain of rounds leads from
// a to r. The one after the last missing process on it notices, and passes it on along the rest.
class RollCall {
public:
    RollCall(int rank, int size) : rank_(rank), size_(size), lowest_missing_(size) {}

    bool is_over() const { return distance_ >= size_; }
    int to() const { return static_cast<int>((rank_ + distance_) % size_); }
    int from() const { return static_cast<int>((rank_ - distance_ + size_) % size_); }
    bool is_anyone_missing() const { return lowest_missing_ < size_; }
    // The lowest rank that it has heard of as missing; `size` for none.
    int lowest_missing() const { return lowest_missing_; }

    // A missing process, or the lowest_missing() of another.
    void note_missing(int rank) { lowest_missing_ = std::min(lowest_missing_, rank); }
    void end_round() { distance_ *= 2; }

private:
    long rank_;
    long size_;
    long distance_ = 1;
    int lowest_missing_;
};

}  // namespace hitopo

#endif
