// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The job's course: from MPI_Init to the report in MPI_Finalize.
#ifndef PROFILER_JOB_H
#define PROFILER_JOB_H

#include <atomic>
#include <cstdint>
#include <string>

namespace hitopo::profile {

// Whether threads may call MPI at the same time.
extern bool has_threads;

// The ticks by which a call's time is too long.
extern std::uint64_t cost_of_ticks;

// The time since MPI_Init.
std::uint64_t ns_of(std::uint64_t ticks);
std::uint64_t elapsed_ns();

// From this tick on the process is to write its part by itself (hitopo_prof_every): in the first call
// that is timed and ends so late.
extern std::atomic<std::uint64_t> due_tick;
inline bool is_due(std::uint64_t tick) { return tick >= due_tick.load(std::memory_order_relaxed); }
// Writes it, unless another thread does right now. Local; thread safe.
void write_own_part() noexcept;

// MPI_Pcontrol: 0 stops counting in this process, 1 goes on, 2 takes a snapshot of this process, which
// is written in MPI_Finalize. Local; thread safe. Other levels are other tools'.
void control(int level) noexcept;

// The warning about another tool that stands between the program and the profiler; "" where there is
// none. Local; the profiler is up, so MPI_Init came here.
std::string complaint_of_other_tool();

}  // namespace hitopo::profile

#endif
