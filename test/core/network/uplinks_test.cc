// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/network/uplinks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "ompi/mca/hitopo/core/record/selection.h"
#include "test/core/tree/fake_tree.h"

namespace hitopo {
namespace {

// The leaf of this number, below these switches; the island is called after the lowest.
LedSwitch leaf(int number, const std::vector<std::uint64_t>& above, const std::string& name = "") {
    const std::string first = above.empty() ? "" : std::to_string(above.front());
    return {"openib",
            RawValue(Name("0x" + std::to_string(number))),
            {name, above, first.empty() ? "" : "spine" + first, "0xs" + first}};
}

std::vector<std::string> islands_of(const std::vector<LedSwitch>& leaves) {
    std::vector<std::string> islands;
    for (const SettledSwitch& settled : settle(leaves)) {
        islands.push_back(settled.island.visible().to_string());
    }
    return islands;
}

using Strings = std::vector<std::string>;

TEST(Uplinks, leaves_below_the_same_switches_are_one_island) {
    EXPECT_EQ(islands_of({leaf(1, {10, 11}), leaf(2, {20, 21}), leaf(3, {11, 10})}),
              (Strings{"spine10", "spine20", "spine10"}));
    const auto settled = settle({leaf(1, {10, 11}), leaf(2, {20, 21}), leaf(3, {10, 11})});
    EXPECT_EQ(settled[0].island, settled[2].island);
    EXPECT_FALSE(settled[0].island == settled[1].island);
}

TEST(Uplinks, a_leaf_with_nothing_above_is_its_own_island) {
    EXPECT_EQ(islands_of({leaf(1, {}, "a"), leaf(2, {}), leaf(3, {10})}),
              (Strings{"a", "0x2", "spine10"}));
    const auto settled = settle({leaf(1, {}), leaf(2, {})});
    EXPECT_FALSE(settled[0].island == settled[1].island);
}

// Leaves 1 to 3 below 10 and 11; 4, which only its leader knows to have hosts, is linked to 1 and 2, and
// comes before the spines.
TEST(Uplinks, a_leaf_is_above_no_other) {
    const std::uint64_t fourth = hash_of(leaf(4, {}).value);
    LedSwitch first = leaf(1, {fourth, 10, 11}), second = leaf(2, {fourth, 10, 11});
    for (LedSwitch* each : {&first, &second}) {
        each->uplinks.island_name = "gate";
        each->uplinks.island_id = "0x4";
    }
    const std::uint64_t one = hash_of(first.value), two = hash_of(second.value);
    EXPECT_EQ(islands_of({first, second, leaf(3, {10, 11}), leaf(4, {one, two})}),
              (Strings{"spine10", "spine10", "spine10", "0x4"}));
    EXPECT_EQ(islands_of({first, second, leaf(4, {one, two})}), (Strings{"0x1", "0x1", "0x4"}));
}

TEST(Uplinks, a_name_that_two_have_is_none) {
    const auto settled = settle({leaf(1, {10}, "rack"), leaf(2, {10}, "rack"), leaf(3, {10}, "b")});
    EXPECT_EQ(settled[0].value, RawValue("0x1"));
    EXPECT_EQ(settled[1].value, RawValue("0x2"));
    EXPECT_EQ(settled[2].value, (RawValue({"b", "0x3", "b"})));
}

TEST(Uplinks, islands_of_one_name_are_shown_by_id) {
    LedSwitch one = leaf(1, {10});
    LedSwitch two = leaf(2, {20});
    one.uplinks.island_name = two.uplinks.island_name = "spine";
    EXPECT_EQ(islands_of({one, two, leaf(3, {30})}), (Strings{"0xs10", "0xs20", "spine30"}));
    one.uplinks.island_name = "";
    EXPECT_EQ(islands_of({one, two}), (Strings{"0xs10", "spine"}));
}

TEST(Uplinks, components_settle_each_by_itself) {
    LedSwitch other = leaf(2, {11}, "rack");
    other.component = "other";
    const auto settled = settle({leaf(1, {10, 11}, "rack"), other});
    EXPECT_EQ(settled[0].value.visible(), Name("rack"));
    EXPECT_EQ(settled[1].value.visible(), Name("rack"));
    EXPECT_EQ(settled[1].island.visible(), Name("spine11"));
}

TEST(Uplinks, the_order_of_leaves_changes_nothing) {
    std::mt19937_64 random(4);
    for (int round = 0; round < 200; ++round) {
        std::vector<LedSwitch> leaves;
        for (int i = 0; i < 12; ++i) {
            std::vector<std::uint64_t> above;
            for (std::uint64_t id = 0; id < 5; ++id) {
                if (random() % 2 == 0) {
                    above.push_back(id);
                }
            }
            leaves.push_back(leaf(i, above, "n" + std::to_string(random() % 10)));
        }
        const auto before = settle(leaves);
        std::vector<std::size_t> order(leaves.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            order[i] = i;
        }
        std::shuffle(order.begin(), order.end(), random);
        std::vector<LedSwitch> shuffled;
        for (const std::size_t i : order) {
            shuffled.push_back(leaves[i]);
        }
        const auto after = settle(shuffled);
        for (std::size_t i = 0; i < order.size(); ++i) {
            ASSERT_EQ(after[i].value, before[order[i]].value);
            ASSERT_EQ(after[i].island, before[order[i]].island);
        }
    }
}

TEST(Uplinks, come_back_from_their_bytes_which_no_piece_of_them_does) {
    const LedSwitch led = leaf(7, {10, 11}, "name");
    const std::string bytes = encode(led);
    const std::optional<LedSwitch> back = decode_led_switch(bytes + std::string(9, '\0'));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->component, "openib");
    EXPECT_EQ(back->value, led.value);
    EXPECT_EQ(back->uplinks.name, "name");
    EXPECT_EQ(back->uplinks.switches, led.uplinks.switches);
    EXPECT_EQ(back->uplinks.island_name, "spine10");
    EXPECT_EQ(back->uplinks.island_id, "0xs10");
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        EXPECT_FALSE(decode_led_switch(std::string_view(bytes).substr(0, length))) << length;
    }
    EXPECT_FALSE(decode_led_switch(std::string(200, '\0')));
}

