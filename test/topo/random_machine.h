// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Machines, grids and graphs for tests of orders, and what crosses in them counted another way: pair by
// pair, by comparing addresses.
#ifndef TEST_TOPO_RANDOM_MACHINE_H
#define TEST_TOPO_RANDOM_MACHINE_H

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/topo/hitopo/core/cost.h"
#include "ompi/mca/topo/hitopo/core/graph.h"

namespace hitopo::topo {

using Random = std::mt19937;

inline std::int32_t below(Random& random, std::int32_t end) {
    return static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(end));
}

// islands x switches x nodes x sockets x processes, by slot.
inline std::vector<Address> regular(std::int32_t islands, std::int32_t switches, std::int32_t nodes,
                                    std::int32_t sockets, std::int32_t processes) {
    std::vector<Address> addresses;
    for (std::int32_t i = 0; i < islands * switches * nodes * sockets * processes; ++i) {
        const std::int32_t socket = i / processes, node = socket / sockets, leaf = node / nodes;
        addresses.push_back({0, leaf / switches, leaf, node, 0, socket % sockets, i % processes, 0});
    }
    return addresses;
}

// Addresses on unequal nodes, in any order, with levels that some or all do not know.
inline std::vector<Address> random_addresses(Random& random, std::size_t num) {
    const std::int32_t num_nodes = 1 + below(random, 6);
    std::vector<std::int32_t> leaf_of(static_cast<std::size_t>(num_nodes));
    for (std::int32_t& leaf : leaf_of) {
        leaf = below(random, 3);
    }
    std::sort(leaf_of.begin(), leaf_of.end());
    const bool knows_islands = random() % 2 == 0, some_are_unbound = random() % 3 == 0;
    std::vector<Address> addresses;
    for (std::size_t i = 0; i < num; ++i) {
        const std::int32_t node = below(random, num_nodes);
        const std::int32_t leaf = leaf_of[static_cast<std::size_t>(node)];
        const bool is_unbound = some_are_unbound && random() % 2 == 0;
        addresses.push_back({0, knows_islands ? leaf / 2 : 0, leaf, node, 0,
                             is_unbound ? -1 : below(random, 2), is_unbound ? -1 : below(random, 4), 0});
    }
    return addresses;
}

inline Grid random_grid(Random& random, std::uint32_t num) {
    Grid grid;
    const int num_dims = 1 + below(random, 5);
    grid.dims.assign(static_cast<std::size_t>(num_dims), 1);
    for (std::uint32_t factor = 2; num > 1; ++factor) {
        for (; num % factor == 0; num /= factor) {
            grid.dims[static_cast<std::size_t>(below(random, num_dims))] *= static_cast<int>(factor);
        }
    }
    for (int d = 0; d < num_dims; ++d) {
        grid.is_periodic.push_back(random() % 2 == 0);
    }
    return grid;
}

// Each neighbour of each cell, both ways, as MPI_Cart_shift tells them.
inline std::vector<std::pair<std::uint32_t, std::uint32_t>> neighbour_pairs(const Grid& grid) {
    const auto num_dims = grid.num_dims();
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (std::uint32_t cell = 0; cell < grid.num_cells(); ++cell) {
        std::vector<int> at(num_dims);
        std::uint32_t left = cell;
        for (std::size_t d = num_dims; d-- > 0;) {
            at[d] = static_cast<int>(left % static_cast<std::uint32_t>(grid.dims[d]));
            left /= static_cast<std::uint32_t>(grid.dims[d]);
        }
        for (std::size_t d = 0; d < num_dims; ++d) {
            for (const int step : {-1, 1}) {
                std::vector<int> next = at;
                next[d] += step;
                if (grid.is_periodic[d]) {
                    next[d] = (next[d] + grid.dims[d]) % grid.dims[d];
                } else if (next[d] < 0 || next[d] >= grid.dims[d]) {
                    continue;
                }
                std::uint32_t other = 0;
                for (std::size_t e = 0; e < num_dims; ++e) {
                    other = other * static_cast<std::uint32_t>(grid.dims[e]) +
                            static_cast<std::uint32_t>(next[e]);
                }
                pairs.emplace_back(cell, other);
            }
        }
    }
    return pairs;
}

// For each level, what goes between processes whose addresses differ down to it, next to how many such
// groups there are. Levels that divide nothing further, and those at which each is alone, do not count.
class PlainCounter {
public:
    explicit PlainCounter(const std::vector<Address>& addresses) {
        std::size_t num_groups = 1;
        for (int level = 0; level < kNumLevels; ++level) {
            std::map<std::vector<std::int32_t>, int> numbers;
            std::vector<int> group_of;
            for (const Address& address : addresses) {
                const std::vector<std::int32_t> group(address.begin(), address.begin() + level + 1);
                group_of.push_back(
                    numbers.emplace(group, static_cast<int>(numbers.size())).first->second);
            }
            if (numbers.size() == num_groups || numbers.size() == addresses.size()) {
                continue;  // as the level outside of it; each alone
            }
            num_groups = numbers.size();
            levels_.push_back({std::move(group_of), static_cast<double>(num_groups)});
        }
    }

    // The greatest first. rank_with[v]: who has vertex v.
    Cost cost(const std::vector<Edge>& edges, const std::vector<std::uint32_t>& rank_with) const {
        Cost cost;
        for (const auto& [group_of, num_groups] : levels_) {
            double bytes = 0;
            for (const Edge& edge : edges) {
                const bool crosses = group_of[rank_with[edge.from]] != group_of[rank_with[edge.to]];
                bytes += crosses ? static_cast<double>(edge.bytes) : 0;
            }
            cost.push_back(bytes / num_groups);
        }
        std::sort(cost.rbegin(), cost.rend());
        return cost;
    }

private:
    std::vector<std::pair<std::vector<int>, double>> levels_;  // each rank's group, how many
};

inline std::vector<Edge> edges_of(const Grid& grid) {
    std::vector<Edge> edges;
    for (const auto& [cell, other] : neighbour_pairs(grid)) {
        edges.push_back({cell, other, 1});
    }
    return edges;
}

// 0, 2, 4 and 6 talk with each other, 1, 3, 5 and 7, and 3 bytes go between the two.
inline Graph two_cliques() {
    Graph graph;
    graph.num_vertices = 8;
    for (std::uint32_t a = 0; a < 8; ++a) {
        for (std::uint32_t b = a + 2; b < 8; b += 2) {
            graph.edges.push_back({a, b, 5});
        }
    }
    graph.edges.push_back({0, 1, 3});
    return graph;
}

// The process of each vertex.
inline std::vector<std::uint32_t> inverse(const PerProcess& new_rank) {
    std::vector<std::uint32_t> rank_with(new_rank.size());
    for (std::uint32_t rank = 0; rank < new_rank.size(); ++rank) {
        rank_with[new_rank[rank]] = rank;
    }
    return rank_with;
}

inline bool is_permutation(PerProcess ranks) {
    std::sort(ranks.begin(), ranks.end());
    for (std::uint32_t i = 0; i < ranks.size(); ++i) {
        if (ranks[i] != i) {
            return false;
        }
    }
    return true;
}

inline PerProcess identity(std::size_t num) {
    PerProcess ranks(num);
    std::iota(ranks.begin(), ranks.end(), 0u);
    return ranks;
}

}  // namespace hitopo::topo

#endif
