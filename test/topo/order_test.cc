// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Tests order.cc, cost.cc, graph.cc and swaps.cc.
#include "ompi/mca/topo/hitopo/core/order.h"

#include <gtest/gtest.h>

#include <array>

#include "test/topo/random_machine.h"

namespace hitopo::topo {
namespace {

Cost cost_of_order(const std::vector<Address>& addresses, const std::vector<Edge>& edges,
                   const PerProcess& new_rank) {
    return PlainCounter(addresses).cost(edges, inverse(new_rank));
}

// The promise of every order.
void expect_sound(const Order& order, const std::vector<Address>& addresses,
                  const std::vector<Edge>& edges) {
    ASSERT_EQ(order.new_rank.size(), addresses.size());
    ASSERT_TRUE(is_permutation(order.new_rank));
    const Cost before = cost_of_order(addresses, edges, identity(addresses.size()));
    const Cost after = cost_of_order(addresses, edges, order.new_rank);
    const LevelGroups groups(addresses);
    EXPECT_EQ(cost_of(order.before, groups, {}), before);
    EXPECT_EQ(cost_of(order.after, groups, {}), after);
    if (order.is_identity()) {
        EXPECT_EQ(order.new_rank, identity(addresses.size()));
    } else {
        EXPECT_LT(after, before);
    }
}

// check(random, addresses): of up to `max_processes` processes on machines of all kinds.
template <class Check>
void on_machines(int num_machines, std::size_t max_processes, Random random, Check check) {
    for (int i = 0; i < num_machines; ++i) {
        SCOPED_TRACE(i);
        const std::size_t num = 1 + random() % max_processes;
        check(random, random_addresses(random, num));
    }
}

TEST(GridOrder, is_a_permutation_that_costs_no_more_on_any_machine) {
    on_machines(400, 60, Random(1), [](Random& random, const std::vector<Address>& addresses) {
        const Grid grid = random_grid(random, static_cast<std::uint32_t>(addresses.size()));
        expect_sound(grid_order(grid, LevelGroups(addresses), {}), addresses, edges_of(grid));
    });
}

Cost least_of_all(const std::vector<Address>& addresses, const std::vector<Edge>& edges) {
    std::vector<std::uint32_t> rank_with = identity(addresses.size());
    const PlainCounter counter(addresses);
    Cost least = counter.cost(edges, rank_with);
    while (std::next_permutation(rank_with.begin(), rank_with.end())) {
        least = std::min(least, counter.cost(edges, rank_with));
    }
    return least;
}

// Nothing of 8 processes can be better, where nodes are full and equal.
TEST(GridOrder, is_the_best_of_all_on_regular_machines) {
    const auto addresses = regular(2, 1, 2, 1, 2);
    for (const Grid& grid : {Grid{{2, 4}, {false, false}}, Grid{{4, 2}, {true, false}},
                             Grid{{2, 2, 2}, {false, false, false}}, Grid{{8}, {true}}}) {
        const Order order = grid_order(grid, LevelGroups(addresses), {});
        EXPECT_EQ(cost_of_order(addresses, edges_of(grid), order.new_rank),
                  least_of_all(addresses, edges_of(grid)));
    }
}

// Unequal nodes in any order: the best for most, never better than the best.
TEST(GridOrder, is_mostly_the_best_of_all_on_random_machines) {
    Random random(7);
    int num_best = 0;
    constexpr int kNum = 60;
    for (int i = 0; i < kNum; ++i) {
        const auto addresses = random_addresses(random, 6);
        const Grid grid = {{3, 2}, {random() % 2 == 0, false}};
        const Order order = grid_order(grid, LevelGroups(addresses), {});
        const Cost own = cost_of_order(addresses, edges_of(grid), order.new_rank);
        const Cost best = least_of_all(addresses, edges_of(grid));
        EXPECT_GE(own, best);
        num_best += own == best ? 1 : 0;
    }
    EXPECT_GE(num_best, kNum * 8 / 10);
}

// 2 islands x 4 switches x 8 nodes x 48, as docs/order.md has them: island, switch, node. A k-d tree
// cuts 64 x 48 into squares of 32 x 24 for each switch, 8 x 6 for each node; of 16 x 16 x 12 boxes of 4
// x 4 x 3 for each node, by hand.
TEST(GridOrder, gets_what_boxes_give) {
    const auto addresses = regular(2, 4, 8, 2, 24);
    const LevelGroups groups(addresses);
    ASSERT_EQ(groups.levels(), (std::vector<Level>{kIsland, kSwitch, kNode, kSocket}));
    Crossings flat = grid_order({{64, 48}, {false, false}}, groups, {}).after;
    flat.pop_back();
    EXPECT_EQ(flat, (Crossings{96, 416, 1568}));
    Crossings deep = grid_order({{16, 16, 12}, {false, false, false}}, groups, {}).after;
    deep.pop_back();
    EXPECT_EQ(deep, (Crossings{384, 1280, 3840}));
}

TEST(GridOrder, is_the_identity_where_nothing_can_be_gained) {
    // A row of 8 along 4 nodes of 2.
    const Order row = grid_order({{8}, {false}}, LevelGroups(regular(1, 1, 4, 1, 2)), {});
    EXPECT_TRUE(row.is_identity());
    // One node: no level divides.
    const Order one = grid_order({{4, 2}, {false, false}}, LevelGroups(regular(1, 1, 1, 1, 8)), {});
    EXPECT_TRUE(one.is_identity());
    EXPECT_EQ(one.before, Crossings());
}

TEST(GridOrder, looks_at_the_dearest_level_first) {
    // Both nodes of 4 on 4 x 2: by slot 4 pairs cross, as rows of 2; a capacity changes no order of one
    // level.
    const auto addresses = regular(1, 2, 2, 1, 2);
    const Grid grid = {{4, 2}, {false, false}};
    Capacities wide_switches = {};
    wide_switches[kSwitch] = 1000;
    const LevelGroups groups(addresses);
    const Order order = grid_order(grid, groups, wide_switches);
    const Cost cost = cost_of(order.after, groups, wide_switches);
    EXPECT_DOUBLE_EQ(cost.front(), static_cast<double>(order.after[1]) / 4);  // of nodes
    EXPECT_LE(cost.front(), cost_of(grid_order(grid, groups, {}).after, groups, wide_switches).front());
}

TEST(GraphOrder, is_a_permutation_that_costs_no_more_on_any_machine) {
    on_machines(100, 40, Random(3), [](Random& random, const std::vector<Address>& addresses) {
        const std::size_t num = addresses.size();
        Graph graph;
        graph.num_vertices = static_cast<std::uint32_t>(num);
        for (std::size_t e = random() % (4 * num); e > 0; --e) {
            const auto vertex = [&] { return static_cast<std::uint32_t>(random() % num); };
            graph.edges.push_back({vertex(), vertex(), random() % 1000});
        }
        expect_sound(graph_order(graph, LevelGroups(addresses), {}), addresses, graph.edges);
    });
}

// Four pairs, each of two processes on two nodes: each pair comes together.
TEST(GraphOrder, puts_pairs_on_one_node) {
    const auto addresses = regular(1, 1, 4, 1, 2);
    Graph graph;
    graph.num_vertices = 8;
    for (std::uint32_t v = 0; v < 4; ++v) {
        graph.edges.push_back({v, v + 4, 10});
    }
    const Order order = graph_order(graph, LevelGroups(addresses), {});
    EXPECT_EQ(order.before, Crossings{40});
    EXPECT_EQ(order.after, Crossings{0});
    EXPECT_EQ(order.candidate, "bisection");
}

// Pairs change places by chance, and stay where that costs no more.
Cost climb(const PlainCounter& counter, const Graph& graph, std::vector<std::uint32_t> rank_with,
           Random& random) {
    Cost cost = counter.cost(graph.edges, rank_with);
    for (int i = 0; i < 1500; ++i) {
        std::uint32_t& one = rank_with[random() % rank_with.size()];
        std::uint32_t& other = rank_with[random() % rank_with.size()];
        std::swap(one, other);
        Cost then = counter.cost(graph.edges, rank_with);
        if (then <= cost) {
            cost = std::move(then);
        } else {
            std::swap(one, other);
        }
    }
    return cost;
}

Graph random_graph(Random& random, std::uint32_t num_vertices) {
    constexpr std::array<std::uint64_t, 3> kBytes = {1, 10, 1000};
    Graph graph = {num_vertices, {}};
    for (std::uint32_t e = 3 * num_vertices; e > 0; --e) {
        const std::uint32_t from = random() % num_vertices, to = random() % num_vertices;
        graph.edges.push_back({from, to, kBytes[random() % kBytes.size()]});
    }
    return graph;
}

// From our order and from any other.
TEST(GraphOrder, costs_no_more_than_a_climber_by_chance_finds) {
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
        SCOPED_TRACE(seed);
        Random random(seed);
        const auto addresses = random_addresses(random, 22);
        const Graph graph = random_graph(random, 22);
        const Order order = graph_order(graph, LevelGroups(addresses), {});
        const PlainCounter counter(addresses);
        std::vector<std::uint32_t> start = inverse(order.new_rank);
        const Cost own = counter.cost(graph.edges, start);
        if (own.empty()) {
            continue;  // one node
        }
        for (int attempt = 0; attempt < 6; ++attempt) {
            EXPECT_LE(own.front(), 1.02 * climb(counter, graph, start, random).front()) << attempt;
            std::shuffle(start.begin(), start.end(), random);
        }
    }
}

TEST(GraphOrder, is_the_same_each_time) {
    Random random(5);
    const LevelGroups groups(random_addresses(random, 40));
    const Graph graph = random_graph(random, 40);
    const Order order = graph_order(graph, groups, {});
    EXPECT_EQ(order.candidate, "swaps");
    EXPECT_EQ(graph_order(graph, groups, {}).new_rank, order.new_rank);
}

TEST(ParseCapacities, reads_levels_and_names_what_is_wrong) {
    const auto read = parse_capacities(" switch:12, island:4 ");
    ASSERT_TRUE(read);
    EXPECT_EQ((*read)[kSwitch], 12);
    EXPECT_EQ((*read)[kIsland], 4);
    EXPECT_EQ((*read)[kNode], 0);
    EXPECT_TRUE(parse_capacities(""));
    for (const char* wrong : {"switch", "switch:", "switch:0", "switch:-1", "rack:3", "switch:1:2", ",",
                              "node:1,", "node:1,node:2"}) {
        EXPECT_FALSE(parse_capacities(wrong)) << wrong;
    }
    const auto error = parse_capacities("switch:12,rack:3").error();
    EXPECT_EQ(error.value, "rack:3");
    EXPECT_EQ(error.column, 11);
}

}  // namespace
}  // namespace hitopo::topo
