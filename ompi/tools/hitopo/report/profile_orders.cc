// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/report/profile_orders.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "ompi/tools/hitopo/report/profile_sums.h"

namespace hitopo::tool {
namespace {

auto what(const ReportedOrder& order) {
    return std::tie(order.call, order.size, order.candidate, order.is_weighted, order.is_applied,
                    order.levels, order.before, order.after);
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

std::vector<ReportedOrder> merged_orders(const Profile& profile) {
    std::vector<ReportedOrder> orders = profile.orders, merged;
    std::sort(orders.begin(), orders.end(),
              [](const ReportedOrder& a, const ReportedOrder& b) { return what(a) < what(b); });
    for (ReportedOrder& order : orders) {
        if (!merged.empty() && what(merged.back()) == what(order)) {
            add_to(merged.back().count, order.count);
        } else {
            merged.push_back(std::move(order));
        }
    }
    std::stable_sort(merged.begin(), merged.end(),
                     [](const ReportedOrder& a, const ReportedOrder& b) { return a.count > b.count; });
    return merged;
}

std::string outcome_phrase(const ReportedOrder& order, Charset charset) {
    if (order.before == order.after && !order.is_applied) {
        return "nothing to gain";
    }
    return fmt::format("{} ({})", order.is_applied ? "applied" : "not applied",
                       safe(order.candidate, charset));
}

std::string unit_phrase(const ReportedOrder& order) {
    return order.is_weighted ? "weights" : "pairs of neighbours";
}

std::string crossings_phrase(const ReportedOrder& order, Charset charset) {
    std::vector<std::string> levels;
    for (std::size_t i = 0; i < order.levels.size(); ++i) {
        levels.push_back(fmt::format("{} {} -> {}{}", safe(order.levels[i], charset), order.before[i],
                                     order.after[i], change_phrase(order.before[i], order.after[i])));
    }
    return fmt::format("{}", fmt::join(levels, ", "));
}

}  // namespace hitopo::tool
