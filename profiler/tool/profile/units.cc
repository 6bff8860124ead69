// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/profile/units.h"

#include <fmt/format.h>

#include <vector>

namespace hitopo::tool {
namespace {

std::string three_digits(double value) {
    return fmt::format("{:.{}f}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

// `units` from the smallest on, each `step` times the one before; `limit` of one is already the next.
std::string scaled(std::uint64_t value, double step, double limit,
                   const std::vector<const char*>& units) {
    double rest = static_cast<double>(value);
    std::size_t unit = 0;
    for (; rest >= limit && unit + 1 < units.size(); ++unit) {
        rest /= step;
    }
    return unit == 0 ? fmt::format("{} {}", value, units[0])
                     : fmt::format("{} {}", three_digits(rest), units[unit]);
}

}  // namespace

std::string human_bytes(std::uint64_t bytes) {
    return scaled(bytes, 1024, 1023.5, {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"});
}

std::string human_count(std::uint64_t count) {
    return count < 100000 ? std::to_string(count)
                          : scaled(count, 1000, 999.5, {"", "k", "M", "G", "T", "P", "E"});
}

std::string human_ns(std::uint64_t ns) { return scaled(ns, 1000, 999.5, {"ns", "us", "ms", "s"}); }

std::string percent_text(double part) {
    return part > 0 && part < 0.01 ? "<1 %"
           : part > 9.99           ? ">999 %"
                                   : fmt::format("{:.0f} %", 100 * part);
}

}  // namespace hitopo::tool
