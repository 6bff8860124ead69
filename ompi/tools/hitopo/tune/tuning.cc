// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/tune/tuning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ompi/mca/coll/hitopo/core/settings.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {
namespace {

constexpr double kFaster = 0.95, kSlower = 1.05;
constexpr double kLinkFactor = 1.5;

constexpr const char* kFileHead =
    "# For mpirun --tune, in place of hitopo.conf: HiTopo with settings that `hitopo tune` measured.\n"
    "# With another such file: --tune FILE,OTHER. Of several --tune options mpirun 4.1 takes the last.\n"
    "# With the profiler: mpirun --tune hitopo-prof.conf $(grep ^--mca FILE)\n";
constexpr const char* kPreload =
    "# This replaces an LD_PRELOAD of your own: add that, separated by a colon.\n"
    "-x LD_PRELOAD=";

double quotient(const Timing& timing) { return timing.with_us / std::max(1e-3, timing.without_us); }

bool is_certainly_faster(const Timing& timing) {
    return timing.ratio.median <= kFaster && timing.ratio.high < 1 && quotient(timing) < 1;
}

// The interval holds 1 and is wide, or the two medians and the rounds disagree about who is faster.
bool is_too_noisy(const Timing& timing) {
    const Interval& ratio = timing.ratio;
    return (ratio.low <= 1 && ratio.high >= 1 && (ratio.low < kFaster || ratio.high > kSlower)) ||
           (ratio.low > 1 && quotient(timing) < 1) || (ratio.high < 1 && quotient(timing) > 1);
}

std::string rows_text(const std::vector<Timing>& timings, const coll::Served& served) {
    std::vector<std::vector<std::string>> rows = {
        {"", "bytes", "Open MPI, us", "HiTopo, us", "ratio", "95 %", ""}};
    for (const Timing& timing : timings) {
        rows.push_back({std::string(coll::kServedKinds[timing.kind]),
                        pad_left(std::to_string(timing.bytes), 8),
                        pad_left(fmt::format("{:.1f}", timing.without_us), 12),
                        pad_left(fmt::format("{:.1f}", timing.with_us), 10),
                        fmt::format("{:.2f}", quotient(timing)),
                        fmt::format("{:.2f}-{:.2f}", timing.ratio.low, timing.ratio.high),
                        is_too_noisy(timing)                           ? "too noisy to tell"
                        : coll::has(served[timing.kind], timing.bytes) ? "served"
                                                                       : ""});
    }
    return aligned(rows, "  ");
}

// The reason why collectives were not timed; "" where they were.
const char* why_untimed(const Tuning& tuning) {
    return tuning.is_on_small_node  ? "The processes are on one node, and fewer than coll_hitopo_share: "
                                      "coll/hitopo is not used.\n"
           : !tuning.is_served      ? "--mca coll_hitopo_priority 40 enables coll/hitopo.\n"
           : tuning.timings.empty() ? "coll/hitopo is not in this job.\n"
                                    : "";
}

std::string format_options(const Tuning& tuning) {
    const std::string links = coll::format_links(tuning.links, tuning.shape);
    return (links.empty() ? "" : fmt::format("--mca coll_hitopo_links {}\n", links)) +
           (tuning.timings.empty() ? ""
                                   : fmt::format("--mca coll_hitopo_serve {}\n",
                                                 coll::format_serve(faster(tuning.timings))));
}

bool is_within(double a, double b) { return a <= b * kLinkFactor && b <= a * kLinkFactor; }

}  // namespace

CollSettings coll_settings(const FrameworkDocument& framework) {
    CollSettings settings;
    for (const VariableInfo& variable : framework.variables) {
        const std::string value = variable.value.value_or("");
        if (variable.name == "coll_hitopo_priority") {
            settings.priority = std::atoi(value.c_str());
        } else if (variable.name == "coll_hitopo_leaders") {
            settings.num_leaders = std::max(1, std::atoi(value.c_str()));
        } else if (variable.name == "coll_hitopo_share") {
            settings.share = std::max(0, std::atoi(value.c_str()));
        } else if (variable.name == "coll_hitopo_exchange") {
            settings.may_exchange = value != "0";
        } else if (variable.name == "coll_hitopo_serve") {
            settings.serve = value;
        } else if (variable.name == "coll_hitopo_links") {
            settings.links = value;
        }
    }
    return settings;
}

