// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/profile/phrases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "ompi/tools/hitopo/domain.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

// `units` from the smallest on, each `step` times the one before; `limit` of one is already the next.
std::string scaled(std::uint64_t value, double step, double limit,
                   const std::vector<const char*>& units) {
    double rest = static_cast<double>(value);
    std::size_t unit = 0;
    for (; rest >= limit && unit + 1 < units.size(); ++unit) {
        rest /= step;
    }
    const int num_decimals = rest < 9.995 ? 2 : rest < 99.95 ? 1 : 0;
    return unit == 0 ? fmt::format("{} {}", value, units[0])
                     : fmt::format("{:.{}f} {}", rest, num_decimals, units[unit]);
}

// " (-57 %)"; "" where nothing changes.
std::string change_phrase(std::uint64_t before, std::uint64_t after) {
    if (before == after) {
        return "";
    }
    if (before == 0) {
        return " (new)";
    }
    const double change = static_cast<double>(after) / static_cast<double>(before) - 1;
    return fmt::format(" ({:+.0f} %)", 100 * change);
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

std::string job_phrase(const Profile& profile) {
    return profile.table ? fmt::format("{}", fmt::join(job_counts(*profile.table), ", "))
                         : counted(static_cast<std::size_t>(profile.size), "process");
}

std::string moment_phrase(const Profile& profile) {
    return !profile.part_of.empty()
               ? fmt::format("as {} of {} parts", profile.processes.size(), profile.size)
           : profile.snapshot > 0 ? fmt::format("as snapshot {}", profile.snapshot)
                                  : "at MPI_Finalize";
}

std::string no_pairs_phrase(int max_peers) {
    return fmt::format(
        "not in this profile, since the job has more than {} processes: MCA variable "
        "hitopo_prof_max_peers, where -1 keeps them in any job",
        max_peers);
}

std::string outcome_phrase(const OrderCount& order, Charset charset) {
    if (order.before == order.after && !order.is_applied) {
        return "nothing to gain";
    }
    return fmt::format("{} ({})", order.is_applied ? "applied" : "not applied",
                       safe(order.candidate, charset));
}

std::string unit_phrase(const OrderCount& order) {
    return order.is_weighted ? "weights" : "pairs of neighbours";
}

std::string crossings_phrase(const OrderCount& order, Charset charset) {
    std::vector<std::string> levels;
    for (std::size_t i = 0; i < order.levels.size(); ++i) {
        levels.push_back(fmt::format("{} {} -> {}{}", safe(order.levels[i], charset), order.before[i],
                                     order.after[i], change_phrase(order.before[i], order.after[i])));
    }
    return fmt::format("{}", fmt::join(levels, ", "));
}

}  // namespace hitopo::tool
