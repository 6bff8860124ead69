// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The profiler's time: the processor's counter where it has a steady one, which costs a third of asking
// the operating system.
#ifndef OMPI_PROFILE_CLOCK_H
#define OMPI_PROFILE_CLOCK_H

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

// How long a tick is, from the time that has passed since this was made.
class TickRate {
public:
    TickRate() : first_tick_(ticks()), first_ns_(steady_ns()) {}

    std::uint64_t elapsed_ns() const { return steady_ns() - first_ns_; }

    double ns_per_tick() const {
        const std::uint64_t passed = ticks() - first_tick_;
        return passed == 0 ? 1.0 : static_cast<double>(elapsed_ns()) / static_cast<double>(passed);
    }

private:
    std::uint64_t first_tick_;
    std::uint64_t first_ns_;
};

}  // namespace hitopo::profile

#endif
