// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Which calls of a thread are timed. To read the clock twice costs half a short message, so among calls
// that take less than a microsecond one of sixteen is timed, chosen at random, and stands for them all;
// each sum stays right on average. After a longer call, all are timed until there were 64 short ones in
// a row.
#ifndef OMPI_PROFILE_SAMPLING_H
#define OMPI_PROFILE_SAMPLING_H

#include <cstdint>

#include "ompi/profile/clock.h"

namespace hitopo::profile {

class Sampling {
public:
    static constexpr std::uint64_t kNotTimed = 0;

    // The time, or kNotTimed.
    std::uint64_t begin() {
        if (num_skipped_ > 0) {
            --num_skipped_;
            return kNotTimed;
        }
        return ticks();
    }

    // How many ticks to count for a call that began at first_tick.
    std::uint64_t end(std::uint64_t first_tick) {
        return first_tick == kNotTimed ? 0 : end_of_timed(ticks() - first_tick);
    }

private:
    static constexpr std::uint64_t kLongTicks = 3000;  // about a microsecond
    static constexpr std::uint32_t kManyShort = 64;
    static constexpr std::uint32_t kMeanGap = 16;

    std::uint64_t end_of_timed(std::uint64_t passed) {
        const std::uint64_t weight = num_short_ >= kManyShort ? kMeanGap : 1;
        num_short_ = passed < kLongTicks ? num_short_ + (num_short_ < kManyShort ? 1 : 0) : 0;
        if (num_short_ >= kManyShort) {
            // Linear congruential: Numerical Recipes' quick one. Gaps of 1 to 31, 16 on average.
            random_ = random_ * 1664525u + 1013904223u;
            num_skipped_ = (random_ >> 8) % (2 * kMeanGap - 1);
        }
        return weight * passed;
    }

    std::uint32_t num_skipped_;  // still to come
    std::uint32_t num_short_;    // in a row
    std::uint32_t random_;
};

}  // namespace hitopo::profile

#endif
