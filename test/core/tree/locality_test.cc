// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/locality.h"

#include <gtest/gtest.h>

#include <map>

#include "ompi/mca/hitopo/core/tree/partition.h"
#include "ompi/mca/hitopo/core/tree/type_order.h"
#include "test/core/tree/fake_tree.h"

namespace hitopo {
namespace {

// Two switches of two nodes of 2 packages of 2 cores; one NUMA node a package; ranks 0-3 on the first
// node, 4-7 on the second, 8 and 9 on the others.
FakeJob job() {
    const FakeMachine machine = make_machine({2, 1, 1, 2});
    FakeJob job;
    for (const char* node : {"a", "b"}) {
        for (const char* cpus : {"0", "1", "2-3", "0-3"}) {
            job.push_back(on_host(node).has(machine).runs_on(cpus).gives("slurm", kSwitch, Name("s0")));
        }
    }
    job.push_back(on_host("c").has(machine).runs_on("0").gives("slurm", kSwitch, Name("s1")));
    job.push_back(on_host("d").has(machine).runs_on("0").gives("slurm", kSwitch, Name("s1")));
    return job;
}

TEST(TreeLocality, levels_of_the_job_are_the_known_ones_and_the_machines_types) {
    EXPECT_EQ(hardware_levels(tree_of(job())),
              (std::vector<std::string>{"hitopo://Switch", "hitopo://Node", "hwloc://Machine",
                                        "hwloc://Package", "hwloc://NUMANode", "hwloc://L3Cache",
                                        "hwloc://Core", "hwloc://PU"}));
}

TEST(TreeLocality, the_three_metrics_walk_differently) {
    const AddressTree tree = tree_of(job());
    const auto around_0 = [&](int hops, Metric metric) { return neighbours(tree, 0, hops, metric); };
    for (const Metric metric : {Metric::kCompute, Metric::kMemory, Metric::kNetwork}) {
        EXPECT_EQ(around_0(0, metric), (Ranks{0}));
    }
    EXPECT_EQ(around_0(1, Metric::kCompute), (Ranks{0})) << "PU";
    EXPECT_EQ(around_0(2, Metric::kCompute), (Ranks{0})) << "Core";
    EXPECT_EQ(around_0(3, Metric::kCompute), (Ranks{0, 1})) << "L3Cache";
    EXPECT_EQ(around_0(99, Metric::kCompute), (Ranks{0, 1})) << "Package";
    EXPECT_EQ(around_0(1, Metric::kMemory), (Ranks{0, 1})) << "NUMANode";
    EXPECT_EQ(around_0(2, Metric::kMemory), (Ranks{0, 1})) << "Package";
    EXPECT_EQ(around_0(3, Metric::kMemory), (Ranks{0, 1, 2, 3})) << "the one board";
    EXPECT_EQ(around_0(1, Metric::kNetwork), (Ranks{0, 1, 2, 3})) << "Node";
    EXPECT_EQ(around_0(2, Metric::kNetwork), (Ranks{0, 1, 2, 3, 4, 5, 6, 7})) << "Switch";
    EXPECT_EQ(around_0(9, Metric::kNetwork), (Ranks{0, 1, 2, 3, 4, 5, 6, 7}))
        << "the end of what is known";
    EXPECT_EQ(neighbours(tree, 3, 1, Metric::kCompute), (Ranks{3})) << "unbound: in no such domain";
}

// Eight processes that are not bound, on a machine of one package; a map tells two sockets of two cores,
// two processes on each.
FakeJob mapped_job(bool has_machine) {
    FakeJob job;
    for (std::uint64_t rank = 0; rank < 8; ++rank) {
        job.push_back(on_host("a")
                          .runs_on("0-3")
                          .gives("file", kSocket, Name::number(rank / 4))
                          .gives("file", kCore, Name::number(rank / 2 % 2)));
        if (has_machine) {
            job.back().has(make_machine({1, 1, 1, 4}));
        }
    }
    return job;
}

TEST(TreeLocality, levels_of_a_map_are_listed_by_what_they_hold) {
    EXPECT_EQ(hardware_levels(tree_of(mapped_job(false))),
              (std::vector<std::string>{"hitopo://Node", "hitopo://Socket", "hitopo://Core"}));
    EXPECT_EQ(hardware_levels(tree_of(mapped_job(true))),
              (std::vector<std::string>{"hitopo://Node", "hwloc://Machine", "hwloc://Package",
                                        "hwloc://NUMANode", "hwloc://L3Cache", "hitopo://Socket",
                                        "hwloc://Core", "hitopo://Core", "hwloc://PU"}));
}

TEST(TreeLocality, questions_know_what_a_map_tells) {
    for (const bool has_machine : {false, true}) {
        SCOPED_TRACE(has_machine);
        const AddressTree tree = tree_of(mapped_job(has_machine));
        EXPECT_EQ(min_domain(tree, {0, 1}), "hitopo://Core");
        EXPECT_EQ(min_domain(tree, {1, 2}), "hitopo://Socket");
        EXPECT_EQ(min_domain(tree, {3, 4}), has_machine ? "hwloc://L3Cache" : "hitopo://Node");
        EXPECT_EQ(neighbours(tree, 5, 1, Metric::kCompute), (Ranks{4, 5})) << "Core";
        EXPECT_EQ(neighbours(tree, 5, 2, Metric::kCompute), (Ranks{4, 5, 6, 7})) << "Socket";
        EXPECT_EQ(neighbours(tree, 5, 3, Metric::kCompute),
                  has_machine ? (Ranks{0, 1, 2, 3, 4, 5, 6, 7}) : (Ranks{4, 5, 6, 7}))
            << "L3Cache";
        EXPECT_EQ(neighbours(tree, 5, 1, Metric::kMemory), (Ranks{4, 5, 6, 7})) << "Socket";
    }
}

std::map<std::string, bool> restricted(const AddressTree& tree, std::uint32_t rank,
                                       const std::optional<CpuSet>& present) {
    std::map<std::string, bool> map;
    for (const Restriction& restriction : restrictions(tree, rank, present)) {
        map[restriction.uri] = restriction.is_restricted;
    }
    return map;
}

TEST(TreeLocality, restrictions_follow_the_present_binding) {
    const AddressTree tree = tree_of(job());
    EXPECT_TRUE(restricted(tree, 2, CpuSet::range(1, 1))["hwloc://Core"]);
    EXPECT_TRUE(restricted(tree, 2, CpuSet::range(1, 1))["hitopo://HWThread"]);
    EXPECT_FALSE(restricted(tree, 2, CpuSet::range(0, 3))["hwloc://Package"]);
    EXPECT_TRUE(restricted(tree, 2, CpuSet::range(0, 3))["hwloc://Machine"]);
}

// By the tree alone: "true" exactly where a guided split gives a communicator.
TEST(TreeLocality, restrictions_are_what_guided_splits_give) {
    const AddressTree tree = tree_of(job());
    for (std::uint32_t rank = 0; rank < tree.size(); ++rank) {
        std::map<std::string, bool> told = restricted(tree, rank, std::nullopt);
        for (const ResourceType& type : resource_types(tree)) {
            EXPECT_EQ(told[type.uri()], !Partition::by_type(tree, type).members(rank).empty())
                << rank << ' ' << type.uri();
        }
    }
}

}  // namespace
}  // namespace hitopo
