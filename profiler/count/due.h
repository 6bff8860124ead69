// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// When this process is to write its part by itself (hitopo_prof_every): in the first call that begins or
// ends so long after the last time, or after SIGTERM. All that a call compares for it is one number,
// with a tick that it has read anyway.
#ifndef PROFILER_COUNT_DUE_H
#define PROFILER_COUNT_DUE_H

#include <atomic>
#include <cstdint>

namespace hitopo::profile {

inline constexpr std::uint64_t kNeverDue = UINT64_MAX;

// The tick from which on it is due. 0 after SIGTERM: in any call, also in one that is not timed.
extern std::atomic<std::uint64_t> due_tick;

inline bool is_due(std::uint64_t tick) { return tick >= due_tick.load(std::memory_order_relaxed); }

// From now on; every_ticks: kNeverDue for SIGTERM alone. Handles SIGTERM where the program does not,
// until stop_due. What forked children get, and what comes a second or more after the first, has the
// usual effect.
void start_due(std::uint64_t every_ticks);
void stop_due();

// The next time, after this one.
void restart_due();

// Whether SIGTERM has come.
bool is_terminated();

// What SIGTERM does by default.
void end_by_sigterm();

}  // namespace hitopo::profile

#endif
