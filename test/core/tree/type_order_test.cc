// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/type_order.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "test/core/tree/fake_tree.h"

namespace hitopo {
namespace {

using Ints = std::vector<int>;

// One process for each binding, on one node.
FakeJob job_on(const FakeMachine& machine, const std::vector<const char*>& bindings) {
    FakeJob job;
    for (const char* cpus : bindings) {
        job.push_back(on_host("n").runs_on(cpus));
    }
    job[0].has(machine);
    return job;
}

TEST(TreeTypes, types_stand_outermost_first_with_the_levels_beside_them) {
    FakeMachine machine = make_machine({4, 1, 1, 2, 2});
    machine.types["Group"] = {{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}};
    machine.types["Odd"] = {{0}};
    EXPECT_EQ(uris_of(tree_of(job_on(machine, {"0"}))),
              (std::vector<std::string>{
                  "hitopo://Cluster", "hitopo://Island", "hitopo://Switch", "hitopo://Node",
                  "hwloc://Machine", "hitopo://L2NUMA", "hwloc://Group0", "hwloc://Package",
                  "hitopo://Socket", "hwloc://NUMANode", "hwloc://L3Cache", "hwloc://Core",
                  "hitopo://Core", "hwloc://PU", "hitopo://HWThread", "hwloc://Odd"}));
}

// Two packages of four CPUs in one NUMA node, of which one L3 cache crosses both; a GPU's CPUs are a
// package.
TEST(TreeTypes, what_contains_what_is_read_from_the_machines) {
    FakeMachine machine = make_machine({2, 1, 1, 4});
    machine.types["NUMANode"] = {{0, 1, 2, 3, 4, 5, 6, 7}};
    machine.types["L3Cache"] = {{0, 1}, {2, 3, 4, 5}, {6, 7}};
    machine.types["Die"] = {{0}, {1}};
    machine.types["gpu://Nearest"] = {{0, 1, 2, 3}};
    EXPECT_EQ(uris_of(tree_of(job_on(machine, {"0"}))),
              (std::vector<std::string>{
                  "hitopo://Cluster", "hitopo://Island", "hitopo://Switch", "hitopo://Node",
                  "hwloc://Machine", "hitopo://L2NUMA", "hwloc://NUMANode", "hwloc://Package",
                  "hitopo://Socket", "gpu://Nearest", "hwloc://L3Cache", "hwloc://Die", "hwloc://Core",
                  "hitopo://Core", "hwloc://PU", "hitopo://HWThread"}));
}

// On one node a package holds two NUMA nodes, on the other a NUMA node two packages; both hold L3
// caches.
TEST(TreeTypes, types_that_contain_each_other_keep_the_catalogues_order) {
    FakeMachine wide = make_machine({2, 1, 1, 2});
    wide.types["NUMANode"] = {{0, 1, 2, 3}};
    const std::vector<std::string> uris =
        uris_of(tree_of({on_host("a").has(make_machine({1, 2, 1, 2})).runs_on("0"),
                         on_host("b").has(wide).runs_on("0")}));
    const auto place = [&](const char* uri) { return std::find(uris.begin(), uris.end(), uri); };
    EXPECT_LT(place("hwloc://Package"), place("hwloc://NUMANode"));
    EXPECT_LT(place("hwloc://NUMANode"), place("hwloc://Core"));
    EXPECT_LT(place("hwloc://Machine"), place("hwloc://Package"));
}

// Node b alone says nothing of packages and NUMA nodes, but what the hierarchy of the job calls its
// parts, the splits of its communicators do.
TEST(TreeTypes, types_of_a_communicator_stand_as_those_of_the_job) {
    FakeMachine wide = make_machine({2, 1, 1, 2});
    wide.types["NUMANode"] = {{0, 1, 2, 3}};
    const AddressTree world = tree_of({on_host("a").has(wide).runs_on("0"),
                                       on_host("b").has(make_machine({2, 1, 1, 2})).runs_on("0")});
    EXPECT_EQ(uris_of(world.restrict_to({1})), uris_of(world));
    EXPECT_NE(uris_of(tree_of({on_host("b").has(make_machine({2, 1, 1, 2}))})), uris_of(world));
}

TEST(TreeTypes, the_outermost_groups_of_all_nodes_are_one_type) {
    FakeMachine one = make_machine({4});
    one.types["Group"] = {{0, 1}, {2, 3}};
    FakeMachine two = make_machine({4});
    two.types["Group0"] = {{0, 1}, {2, 3}};
    two.types["Group1"] = {{0}, {1}, {2}, {3}};
    const AddressTree tree =
        tree_of({on_host("a").has(one).runs_on("1"), on_host("b").has(two).runs_on("2-3"),
                 on_host("b").runs_on("3"), on_host("b").runs_on("1-2")});
    EXPECT_EQ(domains_at(tree, "hwloc://Group0"), (Ints{0, 1, 1, -1}));
    EXPECT_EQ(domains_at(tree, "hwloc://Group1"), (Ints{-1, -1, 0, -1}));
}

}  // namespace
}  // namespace hitopo
