// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Orders, and the report about one. Expectations are worked out by hand.
#include "profiler/tool/order/order.h"

#include <gtest/gtest.h>

#include "ompi/tools/hitopo/launch/launch.h"
#include "ompi/tools/hitopo/options.h"
#include "profiler/tool/order/order.h"

namespace hitopo::tool {
namespace {

using Hosts = std::vector<Host>;

// ---- plans ----

// Four slots on two nodes; 0 talks with 2 and 1 with 3, so these have to meet.
TEST(Plan, graph_puts_together_who_talks) {
    const Slots slots = slots_of(Hosts{{"a", 2}, {"b", 2}});
    const topo::Graph graph = {4, {{0, 2, 100}, {2, 0, 10}, {1, 3, 7}, {0, 1, 1}, {3, 3, 5}}};
    const Plan plan = plan_graph(graph, slots, {});
    EXPECT_EQ(plan.before, (PerLane{0, 0, 0, 6, 0, 0, 0, 117, 0}));
    EXPECT_EQ(plan.after[static_cast<std::size_t>(Lane::kOutside)], plan.is_identity() ? 117U : 1U);
    std::vector<bool> is_used(4);
    for (const std::uint32_t slot : plan.slot_of) {
        is_used[slot] = true;
    }
    EXPECT_EQ(is_used, std::vector<bool>(4, true));
}

// Slots by turns on a and b; neighbours of a line of four shall lie beside each other.
TEST(Plan, grid_counts_pairs_both_ways) {
    Slots slots = slots_of(Hosts{{"a", 2}, {"b", 2}});
    std::swap(slots.slots[1], slots.slots[2]);
    const Plan plan = plan_grid({{4}, {false}}, slots, {});
    EXPECT_EQ(plan.before, (PerLane{0, 0, 0, 0, 0, 0, 0, 6, 0}));
    EXPECT_EQ(plan.after, (PerLane{0, 0, 0, 4, 0, 0, 0, 2, 0}));
    const auto& at = plan.slot_of;
    EXPECT_EQ(slots.slots[at[0]].host, slots.slots[at[1]].host);
    EXPECT_EQ(slots.slots[at[2]].host, slots.slots[at[3]].host);
}

TEST(Plan, grid_counts_round_the_end) {
    const Slots slots = slots_of(Hosts{{"a", 2}, {"b", 2}});
    EXPECT_EQ(plan_grid({{4}, {true}}, slots, {}).before, (PerLane{0, 0, 0, 4, 0, 0, 0, 4, 0}));
    EXPECT_EQ(plan_grid({{2, 2}, {false, false}}, slots, {}).before,
              (PerLane{0, 0, 0, 4, 0, 0, 0, 4, 0}));
    EXPECT_EQ(plan_grid({{4, 1}, {false, true}}, slots, {}).before,
              (PerLane{0, 0, 0, 4, 0, 0, 0, 2, 0}));
}

TEST(Plan, hosts_come_in_the_fabrics_order) {
    Slots slots = slots_of(Hosts{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}});
    slots.known |= 1u << kSwitch;
    slots.slots[1].address[kSwitch] = slots.slots[3].address[kSwitch] = 1;
    const Plan plan = plan_hosts(slots);
    EXPECT_EQ(plan.slot_of, (topo::PerProcess{0, 2, 1, 3}));
    EXPECT_EQ(plan.before, (PerLane{0, 0, 0, 0, 0, 0, 0, 6, 0}));
    EXPECT_EQ(plan.after, (PerLane{0, 0, 0, 0, 4, 0, 0, 2, 0}));
    EXPECT_FALSE(plan.is_identity());
}

// ---- the report ----

TEST(OrderText, has_lanes_and_changes) {
    const Slots slots = slots_of(Hosts{{"a", 2}, {"b", 1}});
    const Plan plan = {
        {1, 0, 2}, "k-d tree", {0, 0, 0, 7, 1000, 100, 0, 50, 0}, {0, 0, 0, 7, 620, 1200, 3, 0, 0}};
    EXPECT_EQ(order_text({plan, slots, "bytes", 2000, true, "start FILE", "Of other hosts."}),
              "3 ranks, 2 hosts\n"
              "\n"
              "  lane            bytes now              then    change\n"
              "  node                    7                 7       0 %\n"
              "  switch               1000               620     -38 %\n"
              "  island                100              1200      x 12\n"
              "  cluster                 0                 3       new\n"
              "  beyond                 50                 0    -100 %\n"
              "\n"
              "Best order found by: k-d tree.\n"
              "\n"
              "Collectives are not included: 1.95 KiB, 63 % of all bytes if they use flat\n"
              "algorithms.\n"
              "\n"
              "This format cannot choose cores: lane node is all traffic inside nodes.\n"
              "\n"
              "Of other hosts.\n"
              "\n"
              "To launch:\n"
              "  start FILE\n");
}

TEST(OrderText, of_nothing) {
    const Slots slots = slots_of(Hosts{{"a", 1}});
    EXPECT_EQ(order_text({{{0}, "identity", {}, {}}, slots, "bytes", 0, false, "start FILE"}),
              "1 rank, 1 host\n"
              "\n"
              "There is no traffic.\n"
              "\n"
              "No better order found: the ranks stay as they are.\n");
}

}  // namespace
}  // namespace hitopo::tool