std::vector<std::int32_t> addresses_in(const TableDocument& table) {
    std::vector<std::int32_t> addresses;
    for (const RankRow& rank : table.ranks) {
        addresses.insert(addresses.end(), rank.address.begin(), rank.address.end());
    }
    return addresses;
}

std::vector<const std::int32_t*> rows_in(const std::vector<std::int32_t>& addresses) {
    std::vector<const std::int32_t*> rows;
    for (std::size_t at = 0; at < addresses.size(); at += kNumLevels) {
        rows.push_back(addresses.data() + at);
    }
    return rows;
}

Interval interval_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    // 1.96 standard deviations of the number of heads in so many throws of a coin.
    const auto deviation =
        std::min(middle, static_cast<std::size_t>(0.98 * std::sqrt(static_cast<double>(values.size()))));
    return {values[middle], values[middle - deviation],
            values[std::min(values.size() - 1, middle + deviation)]};
}

coll::Served faster(const std::vector<Timing>& timings) {
    coll::Served served;
    for (std::size_t i = 0; i < timings.size(); ++i) {
        const Timing& timing = timings[i];
        coll::ByteRanges& ranges = served[timing.kind];
        if (!is_certainly_faster(timing)) {
            continue;
        }
        const bool is_first = i == 0 || timings[i - 1].kind != timing.kind;
        const bool is_last = i + 1 == timings.size() || timings[i + 1].kind != timing.kind;
        if (is_first || !is_certainly_faster(timings[i - 1])) {
            ranges.push_back({is_first ? 0 : timing.bytes});
        }
        ranges.back().last = is_last ? SIZE_MAX : timing.bytes;
    }
    return served;
}

std::string format_tune_file(const Tuning& tuning, const std::string& preload) {
    const std::string options = format_options(tuning);
    return options.empty() ? ""
                           : kFileHead + (preload.empty() ? "" : kPreload + preload + '\n') + options;
}

std::string format_use(const std::string& path) {
    return fmt::format(
        "For jobs: mpirun --tune {0}, in place of hitopo.conf; with another file: --tune {0},OTHER\n",
        safe(path, Charset::kAscii));
}

std::string format_tuning(const Tuning& tuning) {
    const std::string options = format_options(tuning);
    if (options.empty()) {
        return "Nothing to measure: there is only one process.\n";
    }
    std::string text = tuning.is_simulated
                           ? "The network is simulated: all processes are on one host, so "
                             "these figures are those of its memory.\n"
                           : "";
    text += "Settings for jobs on these links:\n";
    for (const std::string_view line : split(options, '\n')) {
        text += line.empty() ? "" : fmt::format("  {}\n", line);
    }
    return text + why_untimed(tuning) +
           (tuning.timings.empty() ? "" : rows_text(tuning.timings, faster(tuning.timings)));
}

std::string format_changes(const Tuning& tuning, const coll::Links& links, const coll::Served& served,
                           bool& has_changed) {
    std::string text;
    for (std::size_t level = 0; level < coll::kNumDivisions; ++level) {
        const coll::Link &now = tuning.links[level], &then = links[level];
        if (tuning.shape.max_children[level] > 1 && !(is_within(now.latency_us, then.latency_us) &&
                                                      is_within(now.bytes_per_us, then.bytes_per_us))) {
            text += fmt::format(
                "links of {}: {:.1f} us, {:.0f} MB/s; coll_hitopo_links has {:.1f} us, {:.0f} MB/s\n",
                coll::division_name(static_cast<int>(level)), now.latency_us, now.bytes_per_us,
                then.latency_us, then.bytes_per_us);
        }
    }
    std::vector<Timing> wrong;
    for (const Timing& timing : tuning.timings) {
        const bool is_served = coll::has(served[timing.kind], timing.bytes);
        if (is_served ? timing.ratio.low > kSlower : timing.ratio.high < kFaster) {
            wrong.push_back(timing);
        }
    }
    has_changed = !text.empty() || !wrong.empty();
    if (!wrong.empty()) {
        text += "coll_hitopo_serve does not fit these:\n" + rows_text(wrong, served);
    }
    return (has_changed ? text + "Without --check, hitopo tune finds other settings.\n"
                        : "The settings of this job fit what was measured.\n") +
           why_untimed(tuning);
}

}  // namespace hitopo::tool
