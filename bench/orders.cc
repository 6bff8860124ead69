// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The worth of orders of processes, counted in pairs of neighbours that cross a level: ours, a k-d
// tree that knows nodes only, a climber's; and how long it takes to find one. `bench/run
// order` runs it.
//
//     orders shapes | random NUM | graphs NUM | time | cells
//
// graphs: random ones, against a climber that lets two vertices at random change places.
// cells: of a small machine with shuffled nodes, for bench/grids.py: the grid, then for each cell its
// switch and node as ranks are, and as they are put.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ompi/mca/topo/hitopo/core/candidates.h"
#include "ompi/mca/topo/hitopo/core/graph.h"
#include "ompi/mca/topo/hitopo/core/order.h"

namespace hitopo::topo {
namespace {

struct Machine {
    std::uint32_t num_islands, num_switches, num_nodes;  // each in one of the level before
    std::vector<std::uint32_t> processes;                // of a node: one of these, in turn or at random
    bool is_shuffled;
};

using Random = std::mt19937;

// Two sockets a node.
void add_node(Address address, std::uint32_t num, std::vector<Address>& addresses) {
    for (std::uint32_t i = 0; i < num; ++i) {
        address[kSocket] = static_cast<std::int32_t>(i * 2 / num);
        address[kCore] = static_cast<std::int32_t>(i - (address[kSocket] * num + 1) / 2);
        addresses.push_back(address);
    }
}

std::vector<Address> addresses_of(const Machine& machine, Random& random) {
    std::vector<Address> nodes;
    for (std::uint32_t i = 0; i < machine.num_islands * machine.num_switches * machine.num_nodes; ++i) {
        const auto number = static_cast<std::int32_t>(i);
        const auto num_nodes = static_cast<std::int32_t>(machine.num_nodes);
        const std::int32_t leaf = number / num_nodes;
        nodes.push_back(
            {0, leaf / static_cast<std::int32_t>(machine.num_switches), leaf, number, 0, 0, 0, 0});
    }
    if (machine.is_shuffled) {
        std::shuffle(nodes.begin(), nodes.end(), random);
    }
    std::vector<Address> addresses;
    for (const Address& node : nodes) {
        add_node(node, machine.processes[random() % machine.processes.size()], addresses);
    }
    return addresses;
}

// Nodes as they come by rank, and nothing outside of them.
PerProcess nodes_only(const Grid& grid, const std::vector<Address>& addresses) {
    std::vector<std::uint32_t> order(addresses.size());
    std::iota(order.begin(), order.end(), 0u);
    std::vector<std::uint32_t> first(addresses.size(), UINT32_MAX);
    for (std::uint32_t rank = 0; rank < addresses.size(); ++rank) {
        std::uint32_t& seen = first[static_cast<std::size_t>(addresses[rank][kNode])];
        seen = std::min(seen, rank);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return first[static_cast<std::size_t>(addresses[a][kNode])] <
               first[static_cast<std::size_t>(addresses[b][kNode])];
    });
    const PerProcess cells = kd_cells(grid);
    PerProcess new_rank(addresses.size());
    for (std::size_t p = 0; p < order.size(); ++p) {
        new_rank[order[p]] = cells[p];
    }
    return new_rank;
}

struct Verdict {
    Crossings crossings;
    Cost cost;
};

Verdict judge(const Grid& grid, const LevelGroups& groups, const PerProcess& new_rank) {
    PerProcess cell_at(new_rank.size());
    for (std::size_t p = 0; p < cell_at.size(); ++p) {
        cell_at[p] = new_rank[groups.rank_at()[p]];
    }
    Verdict verdict;
    verdict.crossings = crossings_of(grid, cell_at, groups);
    verdict.cost = cost_of(verdict.crossings, groups, {});
    return verdict;
}

std::string name_of(const Grid& grid) {
    std::string name;
    for (std::size_t d = 0; d < grid.num_dims(); ++d) {
        name += (d > 0 ? "x" : "") + std::to_string(grid.dims[d]) + (grid.is_periodic[d] ? "p" : "");
    }
    return name;
}

void print(const char* name, const LevelGroups& groups, const Crossings& crossings) {
    std::printf("    %-24s", name);
    for (const Level level : {kIsland, kSwitch, kNode, kSocket}) {
        const auto& levels = groups.levels();
        const auto found = std::find(levels.begin(), levels.end(), level);
        if (found == levels.end()) {
            std::printf(" %9s", "-");
        } else {
            std::printf(" %9llu", static_cast<unsigned long long>(
                                      crossings[static_cast<std::size_t>(found - levels.begin())]));
        }
    }
    std::printf("\n");
}

void show(const Machine& machine, const Grid& grid) {
    Random random(3);
    const std::vector<Address> addresses = addresses_of(machine, random);
    const LevelGroups groups(addresses);
    const Order order = grid_order(grid, groups, {});
    std::printf("%u islands x %u switches x %u nodes, %zu processes%s: %s\n", machine.num_islands,
                machine.num_switches, machine.num_nodes, addresses.size(),
                machine.is_shuffled ? ", nodes shuffled" : "", name_of(grid).c_str());
    std::printf("    %-24s %9s %9s %9s %9s\n", "", "island", "switch", "node", "socket");
    print("identity", groups, order.before);
    print("k-d tree of nodes only", groups, judge(grid, groups, nodes_only(grid, addresses)).crossings);
    print(("HiTopo: " + std::string(order.candidate)).c_str(), groups, order.after);
}

void show_shapes() {
    for (const bool is_shuffled : {false, true}) {
        show({2, 4, 8, {48}, is_shuffled}, {{64, 48}, {false, false}});
        show({2, 4, 8, {48}, is_shuffled}, {{16, 16, 12}, {false, false, false}});
    }
    show({2, 4, 8, {48}, true}, {{16, 16, 12}, {true, true, true}});
    show({2, 4, 8, {48, 48, 48, 32}, true}, {{64, 44}, {false, false}});
    show({2, 2, 2, {4}, true}, {{8, 4}, {false, false}});
    show({2, 2, 2, {4}, true}, {{4, 4, 2}, {false, false, false}});
}

// So many factors whose product is `num`.
std::vector<int> random_dims(std::uint32_t num, std::size_t num_dims, Random& random) {
    std::vector<int> dims(num_dims, 1);
    for (std::uint32_t factor = 2; num > 1; ++factor) {
        for (; num % factor == 0; num /= factor) {
            const std::size_t low =
                static_cast<std::size_t>(std::min_element(dims.begin(), dims.end()) - dims.begin());
            dims[random() % 3 == 0 ? random() % num_dims : low] *= static_cast<int>(factor);
        }
    }
    return dims;
}

struct Case {
    std::vector<Address> addresses;
    Grid grid;
};

std::uint32_t below(Random& random, std::uint32_t end) {
    return static_cast<std::uint32_t>(random() % end);
}

Case random_case(Random& random) {
    Case made;
    const std::uint32_t most = 4 + below(random, 29);
    const bool is_unequal = random() % 2 == 0;
    made.addresses = addresses_of({below(random, 3) + 1, below(random, 4) + 1, below(random, 6) + 1,
                                   is_unequal ? std::vector<std::uint32_t>{most, most, (most + 1) / 2}
                                              : std::vector<std::uint32_t>{most},
                                   random() % 4 != 0},
                                  random);
    const std::size_t num_dims = 2 + random() % 3;
    made.grid.dims = random_dims(static_cast<std::uint32_t>(made.addresses.size()), num_dims, random);
    for (std::size_t d = 0; d < num_dims; ++d) {
        made.grid.is_periodic.push_back(random() % 2 == 0);
    }
    return made;
}

// How often a rival's order costs less than ours.
struct Rival {
    const char* name;
    int num = 0, num_less = 0;

