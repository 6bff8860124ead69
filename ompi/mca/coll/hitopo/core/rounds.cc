// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/rounds.h"

#include "ompi/mca/coll/hitopo/core/tree.h"

namespace hitopo::coll {
namespace {

// Factors of up to `most` each; what is left of num is 1 if there are such.
int divide(int num, int most, std::vector<int>& factors) {
    factors.clear();
    for (int factor = most; factor >= 2; --factor) {
        for (; num % factor == 0; num /= factor) {
            factors.push_back(factor);
        }
    }
    return num;
}

}  // namespace

// A power of two is found at more than half of num.
Rounds::Rounds(int num, int radix) : radix_(radix), num_more_(0) {
    while (divide(num - num_more_, radix, radices_) != 1) {
        ++num_more_;
    }
}

// Among the first 2 * num_more_, each odd one hands its contribution to the one before it.
bool Rounds::find(int own, int index, Round& round) const {
    const int num_whole = static_cast<int>(radices_.size()), num_around = has_more() ? 1 : 0;
    round.peers.clear();
    round.own = 0;
    round.sends = round.receives = false;
    if (index >= num_whole + 2 * num_around) {
        return false;
    }
    const bool is_paired = own < 2 * num_more_, is_odd = is_paired && own % 2 != 0;
    if (index < num_around || index >= num_whole + num_around) {
        if (is_paired) {
            const bool is_before = index < num_around;
            round.peers.push_back(is_odd ? own - 1 : own + 1);
            round.sends = is_odd == is_before;
            round.receives = !round.sends;
            round.own = round.receives && is_odd ? kNobody : 0;
        }
        return true;
    }
    if (is_odd) {
        return true;
    }
    round.sends = round.receives = true;
    int stride = 1;
    for (int r = 0; r < index - num_around; ++r) {
        stride *= radices_[static_cast<std::size_t>(r)];
    }
    const int radix = radices_[static_cast<std::size_t>(index - num_around)];
    const int whole = is_paired ? own / 2 : own - num_more_;  // its number among those of whole rounds
    round.own = whole / stride % radix;
    for (int i = 0; i < radix; ++i) {
        const int peer = whole + (i - round.own) * stride;
        if (i != round.own) {
            round.peers.push_back(peer < num_more_ ? 2 * peer : peer + num_more_);
        }
    }
    return true;
}

}  // namespace hitopo::coll
