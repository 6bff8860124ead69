// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The profiler's time: the processor's counter where it has a steady one, which costs a third of asking
// the operating system. And which calls are timed.
#ifndef PROFILER_COUNT_CLOCK_H
#define PROFILER_COUNT_CLOCK_H

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace hitopo::profile {

inline std::uint64_t steady_ns() {
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::steady_clock::now().time_since_epoch())
                                          .count());
}

inline std::uint64_t ticks() {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    std::uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
#else
    return steady_ns();
#endif
}

// A time that is measured by ticks() includes reading them once: the least mean, since others may
// interrupt.
inline std::uint64_t find_cost_of_ticks() {
    constexpr std::uint64_t kTimes = 1000;
    std::uint64_t least = UINT64_MAX;
    for (int i = 0; i < 4; ++i) {
        const std::uint64_t first = ticks();
        std::uint64_t last = first;
        for (std::uint64_t j = 0; j < kTimes; ++j) {
            last = ticks();
        }
        least = std::min(least, (last - first) / kTimes);
    }
    return least;
}

// One moment by both clocks. A process that was interrupted between the two would take one time for
// another: of a few tries, the one that took least.
struct Moment {
    static Moment now() {
        Moment best = {};
        std::uint64_t least = UINT64_MAX;
        for (int i = 0; i < 4; ++i) {
            const std::uint64_t before = ticks();
            const std::uint64_t ns = steady_ns();
            const std::uint64_t took = ticks() - before;
            if (took < least) {
                least = took;
                best = {before, ns};
            }
        }
        return best;
    }

    std::uint64_t tick;
    std::uint64_t ns;
};

// The length of a tick, from the time that has passed since this was made.
class TickRate {
public:
    std::uint64_t elapsed_ns() const { return steady_ns() - first_.ns; }

    double ns_per_tick() const {
        const Moment last = Moment::now();
        const std::uint64_t passed = last.tick - first_.tick;
        return passed == 0 ? 1.0
                           : static_cast<double>(last.ns - first_.ns) / static_cast<double>(passed);
    }

private:
    const Moment first_ = Moment::now();
};

// The calls of a thread that are timed. To read the clock twice costs half a short message, so among
// calls that take less than a microsecond one of sixteen is timed, chosen at random, and stands for them
// all; each sum stays right on average. After a longer call, all are timed until there were 64 short
// ones in a row.
//
// Plain, so that it can be a thread's: all zero at first.
struct Sampling {
    static constexpr std::uint64_t kLongTicks = 3000;  // about a microsecond
    static constexpr std::uint32_t kManyShort = 64;
    static constexpr std::uint32_t kMeanGap = 16;

    // Whether the next call is timed: ask once for each.
    bool is_timed() { return num_skipped == 0 || num_skipped-- == 0; }

    // The number of calls that a timed one of so many ticks stands for.
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

}  // namespace hitopo::profile

#endif
