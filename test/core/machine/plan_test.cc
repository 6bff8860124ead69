// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/machine/plan.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hitopo {
namespace {

CpuSet cpus(const char* text) { return *CpuSet::parse(text); }

std::vector<CpuSet> bound(const std::vector<const char*>& texts) {
    std::vector<CpuSet> sets;
    for (const char* text : texts) {
        sets.push_back(cpus(text));
    }
    return sets;
}

std::vector<CpuSet> unbound(std::size_t ranks) { return std::vector<CpuSet>(ranks); }

Device gpu(const char* pci, const char* place) {
    Device device;
    device.pci = pci;
    device.place = cpus(place);
    return device;
}

Device nic(const char* name, const char* place) {
    Device device = gpu("", place);
    device.names = {name};
    return device;
}

// Two packages of two NUMA nodes of four cores; the GPUs stand in the other order.
NodeDevices four_gpus() {
    NodeDevices node;
    node.gpus = {gpu("a", "12-15"), gpu("b", "8-11"), gpu("c", "4-7"), gpu("d", "0-3")};
    node.nics = {nic("mlx5_0", "0-3"), nic("mlx5_1", "8-11")};
    node.packages = {cpus("0-7"), cpus("8-15")};
    for (int first = 0; first < 16; first += 4) {
        node.numa_nodes.push_back({first / 4, CpuSet::range(first, first + 3)});
    }
    for (int core = 0; core < 16; ++core) {
        node.cores.push_back(CpuSet::range(core, core));
    }
    node.cpus = cpus("0-15");
    return node;
}

std::string list(const std::vector<int>& numbers) {
    std::string text;
    for (const int number : numbers) {
        text += (text.empty() ? "" : ",") + std::to_string(number);
    }
    return text;
}

// "GPUs NICs CPUs" of each rank.
std::vector<std::string> planned(const NodeDevices& node, const std::vector<CpuSet>& bound,
                                 const PlanOptions& options = {},
                                 const std::vector<int>& gpus = {0, 1, 2, 3}) {
    std::vector<std::string> lines;
    for (const RankPlan& own : plan(node, bound, gpus, options)) {
        lines.push_back(list(own.gpus) + ' ' + list(own.nics) + ' ' + own.cpus.to_string());
    }
    return lines;
}

using Lines = std::vector<std::string>;

TEST(Plan, ranks_stand_in_the_order_of_their_gpus_cpus) {
    EXPECT_EQ(planned(four_gpus(), unbound(4)), (Lines{"3 0 0-3", "2 0 4-7", "1 1 8-11", "0 1 12-15"}));
}

TEST(Plan, fewer_ranks_have_blocks) {
    EXPECT_EQ(planned(four_gpus(), unbound(2)), (Lines{"2,3 0 0-7", "0,1 1 8-15"}));
    EXPECT_EQ(planned(four_gpus(), unbound(3)), (Lines{"3 0 0-3", "2 0 4-7", "0,1 1 8-15"}));
    EXPECT_EQ(planned(four_gpus(), unbound(1)), (Lines{"0,1,2,3 0,1 0-15"}));
}

TEST(Plan, gpus_per_rank_takes_the_first_of_a_block) {
    PlanOptions options;
    options.gpus_per_rank = 1;
    EXPECT_EQ(planned(four_gpus(), unbound(2), options), (Lines{"3 0 0-3", "1 1 8-11"}));
    options.gpus_per_rank = 8;
    EXPECT_EQ(planned(four_gpus(), unbound(2), options), (Lines{"2,3 0 0-7", "0,1 1 8-15"}));
}

TEST(Plan, neighbours_share_a_gpu_and_its_cores) {
    EXPECT_EQ(planned(four_gpus(), unbound(8)),
              (Lines{"3 0 0-1", "3 0 2-3", "2 0 4-5", "2 0 6-7", "1 1 8-9", "1 1 10-11", "0 1 12-13",
                     "0 1 14-15"}));
}

// Ranks at 1/10, 3/10 .. and GPUs at 1/8, 3/8 ..: the least sum of squares has the second rank and the
// third at the second GPU, or the third and the fourth at the third.
TEST(Plan, the_gpu_with_one_more_is_in_the_middle) {
    EXPECT_EQ(planned(four_gpus(), unbound(5)),
              (Lines{"3 0 0-3", "2 0 4-5", "2 0 6-7", "1 1 8-11", "0 1 12-15"}));
}

TEST(Plan, bound_ranks_have_near_gpus_and_keep_their_cpus) {
    EXPECT_EQ(planned(four_gpus(), bound({"8-9", "4", "0-3", "13"})),
              (Lines{"1 1 8-9", "2 0 4", "3 0 0-3", "0 1 13"}));
}

// Each package has two of them, although NUMA node 0 is one GPU's.
TEST(Plan, bound_ranks_of_fewer_share_all_gpus_out) {
    EXPECT_EQ(planned(four_gpus(), bound({"8-11", "0-3"})), (Lines{"0,1 1 8-11", "2,3 0 0-3"}));
    PlanOptions options;
    options.gpus_per_rank = 1;
    EXPECT_EQ(planned(four_gpus(), bound({"8-11", "0-3"}), options), (Lines{"1 1 8-11", "3 0 0-3"}));
    options.gpus_per_rank = 2;
    EXPECT_EQ(planned(four_gpus(), bound({"8-11", "0-3"}), options), (Lines{"0,1 1 8-11", "2,3 0 0-3"}));
}

TEST(Plan, ranks_bound_to_the_same_cpus_divide_those_of_their_gpus) {
    EXPECT_EQ(planned(four_gpus(), bound({"0-7", "8-15", "0-7", "8-15"})),
              (Lines{"3 0 0-3", "1 1 8-11", "2 0 4-7", "0 1 12-15"}));
    PlanOptions options;
    options.keeps_cpus = true;
    EXPECT_EQ(planned(four_gpus(), bound({"0-7", "8-15", "0-7", "8-15"}), options),
              (Lines{"3 0 0-7", "1 1 8-15", "2 0 0-7", "0 1 8-15"}));
}

TEST(Plan, in_the_order_of_gpus_the_cpus_follow) {
    PlanOptions options;
    options.by_gpu = true;
    const Lines expected = {"0 1 12-15", "1 1 8-11", "2 0 4-7", "3 0 0-3"};
    EXPECT_EQ(planned(four_gpus(), unbound(4), options), expected);
    EXPECT_EQ(planned(four_gpus(), bound({"0-3", "4-7", "8-11", "12-15"}), options), expected);
}

TEST(Plan, a_job_with_some_gpus_has_no_others) {
    EXPECT_EQ(planned(four_gpus(), unbound(2), {}, {1, 2}), (Lines{"2 0 4-7", "1 1 8-11"}));
}

TEST(Plan, only_cpus_that_may_be_used) {
    NodeDevices node = four_gpus();
    node.cpus = cpus("1-3,5-7,9-11,13-15");
    EXPECT_EQ(planned(node, unbound(4)), (Lines{"3 0 1-3", "2 0 5-7", "1 1 9-11", "0 1 13-15"}));
}

// 5 ranks at 4 cores of the place: those of both NUMA nodes are divided by 5, and the package is no
// place of one GPU alone.
TEST(Plan, more_ranks_than_cores_of_a_place_divide_what_is_around) {
    NodeDevices node = four_gpus();
    node.gpus = {gpu("a", "0-3")};
    EXPECT_EQ(planned(node, unbound(5), {}, {0}),
              (Lines{"0 0 0", "0 0 1-2", "0 0 3", "0 0 4-5", "0 0 6-7"}));
}

// The package of one GPU holds the place of the other: the ranks divide the package.
TEST(Plan, places_that_overlap_are_divided_together) {
    NodeDevices node = four_gpus();
    node.gpus = {gpu("a", "0-3"), gpu("b", "0-7")};
    EXPECT_EQ(planned(node, unbound(2), {}, {0, 1}), (Lines{"0 0 0-3", "1 0 4-7"}));
}

TEST(Plan, more_ranks_than_cores_stay_unbound) {
    const Lines lines = planned(four_gpus(), unbound(17));
    EXPECT_EQ(lines.front(), "3 0 ");
    EXPECT_EQ(lines.back(), "0 1 ");
}

TEST(Plan, without_gpus_nics_are_chosen_by_cpus) {
    NodeDevices node = four_gpus();
    node.gpus.clear();
    EXPECT_EQ(planned(node, bound({"0", "1", "9", "13"}), {}, {}),
              (Lines{" 0 0", " 0 1", " 1 9", " 1 13"}));
    EXPECT_EQ(planned(node, unbound(4), {}, {}), (Lines{" 0 ", " 0 ", " 1 ", " 1 "}));
    EXPECT_EQ(planned(node, unbound(1), {}, {}), (Lines{" 0,1 "}));
}

TEST(Plan, without_nics) {
    NodeDevices node = four_gpus();
    node.nics.clear();
    EXPECT_EQ(planned(node, unbound(4)), (Lines{"3  0-3", "2  4-7", "1  8-11", "0  12-15"}));
}

TEST(Plan, nobody) { EXPECT_EQ(planned(four_gpus(), {}), Lines{}); }

}  // namespace
}  // namespace hitopo
