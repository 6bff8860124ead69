// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Which calls of a thread are timed. To read the clock twice costs half a short message, so among calls
// that take less than a microsecond one of sixteen is timed, chosen at random, and stands for them all;
// each sum stays right on average. After a longer call, all are timed until there were 64 short ones in
// a row.
#ifndef PROFILER_TRAFFIC_SAMPLING_H
#define PROFILER_TRAFFIC_SAMPLING_H

#include <cstdint>

namespace hitopo {

// Plain, so that it can be a thread's: all zero at first.
struct Sampling {
    static constexpr std::uint64_t kLongTicks = 3000;  // about a microsecond
    static constexpr std::uint32_t kManyShort = 64;
    static constexpr std::uint32_t kMeanGap = 16;

    // Whether the next call is timed: ask once for each.
    bool is_timed() { return num_skipped == 0 || num_skipped-- == 0; }

    // What a timed call counts for that took so many ticks.
    std::uint64_t weigh(std::uint64_t passed) {
        const std::uint64_t weight = num_short >= kManyShort ? kMeanGap : 1;
        num_short = passed >= kLongTicks ? 0 : num_short < kManyShort ? num_short + 1 : num_short;
        if (num_short >= kManyShort) {
            // Linear congruential: Numerical Recipes' quick one. Gaps of 1 to 31, 16 on average.
            random = random * 1664525u + 1013904223u;
            num_skipped = (random >> 8) % (2 * kMeanGap - 1);
        }
        return weight * passed;
    }

    std::uint32_t num_skipped;  // still to come
    std::uint32_t num_short;    // in a row
    std::uint32_t random;
};

}  // namespace hitopo

#endif
