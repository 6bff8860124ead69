// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/order/order_text.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <set>

#include "ompi/tools/hitopo/words.h"
#include "profiler/tool/profile/units.h"

namespace hitopo::tool {
namespace {

constexpr std::size_t kColumns = 80;

std::size_t count_groups(const Slots& slots, Level level) {
    std::set<std::int32_t> values;
    for (const Slot& slot : slots.slots) {
        values.insert(slot.address[level]);
    }
    return values.size();
}

// "32 ranks, 8 hosts, 4 switches, 2 islands"
std::string title(const Slots& slots) {
    std::string text =
        counted(slots.slots.size(), "rank") + ", " + counted(count_groups(slots, kNode), "host");
    for (const Level level : {kSwitch, kIsland}) {
        if ((slots.known >> level & 1u) != 0) {
            text += ", " + counted(count_groups(slots, level), level_name(level));
        }
    }
    return text + '\n';
}

// "-38 %", "+5 %", "0 %"; tenfold and more: "x 12", "/ 650".
std::string change(std::uint64_t before, std::uint64_t after) {
    constexpr double kMany = 10;
    if (before == 0 || after == 0) {
        return before == after ? "0 %" : after == 0 ? "-100 %" : "new";
    }
    const double factor = static_cast<double>(after) / static_cast<double>(before);
    if (factor >= kMany || factor <= 1 / kMany) {
        return factor > 1 ? fmt::format("x {:.0f}", factor) : fmt::format("/ {:.0f}", 1 / factor);
    }
    const long percent = std::lround(100 * factor) - 100;
    return fmt::format(percent == 0 ? "{} %" : "{:+} %", percent);
}

std::string lanes(const OrderText& text) {
    std::vector<std::vector<std::string>> rows = {
        {"lane", pad_left(fmt::format("{} now", text.unit), 16), pad_left("then", 16), "  change"}};
    for (std::size_t lane = 0; lane < kNumLanes; ++lane) {
        const std::uint64_t before = text.plan.before[lane], after = text.plan.after[lane];
        if (before > 0 || after > 0) {
            rows.push_back({std::string(lane_name(static_cast<Lane>(lane))),
                            pad_left(std::to_string(before), 16), pad_left(std::to_string(after), 16),
                            pad_left(change(before, after), 8)});
        }
    }
    return rows.size() == 1 ? "\nThere is no traffic.\n" : '\n' + aligned(rows, "  ");
}

std::string verdict(const Plan& plan) {
    return plan.is_identity() ? "\nNo better order found: the ranks stay as they are.\n"
                              : fmt::format("\nBest order found by: {}.\n", plan.candidate);
}

std::string collectives(const OrderText& text) {
    if (text.collective_bytes == 0) {
        return "";
    }
    const auto collective = static_cast<double>(text.collective_bytes);
    const double all = collective + static_cast<double>(std::accumulate(text.plan.before.begin(),
                                                                        text.plan.before.end(), 0.0));
    return '\n' + wrapped(fmt::format("Collectives are not included: {}, {:.0f} % of all bytes if they "
                                      "use flat algorithms.",
                                      human_bytes(text.collective_bytes), 100 * collective / all),
                          "", kColumns);
}

}  // namespace

std::string order_text(const OrderText& text) {
    std::string report = title(text.slots) + lanes(text) + verdict(text.plan) + collectives(text);
    if (text.is_outside_only) {
        report += "\nThis format has hosts only: lane node stands for all traffic inside a node.\n";
    }
    if (!text.note.empty()) {
        report += '\n' + wrapped(text.note, "", kColumns);
    }
    if (!text.usage.empty() && !text.plan.is_identity()) {
        report += "\nTo launch:\n  " + text.usage + '\n';
    }
    return report;
}

}  // namespace hitopo::tool
