// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// All expectations below were worked out with pencil and paper from the standard, docs/design.md and the
// machines as lstopo draws them.
#include "test/mpi/oracle/split_oracle_check.h"

#include <climits>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "test/mpi/oracle/split_oracle.h"
#include "test/mpi/oracle/split_text.h"

namespace split_oracle {
namespace {

int num_failed = 0;

void expect(const char* what, const std::string& is, const std::string& should_be) {
    if (is != should_be) {
        std::fprintf(stderr, "self-check: %s\n    is        %s\n    should be %s\n", what, is.c_str(),
                     should_be.c_str());
        ++num_failed;
    }
}

std::shared_ptr<const Machine> machine(const char* synthetic) {
    return std::make_shared<const Machine>(Machine::load(synthetic));
}

Process on(int node, const char* cpus) { return {node, Cpus::parse(cpus)}; }

std::string instances_text(const std::vector<Cpus>& instances) {
    std::vector<std::string> lists;
    for (const Cpus& set : instances) {
        lists.push_back(set.list());
    }
    return joined(lists);
}

Ranks first(int count) {
    Ranks ranks;
    for (int rank = 0; rank < count; ++rank) {
        ranks.push_back(rank);
    }
    return ranks;
}

// Guided splits of the first `count` ranks: by type, what comes out.
void expect_guided(const std::string& what, const Job& job, int count,
                   const std::vector<std::pair<const char*, const char*>>& splits) {
    for (const auto& [type, should_be] : splits) {
        expect((what + ", " + type).c_str(), to_text(job.guided(first(count), type)), should_be);
    }
}

// By rank.
void expect_hierarchies(const std::string& what, const std::vector<std::vector<Step>>& steps,
                        const std::map<std::size_t, std::string>& hierarchies) {
    for (const auto& [rank, should_be] : hierarchies) {
        expect((what + ", hierarchy of P" + std::to_string(rank)).c_str(), to_text(steps[rank]),
               should_be);
    }
}

// Figure 7.3 of the standard; racks are nodes. On rack 0, NUMA node n has CPUs (packages) 2n and 2n+1,
// and package p has cores 2p and 2p+1. P0..P5 have a core each, P6 and P7 both cores of the last
// package; on rack 1, P8..P11 have a core each.
void check_figure_7_3() {
    const std::vector<Node> racks = {{machine("numa:2 pack:2 core:2 pu:1"), "", "", ""},
                                     {machine("pack:2 core:2 pu:1"), "", "", ""}};
    std::vector<Process> processes;
    for (const char* core : {"0", "1", "2", "3", "4", "5", "6-7", "6-7"}) {
        processes.push_back(on(0, core));
    }
    for (const char* core : {"0", "1", "2", "3"}) {
        processes.push_back(on(1, core));
    }
    const Job job(racks, processes);

    expect("Figure 7.3, step 0", to_text(job.unguided(first(12))),
           "{0,1,2,3,4,5,6,7} hwloc://Machine, {8,9,10,11} hwloc://NUMANode");
    expect("Figure 7.3, step 1, rack 0", to_text(job.unguided({0, 1, 2, 3, 4, 5, 6, 7})),
           "{0,1,2,3} hwloc://NUMANode, {4,5,6,7} hwloc://NUMANode");
    expect("Figure 7.3, step 1, rack 1", to_text(job.unguided({8, 9, 10, 11})),
           "{8,9} hwloc://Package, {10,11} hwloc://Package");
    expect("Figure 7.3, step 2, P0", to_text(job.unguided({0, 1, 2, 3})),
           "{0,1} hwloc://Package, {2,3} hwloc://Package");
    expect("Figure 7.3, step 2, P4", to_text(job.unguided({4, 5, 6, 7})),
           "{4,5} hwloc://Package, {6,7} hwloc://Package");
    expect("Figure 7.3, step 2, P8", to_text(job.unguided({8, 9})), "{8} hwloc://PU, {9} hwloc://PU");
    expect("Figure 7.3, step 3, P4", to_text(job.unguided({4, 5})), "{4} hwloc://PU, {5} hwloc://PU");
    expect("Figure 7.3, step 3, P6", to_text(job.unguided({6, 7})), "none");
    expect("Figure 7.3, step 3, P8", to_text(job.unguided({8})), "none");

    const std::string rack_0 = "{0,1,2,3,4,5,6,7} hwloc://Machine roots ";
    const std::string rack_1 = "{8,9,10,11} hwloc://NUMANode roots ";
    const std::map<std::size_t, std::string> hierarchies = {
        {0, rack_0 + "{0,8}, {0,1,2,3} hwloc://NUMANode roots {0,4}, "
                     "{0,1} hwloc://Package roots {0,2}, {0} hwloc://PU roots {0,1}"},
        {3, rack_0 + "NULL, {0,1,2,3} hwloc://NUMANode roots NULL, {2,3} hwloc://Package roots NULL, "
                     "{3} hwloc://PU roots {2,3}"},
        {6, rack_0 + "NULL, {4,5,6,7} hwloc://NUMANode roots NULL, {6,7} hwloc://Package roots {4,6}"},
        {7, rack_0 + "NULL, {4,5,6,7} hwloc://NUMANode roots NULL, {6,7} hwloc://Package roots NULL"},
        {8, rack_1 + "{0,8}, {8,9} hwloc://Package roots {8,10}, {8} hwloc://PU roots {8,9}"},
        {11, rack_1 + "NULL, {10,11} hwloc://Package roots NULL, {11} hwloc://PU roots {10,11}"}};
    expect_hierarchies("Figure 7.3", job.hierarchy(first(12)), hierarchies);
}

// P0 has a whole package, P1 one of its cores, P2 a core of each package, P3 a core of the second.
void check_spanning() {
    const Job job({{machine("pack:2 core:2 pu:1"), "", "", ""}},
                  {on(0, "0-1"), on(0, "0"), on(0, "1-2"), on(0, "3")});
    expect_guided("spanning", job, 4,
                  {{"hwloc://Package", "{0,1} hwloc://Package, {3} hwloc://Package"},
                   {"hwloc://Core", "{1} hwloc://Core, {3} hwloc://Core"},
                   {"hwloc://NUMANode", "{0,1,2,3} hwloc://NUMANode"},
                   {"hwloc://L3Cache", "none"}});
    expect("spanning, OMPI_COMM_TYPE_CORE", to_text(job.guided_without_null(first(4), "hwloc://Core")),
           "{0} hwloc://Core, {1} hwloc://Core, {2} hwloc://Core, {3} hwloc://Core");
    expect("spanning, resources of P0", to_text(job.resource_info(0)),
           "hitopo://Cluster=false hitopo://Core=false hitopo://HWThread=false hitopo://Island=false "
           "hitopo://L2NUMA=true hitopo://Node=true hitopo://Socket=true hitopo://Switch=false "
           "hwloc://Core=false hwloc://Machine=true hwloc://NUMANode=true hwloc://PU=false "
           "hwloc://Package=true");
    expect("spanning, unguided", to_text(job.unguided(first(4))),
           "{0,1} hwloc://Package, {3} hwloc://PU");
    expect_hierarchies("spanning", job.hierarchy(first(4)),
                       {{0, "{0,1} hwloc://Package roots {0,3}"},
                        {1, "{0,1} hwloc://Package roots NULL, {1} hwloc://PU roots {1}"},
                        {2, "none"}});
    // Within P0, P2 and P3, package 0 holds P0 alone.
    expect("spanning, unguided without P1", to_text(job.unguided({3, 2, 0})),
           "{3} hwloc://PU, {0} hwloc://Package");
}

// Core 2 has the CPUs 4 and 5; all four processes are on it.
void check_shared_pu() {
    const Job job({{machine("pack:1 l3:2 core:2 pu:2"), "", "", ""}},
                  {on(0, "5"), on(0, "4"), on(0, "5"), on(0, "5")});
    expect_guided("shared PU", job, 4,
                  {{"hwloc://L3Cache", "{0,1,2,3} hwloc://L3Cache"},
                   {"hwloc://PU", "{0,2,3} hwloc://PU, {1} hwloc://PU"}});
    expect("shared PU, unguided", to_text(job.unguided(first(4))), "{0,2,3} hwloc://PU, {1} hwloc://PU");
    expect("shared PU, unguided again", to_text(job.unguided({0, 2, 3})), "none");
}

// Five processes on four nodes of one CPU. Both islands have a switch s; node 2's switch is unknown, and
// of node 3 everything. P4 is on node 0 again.
void check_network() {
    const auto tiny = machine("core:1 pu:1");
    const Job job(
        {{tiny, "", "east", "s"}, {tiny, "", "west", "s"}, {tiny, "", "west", ""}, {tiny, "", "", ""}},
        {on(0, "0"), on(1, "0"), on(2, "0"), on(3, "0"), on(0, "0")});
    expect("network, types", joined(job.listed_types()),
           "hitopo://Island hitopo://Switch hitopo://Node hwloc://Machine hwloc://NUMANode hwloc://Core "
           "hwloc://PU");
    expect_guided("network", job, 5,
                  {{"hitopo://Switch", "{0,4} hitopo://Switch, {1} hitopo://Switch"},
                   {"hitopo://Island", "{0,4} hitopo://Island, {1,2} hitopo://Island"},
                   {"hitopo://Cluster", "none"}});
    expect("network, OMPI_COMM_TYPE_CU", to_text(job.guided_without_null(first(5), "hitopo://Switch")),
           "{0,4} hitopo://Switch, {1} hitopo://Switch, {2} hitopo://Switch, {3} hitopo://Switch");
    expect("network, OMPI_COMM_TYPE_CU where nobody knows a switch",
           to_text(job.guided_without_null({2, 3}, "hitopo://Switch")),
           "{2} hitopo://Node, {3} hitopo://Node");
    expect("network, OMPI_COMM_TYPE_CLUSTER",
           to_text(job.guided_without_null(first(5), "hitopo://Cluster")),
           "{0,4} hitopo://Node, {1} hitopo://Node, {2} hitopo://Node, {3} hitopo://Node");
    expect_hierarchies("network", job.hierarchy(first(5)),
                       {{0, "{0,4} hwloc://PU roots {0,1,3}"},
                        {1, "{1,2} hitopo://Island roots {0,1,3}, {1} hwloc://PU roots {1,2}"},
                        {3, "{3} hwloc://PU roots {0,1,3}"}});
}

std::string members_text(const std::vector<Made>& made) {
    std::vector<std::string> texts;
    for (const Made& own : made) {
        texts.push_back(to_text(own.members));
    }
    return joined(texts);
}

std::string roots_text(const Ranks& comm, const std::vector<Made>& made) {
    std::vector<std::string> texts;
    for (const Ranks& own : roots(comm, made)) {
        texts.push_back(to_text(own));
    }
    return joined(texts);
}

void check_order() {
    const auto four = machine("core:4 pu:1");
    const std::vector<Node> nodes = {{four, "", "", ""}, {four, "", "", ""}};
    const Job one_node(nodes, {on(0, "0-3"), on(0, "0-3"), on(0, "0-3"), on(0, "0-3"), on(0, "0-3")});
    const Ranks shuffled = {4, 0, 3, 1, 2};
    const Split split = one_node.guided(shuffled, "hitopo://Node");
    const std::vector<Request> requests = {
        {true, 7}, {true, -5}, {false, -9}, {true, -5}, {true, INT_MIN}};
    const std::vector<Made> plain = make(shuffled, split, requests, false);
    expect("order by key, then rank", members_text(plain),
           "{2,0,1,4} {2,0,1,4} NULL {2,0,1,4} {2,0,1,4}");
    expect("order, roots", roots_text(shuffled, plain), "NULL NULL NULL NULL {2}");
    const std::vector<Made> led = make(shuffled, split, requests, true);
    expect("order, rank 0 leads", members_text(led), "{4,2,0,1} {4,2,0,1} NULL {4,2,0,1} {4,2,0,1}");
    expect("order, roots where rank 0 leads", roots_text(shuffled, led), "{4} NULL NULL NULL NULL");

    const Job two_nodes(nodes, {on(0, "0"), on(0, "1"), on(1, "0"), on(1, "1")});
    const std::vector<Made> without_0 = make(first(4), two_nodes.guided(first(4), "hitopo://Node"),
                                             {{false, 0}, {true, 0}, {true, 5}, {true, 4}}, true);
    expect("order, rank 0 abstains", members_text(without_0), "NULL {1} {3,2} {3,2}");
    expect("order, roots where rank 0 abstains", roots_text(first(4), without_0),
           "NULL {1,3} NULL {1,3}");

    // Without P0 its child {3} comes after {1,2}.
    const Job mixed(nodes, {on(0, "0"), on(1, "0"), on(1, "1"), on(0, "1")});
    const std::vector<Made> numbered = make(first(4), mixed.guided(first(4), "hitopo://Node"),
                                            {{false, 0}, {true, 0}, {true, 0}, {true, 0}}, false);
    expect("order, number of a child",
           std::to_string(numbered[3].number) + " of " + std::to_string(numbered[3].num_siblings),
           "1 of 2");
}

// Two boards of two pairs of packages; P0 has a board, P2 a CPU of each board, P3 a pair of packages.
void check_groups() {
    const auto boards = machine("group:2 group:2 pack:2 core:1 pu:1");
    expect("groups, boards", instances_text(boards->boards), "0-3 4-7");
    expect("groups, Group1", instances_text(boards->instances("Group1")), "0-1 2-3 4-5 6-7");
    const Job job({{boards, "", "", ""}}, {on(0, "0-3"), on(0, "2"), on(0, "3-4"), on(0, "6-7")});
    expect("groups, OMPI_COMM_TYPE_BOARD", to_text(job.guided_without_null(first(4), "hitopo://L2NUMA")),
           "{0,1} hitopo://L2NUMA, {2} hitopo://L2NUMA, {3} hitopo://L2NUMA");
    expect("groups, OMPI_COMM_TYPE_BOARD where nobody knows a board",
           to_text(job.guided_without_null({2}, "hitopo://L2NUMA")), "{2} hitopo://Node");
    expect_guided("groups", job, 4,
                  {{"hitopo://L2NUMA", "{0,1} hitopo://L2NUMA, {3} hitopo://L2NUMA"},
                   {"hwloc://Group1", "{1} hwloc://Group1, {3} hwloc://Group1"},
                   {"hwloc://Group0", "{0,1} hwloc://Group0, {3} hwloc://Group0"}});
    expect("groups, unguided", to_text(job.unguided(first(4))),
           "{0,1} hwloc://Group0, {3} hwloc://Group1");
}

// Each package has memory without CPUs beside the memory of its halves.
void check_memory_only_nodes() {
    const auto mixed = machine("pack:2 [numa] group:2 [numa] core:2 pu:1");
    expect("memory, NUMANode", instances_text(mixed->instances("NUMANode")), "0-1 2-3 4-5 6-7");
    expect("memory, boards", instances_text(mixed->boards), "");
    const Job job({{mixed, "", "", ""}}, {on(0, "0-3"), on(0, "0-1"), on(0, "1")});
    expect_guided("memory", job, 3,
                  {{"hwloc://NUMANode", "{1,2} hwloc://NUMANode"},
                   {"hitopo://L2NUMA", "{0,1,2} hitopo://L2NUMA"}});
}

void check_instruction_caches() {
    const Job apart({{machine("pack:2 l2:2 l1i:1 l1d:2 core:1 pu:1"), "", "", ""}},
                    {on(0, "2"), on(0, "3")});
    expect_guided("caches of two cores", apart, 2,
                  {{"hwloc://L1iCache", "{0,1} hwloc://L1iCache"},
                   {"hwloc://L1Cache", "{0} hwloc://L1Cache, {1} hwloc://L1Cache"}});
    const Job twins({{machine("pack:2 l2:2 l1d:2 l1i:1 core:1 pu:1"), "", "", ""}},
                    {on(0, "2"), on(0, "3")});
    expect_guided("instruction cache like the data cache", twins, 2, {{"hwloc://L1iCache", "none"}});
}

}  // namespace

int check_oracle() {
    check_figure_7_3();
    check_spanning();
    check_shared_pu();
    check_network();
    check_order();
    check_groups();
    check_memory_only_nodes();
    check_instruction_caches();
    return num_failed;
}

}  // namespace split_oracle
