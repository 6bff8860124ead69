// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <set>

#include "ompi/mca/hitopo/core/tree/partition.h"
#include "test/core/tree/fake_tree.h"

namespace hitopo {
namespace {

using Strings = std::vector<std::string>;

// The racks of the standard's Figure 7.3 are nodes here. CPU #i of the figure is a Package.
FakeMachine rack(const std::set<CpuNumbers>& numa_nodes, const std::set<CpuNumbers>& packages) {
    FakeMachine machine;
    for (const CpuNumbers& package : packages) {
        for (const int cpu : package) {
            machine.types["Core"].insert({cpu});
            machine.types["PU"].insert({cpu});
        }
    }
    CpuNumbers all;
    for (const CpuNumbers& package : packages) {
        all.insert(package.begin(), package.end());
    }
    machine.types["Machine"] = {all};
    machine.types["NUMANode"] = numa_nodes;
    machine.types["Package"] = packages;
    return machine;
}

FakeJob figure() {
    const FakeMachine rack_0 = rack({{0, 1, 2, 3}, {4, 5, 6, 7}}, {{0, 1}, {2, 3}, {4, 5}, {6, 7}});
    const FakeMachine rack_1 = rack({{0, 1, 2, 3}}, {{0, 1}, {2, 3}});
    FakeJob job;
    for (const char* cpus : {"0", "1", "2", "3", "4", "5", "6-7", "6-7"}) {
        job.push_back(on_host("rack0").has(rack_0).runs_on(cpus));
    }
    for (const char* cpus : {"0", "1", "2", "3"}) {
        job.push_back(on_host("rack1").has(rack_1).runs_on(cpus));
    }
    return job;
}

// Each process's communicators from the outermost in, and their types.
struct Chain {
    std::vector<Ranks> ranks;
    Strings types;
    std::vector<Ranks> roots;
};
Chain chain_of(const AddressTree& tree, std::uint32_t rank) {
    Chain chain;
    for (const HierarchyStep& step : make_hierarchy(tree, rank).steps) {
        chain.ranks.push_back(step.ranks);
        chain.types.push_back(step.type);
        chain.roots.push_back(step.roots);
    }
    return chain;
}

TEST(TreeHierarchy, the_standards_figure_7_3) {
    const AddressTree tree = tree_of(figure());
    const Ranks rack_0 = {0, 1, 2, 3, 4, 5, 6, 7};
    const Ranks rack_1 = {8, 9, 10, 11};
    const Chain p0 = chain_of(tree, 0);
    EXPECT_EQ(p0.ranks, (std::vector<Ranks>{rack_0, {0, 1, 2, 3}, {0, 1}, {0}}));
    EXPECT_EQ(p0.types,
              (Strings{"hwloc://Machine", "hwloc://NUMANode", "hwloc://Package", "hwloc://PU"}));
    EXPECT_EQ(p0.roots, (std::vector<Ranks>{{0, 8}, {0, 4}, {0, 2}, {0, 1}}));
    EXPECT_EQ(chain_of(tree, 5).ranks, (std::vector<Ranks>{rack_0, {4, 5, 6, 7}, {4, 5}, {5}}));
    EXPECT_EQ(chain_of(tree, 5).roots, (std::vector<Ranks>{{}, {}, {}, {4, 5}}));
    EXPECT_EQ(chain_of(tree, 6).ranks, (std::vector<Ranks>{rack_0, {4, 5, 6, 7}, {6, 7}}))
        << "may use both cores of CPU 3";
    EXPECT_EQ(chain_of(tree, 7).types,
              (Strings{"hwloc://Machine", "hwloc://NUMANode", "hwloc://Package"}));
    EXPECT_EQ(chain_of(tree, 8).ranks, (std::vector<Ranks>{rack_1, {8, 9}, {8}}));
    EXPECT_EQ(chain_of(tree, 8).types, (Strings{"hwloc://NUMANode", "hwloc://Package", "hwloc://PU"}))
        << "the deepest that is all of rack 1";
    EXPECT_EQ(make_hierarchy(tree, 8).depth, 4U) << "of the whole job";
}

// Package {A,B} crosses Die {B,C,D}, in which L3Cache {C,D} and L2Cache {C} lie. Where three processes
// are on A, Package stands, and beside it L3Cache; where one is, Die does, and L3Cache is in it.
TEST(TreeHierarchy, depth_counts_the_processes_of_a_seat_where_domains_cross) {
    FakeMachine machine;
    machine.types["Machine"] = {{0, 1, 2, 3, 4, 5, 6, 7}};
    machine.types["Package"] = {{0, 1, 2, 3}};
    machine.types["Die"] = {{2, 3, 4, 5, 6, 7}};
    machine.types["L3Cache"] = {{4, 5, 6, 7}};
    machine.types["L2Cache"] = {{4, 5}};
    FakeJob job;
    for (const char* host : {"a", "b"}) {
        for (const char* cpus : {"0-1", "2-3", "4-5", "6-7", "0-1", "0-1"}) {
            job.push_back(on_host(host).has(machine).runs_on(cpus));
        }
    }
    const AddressTree flat = tree_of(job);
    EXPECT_EQ(make_hierarchy(flat, 0).depth, 3U) << "L3Cache, L2Cache";
    EXPECT_EQ(make_hierarchy(flat, 2).steps.size(), 3U);
    const AddressTree deep = flat.restrict_to({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    EXPECT_EQ(make_hierarchy(deep, 2).steps.size(), 3U);
    EXPECT_EQ(make_hierarchy(deep, 2).depth, 4U) << "at node b: Die, L3Cache, L2Cache";
    EXPECT_EQ(make_hierarchy(deep, 8).steps.size(), 4U);
}

}  // namespace
}  // namespace hitopo
