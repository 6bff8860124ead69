// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A profile in words, and counts, bytes and times as people read them: three digits and a unit. Where a
// value rounds up to the next unit, it has that one.
#ifndef PROFILER_TOOL_PROFILE_PHRASES_H
#define PROFILER_TOOL_PROFILE_PHRASES_H

#include <cstdint>
#include <string>

#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "profiler/tool/profile/profile.h"

namespace hitopo::tool {

// "0 B", "1023 B", "1.50 KiB", "12.3 MiB", .. "16.0 EiB".
std::string human_bytes(std::uint64_t bytes);

// As they are below 100000; then "123 k", "1.23 M", .. "18.4 E".
std::string human_count(std::uint64_t count);

// "12 ns", "1.20 us", "3.40 ms", "12.3 s", "4321 s".
std::string human_ns(std::uint64_t ns);

// "37 %", "<1 %", ">999 %".
std::string percent_text(double part);

// ---- profiles ----

// "32 processes, 8 nodes, 4 switches", as far as the table knows.
std::string job_phrase(const Profile& profile);

// The moment of its writing: "at MPI_Finalize", "as snapshot 2", "as 3 of 4 parts".
std::string moment_phrase(const Profile& profile);

// A sentence: the profile has no pairs, since the job has more than so many processes, and the remedy.
std::string no_pairs_phrase(int max_peers);

// ---- orders of grids and graphs ----

// "applied (k-d tree)", "not applied (k-d tree)", "nothing to gain".
std::string outcome_phrase(const OrderCount& order, Charset charset);

// "pairs of neighbours", "weights".
std::string unit_phrase(const OrderCount& order);

// "island 8 -> 8, switch 56 -> 24 (-57 %)".
std::string crossings_phrase(const OrderCount& order, Charset charset);

}  // namespace hitopo::tool

#endif
