// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/type_order.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ompi/mca/hitopo/core/tree/partition.h"
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

TEST(TreeTypes, all_eight_levels_are_there_without_a_machine) {
    const AddressTree tree = tree_of({on_host("a"), on_host("b")});
    EXPECT_EQ(uris_of(tree).size(), 8U);
    EXPECT_EQ(domains_at(tree, "hitopo://Node"), (Ints{0, 1}));
    for (const char* uri : {"hitopo://Cluster", "hitopo://Switch", "hitopo://L2NUMA", "hitopo://Socket",
                            "hitopo://Core", "hitopo://HWThread"}) {
        EXPECT_EQ(domains_at(tree, uri), (Ints{-1, -1})) << uri << " is known to nobody";
    }
}

TEST(TreeTypes, a_level_known_on_some_nodes_holds_their_processes) {
    const AddressTree tree = tree_of({on_host("a"), on_host("b").gives("slurm", kSwitch, Name("s")),
                                      on_host("c").gives("slurm", kSwitch, Name("s")),
                                      on_host("d").gives("slurm", kSwitch, Name("r"))});
    EXPECT_EQ(domains_at(tree, "hitopo://Switch"), (Ints{-1, 1, 1, 0}));
}

TEST(TreeTypes, socket_0_of_two_nodes_is_two) {
    const FakeMachine machine = make_machine({2, 1, 1, 2});
    const AddressTree tree =
        tree_of({on_host("a").has(machine).runs_on("0"), on_host("a").runs_on("3"),
                 on_host("b").has(machine).runs_on("1"), on_host("b").runs_on("0-1")});
    EXPECT_EQ(values_of(tree, kSocket), (Ints{0, 1, 0, 0}));
    EXPECT_EQ(domains_at(tree, "hitopo://Socket"), (Ints{0, 1, 2, 2}));
    EXPECT_EQ(domains_at(tree, "hwloc://Package"), (Ints{0, 1, 2, 2}));
}

// ---- restricted ----

TEST(TreeTypes, two_cores_of_one_l3_and_of_two) {
    const AddressTree tree =
        tree_of(job_on(make_machine({1, 1, 2, 2}), {"0-1", "1-2", "3", "2-3", "0"}));
    EXPECT_EQ(domains_at(tree, "hwloc://L3Cache"), (Ints{0, -1, 1, 1, 0}));
    EXPECT_EQ(domains_at(tree, "hwloc://Core"), (Ints{-1, -1, 1, -1, 0}));
    EXPECT_EQ(domains_at(tree, "hwloc://Package"), (Ints{0, 0, 0, 0, 0}));
}

TEST(TreeTypes, two_numa_nodes_under_one_l3_give_no_numa_node_but_an_l3) {
    FakeMachine machine = make_machine({1, 2, 1, 2});
    machine.types["L3Cache"] = {{0, 1, 2, 3}};
    const AddressTree tree = tree_of(job_on(machine, {"1-2", "0-1"}));
    EXPECT_EQ(domains_at(tree, "hwloc://NUMANode"), (Ints{-1, 0}));
    EXPECT_EQ(domains_at(tree, "hwloc://L3Cache"), (Ints{0, 0}));
}

TEST(TreeTypes, an_instance_of_all_cpus_contains_the_unbound) {
    const AddressTree tree = tree_of(job_on(make_machine({2, 1, 1, 2}), {"0-3", "0"}));
    EXPECT_EQ(domains_at(tree, "hwloc://Machine"), (Ints{0, 0}));
    EXPECT_EQ(domains_at(tree, "hitopo://L2NUMA"), (Ints{0, 0}));
    EXPECT_EQ(domains_at(tree, "hwloc://Package"), (Ints{-1, 0}));
}

TEST(TreeTypes, hwthread_is_the_physical_thread_alone) {
    const AddressTree tree = tree_of(job_on(make_machine({1, 1, 1, 2, 2}), {"0-1", "0", "0", "1", "3"}));
    EXPECT_EQ(domains_at(tree, "hitopo://HWThread"), (Ints{-1, 0, 0, 1, 2}));
    EXPECT_EQ(domains_at(tree, "hitopo://Core"), (Ints{0, 0, 0, 0, 1}));
    EXPECT_EQ(values_of(tree, kHwThread), (Ints{3, 0, 1, 2, 0})) << "the address counts processes";
}

