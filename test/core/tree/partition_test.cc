// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/partition.h"

#include <gtest/gtest.h>

#include "test/core/tree/fake_tree.h"

namespace hitopo {
namespace {

using Ints = std::vector<std::int32_t>;

TEST(Partition, of_two_domains_that_cross_the_larger_stands_whole) {
    FakeMachine machine;
    machine.types["Machine"] = {{0, 1, 2, 3, 4, 5, 6, 7}};
    machine.types["Package"] = {{0, 1, 2, 3, 4}, {5, 6, 7}};
    machine.types["Die"] = {{3, 4, 5, 6}, {0, 1}};
    FakeJob job;
    for (const char* cpu : {"0", "1", "2", "3", "4", "5", "6", "7"}) {
        job.push_back(on_host("n").has(machine).runs_on(cpu));
    }
    const AddressTree tree = tree_of(job);
    const Partition partition = Partition::unguided(tree);
    EXPECT_EQ(partition.split().group, (Ints{0, 0, 0, 0, 0, 1, 1, 1})) << "Die 3-6 crosses Package 0-4";
    EXPECT_EQ(partition.own(6).type, "hwloc://Package");
    EXPECT_EQ(partition.own(6).ranks, (Ranks{5, 6, 7}));
    EXPECT_EQ(partition.own(6).number, 1);
    EXPECT_EQ(partition.lowest_ranks(), (Ranks{0, 5}));
}

TEST(Partition, of_two_of_equal_size_the_outer_type_stands_then_the_lower_rank) {
    FakeMachine machine;
    machine.types["Machine"] = {{0, 1, 2, 3}};
    machine.types["Package"] = {{1, 2}};
    machine.types["Die"] = {{0, 1}, {2, 3}};
    FakeJob job;
    for (const char* cpu : {"0", "1", "2", "3"}) {
        job.push_back(on_host("n").has(machine).runs_on(cpu));
    }
    const AddressTree tree = tree_of(job);
    const Partition partition = Partition::unguided(tree);
    EXPECT_EQ(partition.split().group, (Ints{-1, 0, 0, -1})) << "no whole domain is left for 0 and 3";
}

TEST(Partition, by_type_leaves_out_who_is_restricted_to_none) {
    const FakeMachine machine = make_machine({1, 1, 1, 2});
    const AddressTree tree =
        tree_of({on_host("n").has(machine).runs_on("1"), on_host("n").runs_on("0-1"),
                 on_host("n").runs_on("0"), on_host("n").runs_on("1")});
    Partition partition = Partition::by_type(tree, {"Core", false, kCluster});
    EXPECT_EQ(partition.split().group, (Ints{0, -1, 1, 0}))
        << "groups are numbered by their lowest ranks";
    EXPECT_EQ(partition.own(2).type, "hwloc://Core");
    EXPECT_EQ(partition.own(3).ranks, (Ranks{0, 3}));
    EXPECT_EQ(partition.own(1).number, Split::kNone);
    EXPECT_EQ(partition.lowest_ranks(), (Ranks{0, 2}));
    partition.fill_with_singles();
    EXPECT_EQ(partition.split().group, (Ints{0, 1, 2, 0}));
    EXPECT_EQ(partition.own(2).number, 2);
    EXPECT_EQ(partition.own(1).ranks, (Ranks{1}));
    EXPECT_EQ(partition.lowest_ranks(), (Ranks{0, 1, 2}));
    EXPECT_EQ(Partition::by_type(tree, {"Switch", true, kSwitch}).count(), 0U) << "nobody knows it";
}

TEST(Partition, nobody_is_in_a_group_and_filled_each_process_has_its_own) {
    const AddressTree tree = tree_of({on_host("n"), on_host("n"), on_host("m")});
    Partition partition(tree);
    EXPECT_EQ(partition.own(1).ranks, Ranks());
    EXPECT_EQ(partition.own(1).count, 0U);
    partition.fill_with_singles();
    EXPECT_EQ(partition.own(1).ranks, (Ranks{1}));
    EXPECT_EQ(partition.own(1).number, 1);
    EXPECT_EQ(partition.own(1).count, 3U);
    EXPECT_EQ(partition.lowest_ranks(), (Ranks{0, 1, 2}));
}

TEST(Split, by_number_leaves_out_groups_without_a_process) {
    const Split split = split_by_number({-1, 3, 1, 3});
    EXPECT_EQ(split.group, (Ints{-1, 0, 1, 0})) << "by their lowest ranks";
    EXPECT_EQ(split.count, 2U);
    EXPECT_EQ(split_by_number({}).count, 0U);
    EXPECT_EQ(split_by_number({-1, -1}).count, 0U);
}

TEST(Split, by_color_leaves_out_color_0) {
    const Split split = split_by_color({0, 1LL << 40, -7, 1LL << 40, 0});
    EXPECT_EQ(split.group, (Ints{-1, 0, 1, 0, -1}));
    EXPECT_EQ(split.count, 2U);
}

TEST(Split, a_process_knows_its_group) {
    const Split split = split_by_number({-1, 3, 1, 3});
    const OwnGroup own = split.own(3);
    EXPECT_EQ(own.ranks, (Ranks{1, 3}));
    EXPECT_EQ(own.number, 0);
    EXPECT_EQ(own.count, 2U);
    EXPECT_EQ(split.own(0).number, Split::kNone);
    EXPECT_EQ(split.own(0).ranks, Ranks());
}

}  // namespace
}  // namespace hitopo