TEST(Uplinks, long_names_and_many_switches_are_cut) {
    LedSwitch led = leaf(7, std::vector<std::uint64_t>(5000, 3), std::string(1000, 'x'));
    led.uplinks.island_name = led.uplinks.island_id = std::string(1000, 'y');
    const Uplinks told = decode_led_switch(encode(led))->uplinks;
    EXPECT_EQ(told.name, std::string(64, 'x'));
    EXPECT_EQ(told.island_id, std::string(64, 'y'));
    EXPECT_EQ(told.switches.size(), 1024U);
}

// ---- in a job ----

Uplinks below(const std::vector<std::uint64_t>& above, const std::string& name) {
    return leaf(0, above, name).uplinks;
}

std::vector<std::uint32_t> leaders_of(const FakeJob& job) {
    std::vector<std::uint32_t> leaders;
    for (const SwitchToAsk& asked : switches_to_ask(message_of(job, groups_by_host(job)))) {
        leaders.push_back(asked.rank);
    }
    std::sort(leaders.begin(), leaders.end());
    return leaders;
}

// Rank 0 asks for no node; 1 and 3 are at switch a, 2 at switch b.
FakeJob three_nodes() {
    return {on_host("n1"), on_host("n1").leads("openib", Name("0xa"), below({1, 2}, "leaf1")),
            on_host("n2").leads("openib", Name("0xb"), below({1, 2}, "leaf2")),
            on_host("n3").leads("openib", Name("0xa"), below({3}, "wrong"))};
}

TEST(UplinksInJob, the_lowest_rank_of_each_switch_leads) {
    EXPECT_EQ(leaders_of(three_nodes()), (std::vector<std::uint32_t>{1, 2}));
}

TEST(UplinksInJob, all_know_the_names_and_islands_that_leaders_tell) {
    const AddressTree tree = tree_of(three_nodes());
    EXPECT_EQ(values_of(tree, kSwitch), (std::vector<int>{0, 0, 1, 0}));
    EXPECT_EQ(values_of(tree, kIsland), (std::vector<int>{0, 0, 0, 0}));
    EXPECT_EQ(tree.known(kIsland), AddressTree::Known::kAll);
    const JobFacts& facts = tree.facts();
    ASSERT_EQ(facts.values[kSwitch].size(), 2u);
    EXPECT_EQ(facts.values[kSwitch][0].value.visible(), Name("leaf1"));
    ASSERT_EQ(facts.values[kIsland].size(), 1u);
    EXPECT_EQ(facts.values[kIsland][0].value.visible(), Name("spine1"));
    EXPECT_EQ(facts.values[kIsland][0].component, "openib");
}

TEST(UplinksInJob, a_leader_that_tells_nothing_costs_the_island_only) {
    FakeJob job = three_nodes();
    job[2].answer_of("openib").uplinks.reset();
    const AddressTree tree = tree_of(job);
    EXPECT_EQ(values_of(tree, kSwitch), (std::vector<int>{1, 1, 0, 1}));
    EXPECT_EQ(values_of(tree, kIsland), (std::vector<int>{0, 0, -1, 0}));
    EXPECT_EQ(tree.facts().values[kSwitch][0].value, RawValue("0xb"));
}

TEST(UplinksInJob, nobody_leads_where_another_component_fills_both_levels) {
    FakeJob job = three_nodes();
    for (FakeProcess& process : job) {
        process.gives("slurm", kSwitch, Name("s")).gives("slurm", kIsland, Name("i"));
    }
    EXPECT_TRUE(leaders_of(job).empty());
}

TEST(UplinksInJob, an_island_can_be_led_where_another_component_fills_the_switch) {
    FakeJob job = three_nodes();
    for (FakeProcess& process : job) {
        process.gives("slurm", kSwitch, Name("s"));
    }
    EXPECT_EQ(leaders_of(job), (std::vector<std::uint32_t>{1, 2}));
    EXPECT_EQ(tree_of(job).facts().values[kIsland][0].value.visible(), Name("spine1"));
}

TEST(UplinksInJob, a_component_that_gives_both_levels_is_not_asked) {
    const FakeJob job = {
        on_host("n1").gives("openib", kSwitch, Name("s")).gives("openib", kIsland, Name("i"))};
    EXPECT_TRUE(leaders_of(job).empty());
}

}  // namespace
}  // namespace hitopo