TEST(TreeTypes, hardware_threads_of_a_machine_without_cores) {
    FakeMachine machine = make_machine({2, 1, 1, 2});
    machine.types.erase("Core");
    const AddressTree tree = tree_of(job_on(machine, {"0", "3", "0-1"}));
    EXPECT_EQ(domains_at(tree, "hitopo://HWThread"), (Ints{0, 1, -1}));
    EXPECT_EQ(domains_at(tree, "hitopo://Core"), (Ints{-1, -1, -1}));
}

TEST(TreeTypes, what_the_machine_does_not_cover_is_in_no_domain_of_the_inside) {
    const AddressTree tree = tree_of(job_on(make_machine({1, 1, 1, 2}), {"0", "1-2", ""}));
    for (const char* uri :
         {"hwloc://Machine", "hitopo://L2NUMA", "hitopo://Socket", "hwloc://Package"}) {
        EXPECT_EQ(domains_at(tree, uri), (Ints{0, -1, -1})) << uri;
    }
    EXPECT_EQ(domains_at(tree, "hitopo://Node"), (Ints{0, 0, 0}));
}

TEST(TreeTypes, instances_that_cross_hold_nobody_twice) {
    FakeMachine machine = make_machine({1, 1, 1, 4});
    machine.types["Odd"] = {{0, 1, 2}, {1, 2, 3}};
    const AddressTree tree = tree_of(job_on(machine, {"0", "1", "1-2", "3", "2-3", "0-3"}));
    EXPECT_EQ(domains_at(tree, "hwloc://Odd"), (Ints{0, -1, -1, 1, 1, -1}));
}

TEST(TreeTypes, groups_of_several_depths_are_several_types) {
    FakeMachine machine = make_machine({4});
    machine.types["Group0"] = {{0, 1}, {2, 3}};
    machine.types["Group1"] = {{0}, {1}, {2}, {3}};
    const AddressTree tree = tree_of(job_on(machine, {"0", "2-3"}));
    EXPECT_EQ(domains_at(tree, "hwloc://Group0"), (Ints{0, 1}));
    EXPECT_EQ(domains_at(tree, "hwloc://Group1"), (Ints{0, -1}));
    EXPECT_EQ(domains_at(tree, "hitopo://L2NUMA"), (Ints{0, 1}));
}

// ---- several nodes ----

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

TEST(TreeTypes, a_type_that_one_node_lacks_holds_the_others) {
    FakeMachine plain = make_machine({1, 1, 1, 2});
    plain.types.erase("L3Cache");
    const AddressTree tree =
        tree_of({on_host("a").has(plain).runs_on("0"),
                 on_host("b").has(make_machine({1, 1, 2, 1})).runs_on("1"), on_host("c").runs_on("0")});
    EXPECT_EQ(domains_at(tree, "hwloc://L3Cache"), (Ints{-1, 0, -1}));
}

TEST(TreeTypes, only_types_of_the_communicators_nodes_are_listed) {
    FakeMachine odd = make_machine({});
    odd.types["Odd"] = {{0}};
    const AddressTree world = tree_of({on_host("a").has(odd), on_host("b").has(make_machine({}))});
    EXPECT_EQ(uris_of(world).size(), uris_of(world.restrict_to({1})).size() + 1);
    EXPECT_TRUE(domains_at(world.restrict_to({1}), "hwloc://Odd").empty());
}

TEST(TreeTypes, counts_its_domains) {
    const AddressTree tree = tree_of(job_on(make_machine({2, 1, 1, 2}), {"0", "1", "3", "0-3"}));
    for (const ResourceType& type : resource_types(tree)) {
        const std::vector<int> domains = domains_at(tree, type.uri());
        EXPECT_EQ(static_cast<int>(Partition::by_type(tree, type).count()),
                  *std::max_element(domains.begin(), domains.end()) + 1)
            << type.uri();
    }
}

}  // namespace
}  // namespace hitopo
