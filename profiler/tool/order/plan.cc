// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A plan, and its text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "ompi/mca/topo/hitopo/core/order.h"
#include "ompi/tools/hitopo/words.h"
#include "profiler/tool/order/order.h"
#include "profiler/tool/profile/phrases.h"

namespace hitopo::tool {
namespace {

using topo::Edge;
using topo::Graph;
using topo::Grid;
using topo::LevelGroups;
using topo::PerProcess;

LevelGroups groups_of(const Slots& slots) {
    std::vector<Address> addresses;
    for (const Slot& slot : slots.slots) {
        addresses.push_back(slot.address);
    }
    return LevelGroups(addresses);
}

Lanes lanes_of(const Slots& slots) {
    unsigned divided = 0;
    for (const Slot& slot : slots.slots) {
        for (unsigned level = 0; level < kNumLevels; ++level) {
            divided |= slot.address[level] != slots.slots.front().address[level] ? 1u << level : 0;
        }
    }
    return Lanes(slots.known, divided);
}

PerLane lanes_of(const std::vector<Edge>& edges, const PerProcess& slot_of, const Slots& slots) {
    const Lanes lanes = lanes_of(slots);
    PerLane bytes{};
    for (const Edge& edge : edges) {
        const Lane lane = lanes.between(slots.slots[slot_of[edge.from]].address.data(),
                                        slots.slots[slot_of[edge.to]].address.data());
        bytes[static_cast<std::size_t>(lane)] += edge.bytes;
    }
    return bytes;
}

PerProcess identity(std::size_t size) {
    PerProcess ranks(size);
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

PerProcess inverse(const PerProcess& permutation) {
    PerProcess inverse(permutation.size());
    for (std::uint32_t i = 0; i < permutation.size(); ++i) {
        inverse[permutation[i]] = i;
    }
    return inverse;
}

Plan make_plan(PerProcess slot_of, std::string_view candidate, const std::vector<Edge>& edges,
               const Slots& slots) {
    const PerLane before = lanes_of(edges, identity(slots.slots.size()), slots);
    const PerLane after = lanes_of(edges, slot_of, slots);
    return {std::move(slot_of), std::string(candidate), before, after};
}

// A cell that is its own neighbour is no pair.
std::vector<Edge> pairs_of(const Grid& grid) {
    std::vector<Edge> edges = topo::graph_of(grid).edges;
    edges.erase(std::remove_if(edges.begin(), edges.end(),
                               [](const Edge& edge) { return edge.from == edge.to; }),
                edges.end());
    return edges;
}

// ---- for people ----

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

Plan plan_graph(const Graph& graph, const Slots& slots, const topo::Capacities& capacities) {
    const topo::Order order = topo::graph_order(graph, groups_of(slots), capacities);
    return make_plan(inverse(order.new_rank), order.candidate, graph.edges, slots);
}

Plan plan_grid(const Grid& grid, const Slots& slots, const topo::Capacities& capacities) {
    const topo::Order order = topo::grid_order(grid, groups_of(slots), capacities);
    return make_plan(inverse(order.new_rank), order.candidate, pairs_of(grid), slots);
}

Plan plan_hosts(const Slots& slots) {
    const LevelGroups groups = groups_of(slots);
    const Grid line = {{static_cast<int>(slots.slots.size())}, {false}};
    return make_plan(groups.rank_at(), groups.is_in_rank_order() ? "identity" : "order of addresses",
                     pairs_of(line), slots);
}

std::string order_text(const OrderText& text) {
    std::string report = title(text.slots) + lanes(text);
    report += text.plan.is_identity() ? "\nNo better order found: the ranks stay as they are.\n"
                                      : fmt::format("\nBest order found by: {}.\n", text.plan.candidate);
    report += collectives(text);
    if (text.is_outside_only) {
        report += "\nThis format cannot choose cores: lane node is all traffic inside nodes.\n";
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
