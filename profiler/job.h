// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The job's course: from MPI_Init to the report in MPI_Finalize.
#ifndef PROFILER_JOB_H
#define PROFILER_JOB_H

#include <cstdint>
#include <string>

namespace hitopo::profile {

// Whether threads may call MPI at the same time.
extern bool has_threads;
// Whether what goes from one process to another is counted in all communicators (hitopo_prof_pairs).
extern bool counts_pairs;
// Either of them: a call takes more than a few additions.
extern bool adds_slowly;

// A call's time by ticks() is longer by this.
extern std::uint64_t cost_of_ticks;

// Since MPI_Init, so far.
std::uint64_t ns_of(std::uint64_t ticks);
std::uint64_t elapsed_ns();

// This process's part by itself, unless another thread writes it right now, or it was written after
// SIGTERM. Local; thread safe.
void write_own_part() noexcept;
// Ends the process once nobody writes.
void end_by_sigterm_when_written() noexcept;

// MPI_Pcontrol: 0 stops counting in this process, 1 goes on, 2 takes a snapshot of this process, which
// is written in MPI_Finalize. Local; thread safe. Other levels are other tools'.
void control(int level) noexcept;

// What the user should be told of another tool that stands between the program and the profiler; ""
// where there is none. Local; the profiler is up, so MPI_Init came here.
std::string complaint_of_other_tool();

}  // namespace hitopo::profile

#endif