    void meet(const Case& made, const LevelGroups& groups, const Cost& own, std::string_view candidate,
              const PerProcess& new_rank) {
        ++num;
        const Verdict verdict = judge(made.grid, groups, new_rank);
        if (verdict.cost < own) {
            ++num_less;
            std::printf("    %s costs %.2f, ours (%.*s) %.2f: %s, %zu processes on %d nodes\n", name,
                        verdict.cost.front(), static_cast<int>(candidate.size()), candidate.data(),
                        own.front(), name_of(made.grid).c_str(), made.addresses.size(),
                        1 + made.addresses.back()[kNode]);
        }
    }
    void print() const { std::printf("%s: cheaper in %d of %d\n", name, num_less, num); }
};

void show_random(int num) {
    Random random(1);
    Rival identity{"identity"}, nodes{"k-d tree of nodes only"};
    for (int i = 0; i < num; ++i) {
        const Case made = random_case(random);
        const LevelGroups groups(made.addresses);
        const Order order = grid_order(made.grid, groups, {});
        const Cost own = cost_of(order.after, groups, {});
        PerProcess same(made.addresses.size());
        std::iota(same.begin(), same.end(), 0u);
        identity.meet(made, groups, own, order.candidate, same);
        nodes.meet(made, groups, own, order.candidate, nodes_only(made.grid, made.addresses));
    }
    for (const Rival& rival : {identity, nodes}) {
        rival.print();
    }
}

// ---- graphs ----

struct GraphCase {
    std::vector<Address> addresses;
    Graph graph;
};

// The machine has 2 to `max_nodes` nodes of 2, 4 or 6 processes below 1 to 3 switches; the graph has two
// to four edges a vertex.
GraphCase random_graph_case(std::uint32_t max_nodes, Random& random) {
    constexpr std::array<std::uint64_t, 3> kBytes = {1, 10, 1000};
    GraphCase made;
    const std::uint32_t num_switches = 1 + below(random, 3);
    for (std::uint32_t node = 0, end = 2 + below(random, max_nodes - 1); node < end; ++node) {
        const auto leaf = static_cast<std::int32_t>(below(random, num_switches));
        for (std::uint32_t core = 0, num = 2 + 2 * below(random, 3); core < num; ++core) {
            made.addresses.push_back(
                {0, 0, leaf, static_cast<std::int32_t>(node), 0, 0, static_cast<std::int32_t>(core), 0});
        }
    }
    const auto num = static_cast<std::uint32_t>(made.addresses.size());
    made.graph.num_vertices = num;
    for (std::uint32_t edges = num * (2 + below(random, 3)); edges > 0; --edges) {
        const std::uint32_t from = below(random, num), to = below(random, num);
        made.graph.edges.push_back({from, to, kBytes[below(random, kBytes.size())]});
    }
    return made;
}

// Swaps stay where they cost no more: 10 times 1500 from orders by chance, or 15000 from ours.
Cost climb(const GraphCase& made, const LevelGroups& groups, PerProcess cell_at, int num_swaps,
           Random& random) {
    const auto cost_now = [&] { return cost_of(crossings_of(made.graph, cell_at, groups), groups, {}); };
    Cost cost = cost_now();
    for (; num_swaps > 0; --num_swaps) {
        std::uint32_t& one = cell_at[random() % cell_at.size()];
        std::uint32_t& other = cell_at[random() % cell_at.size()];
        std::swap(one, other);
        Cost then = cost_now();
        if (then <= cost) {
            cost = std::move(then);
        } else {
            std::swap(one, other);
        }
    }
    return cost;
}

Cost climb_from_anywhere(const GraphCase& made, const LevelGroups& groups, PerProcess cell_at,
                         Random& random) {
    Cost least;
    for (int start = 0; start < 10; ++start) {
        std::shuffle(cell_at.begin(), cell_at.end(), random);
        const Cost cost = climb(made, groups, cell_at, 1500, random);
        least = least.empty() ? cost : std::min(least, cost);
    }
    return least;
}

struct Climber {
    const char* name;
    int num = 0, num_less = 0, num_more = 0;
    double most_percent = 0;  // that ours costs more at the dearest level

