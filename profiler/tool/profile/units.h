// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Counts, bytes and times as people read them: three digits and a unit. Where a value rounds up to the
// next unit, it has that one.
#ifndef PROFILER_TOOL_PROFILE_UNITS_H
#define PROFILER_TOOL_PROFILE_UNITS_H

#include <cstdint>
#include <string>

namespace hitopo::tool {

// "0 B", "1023 B", "1.50 KiB", "12.3 MiB", .. "16.0 EiB".
std::string human_bytes(std::uint64_t bytes);

// As they are below 100000; then "123 k", "1.23 M", .. "18.4 E".
std::string human_count(std::uint64_t count);

// "12 ns", "1.20 us", "3.40 ms", "12.3 s", "4321 s".
std::string human_ns(std::uint64_t ns);

// "37 %", "<1 %", ">999 %".
std::string percent_text(double part);

}  // namespace hitopo::tool

#endif