    void meet(const Cost& cost, const Cost& own) {
        ++num;
        num_less += cost < own ? 1 : 0;
        num_more += own < cost ? 1 : 0;
        most_percent = std::max(most_percent, 100 * (own.front() / cost.front() - 1));
    }
    void print() const {
        std::printf("    %s: cheaper in %d of %d, by %.1f %% at most; dearer in %d\n", name, num_less,
                    num, most_percent, num_more);
    }
};

void show_graphs(std::uint32_t max_nodes, int num) {
    Climber anywhere{"10 x 1500 swaps from any order"}, ours{"15000 swaps from ours"};
    for (int i = 0; i < num; ++i) {
        Random random(static_cast<std::uint32_t>(i));
        const GraphCase made = random_graph_case(max_nodes, random);
        const LevelGroups groups(made.addresses);
        const Order order = graph_order(made.graph, groups, {});
        const Cost own = cost_of(order.after, groups, {});
        if (own.empty() || own.front() <= 0) {
            continue;
        }
        PerProcess cell_at(groups.size());
        for (std::size_t p = 0; p < cell_at.size(); ++p) {
            cell_at[p] = order.new_rank[groups.rank_at()[p]];
        }
        ours.meet(climb(made, groups, cell_at, 15000, random), own);
        anywhere.meet(climb_from_anywhere(made, groups, cell_at, random), own);
    }
    std::printf("up to %u nodes\n", max_nodes);
    anywhere.print();
    ours.print();
}

template <class Work>
double seconds(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void show_time() {
    for (const bool is_shuffled : {false, true}) {
        Random random(3);
        const auto addresses = addresses_of({10, 25, 40, {100}, is_shuffled}, random);
        const Grid grid = {{100, 100, 100}, {false, false, false}};
        Order order;
        const double took =
            seconds([&] { order = grid_order(grid, LevelGroups(addresses), Capacities{}); });
        std::vector<std::uint32_t> keys(addresses.size());
        for (std::uint32_t& key : keys) {
            key = random();
        }
        const double sorting = seconds([&] { std::sort(keys.begin(), keys.end()); });
        std::printf("%zu processes%s: %.0f ms, %.1f times a sort of as many numbers\n", addresses.size(),
                    is_shuffled ? ", nodes shuffled" : "", took * 1e3, took / sorting);
    }
    for (const auto& [machine, dims] :
         {std::pair<Machine, std::vector<int>>{{2, 2, 1, {4}, true}, {4, 4}},
          {{2, 2, 2, {8}, true}, {8, 8}},
          {{2, 2, 8, {32}, true}, {32, 32}},
          {{2, 4, 8, {48}, true}, {64, 48}}}) {
        Random random(3);
        const LevelGroups groups(addresses_of(machine, random));
        const Grid grid = {dims, {false, false}};
        const Graph graph = graph_of(grid);
        const double of_grid = seconds([&] { grid_order(grid, groups, {}); });
        const double of_graph = seconds([&] { graph_order(graph, groups, {}); });
        std::printf("%zu processes: %.1f ms as a grid, %.1f ms as a graph\n", groups.size(),
                    of_grid * 1e3, of_graph * 1e3);
    }
}

void show_cells() {
    Random random(3);
    const std::vector<Address> addresses = addresses_of({1, 4, 4, {8}, true}, random);
    const Grid grid = {{16, 8}, {false, false}};
    const LevelGroups groups(addresses);
    const Order order = grid_order(grid, groups, {});
    std::vector<std::uint32_t> rank_with(addresses.size());
    for (std::uint32_t rank = 0; rank < addresses.size(); ++rank) {
        rank_with[order.new_rank[rank]] = rank;
    }
    std::printf("%d %d %llu %llu\n", grid.dims[0], grid.dims[1],
                static_cast<unsigned long long>(order.before.front()),
                static_cast<unsigned long long>(order.after.front()));
    for (std::uint32_t cell = 0; cell < addresses.size(); ++cell) {
        const Address &before = addresses[cell], &after = addresses[rank_with[cell]];
        std::printf("%d %d %d %d\n", before[kSwitch], before[kNode], after[kSwitch], after[kNode]);
    }
}

}  // namespace
}  // namespace hitopo::topo

int main(int argc, char** argv) {
    const std::string_view what = argc > 1 ? argv[1] : "";
    if (what == "shapes") {
        hitopo::topo::show_shapes();
    } else if (what == "random" && argc > 2) {
        hitopo::topo::show_random(std::atoi(argv[2]));
    } else if (what == "graphs" && argc > 2) {
        for (const std::uint32_t max_nodes : {6, 9, 16}) {
            hitopo::topo::show_graphs(max_nodes, std::atoi(argv[2]));
        }
    } else if (what == "time") {
        hitopo::topo::show_time();
    } else if (what == "cells") {
        hitopo::topo::show_cells();
    } else {
        std::fprintf(stderr, "usage: orders shapes | random NUM | graphs NUM | time | cells\n");
        return 2;
    }
}
