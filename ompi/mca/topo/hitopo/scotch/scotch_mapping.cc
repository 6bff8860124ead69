// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/topo/hitopo/scotch/scotch_mapping.h"

#include <dlfcn.h>

#include <algorithm>
#include <limits>

#include "ompi/mca/topo/hitopo/core/neighbours.h"
#include "ompi/mca/topo/hitopo/core/slots.h"
#include "ompi/mca/topo/hitopo/scotch/hitopo_scotch.h"

#ifndef HITOPO_SCOTCH_PATH
#error "HITOPO_SCOTCH_PATH must name hitopo_scotch.so"
#endif

namespace hitopo::topo {
namespace {

// A bound of trees of unequal groups, which are made up to equal ones.
constexpr std::uint64_t kMaxLeaves = 1 << 24;

hitopo_scotch_map_fn_t* load_module() {
    int flags = RTLD_NOW | RTLD_LOCAL;
#if defined(RTLD_DEEPBIND) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if !defined(__clang__)
    flags |= RTLD_DEEPBIND;
#elif !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
    flags |= RTLD_DEEPBIND;
#endif
#endif
    void* module = dlopen(HITOPO_SCOTCH_PATH, flags);
    return module == nullptr
               ? nullptr
               : reinterpret_cast<hitopo_scotch_map_fn_t*>(dlsym(module, "ompi_hitopo_scotch_map"));
}

// NULL where there is none.
hitopo_scotch_map_fn_t* loaded() {
    static hitopo_scotch_map_fn_t* const map = load_module();
    return map;
}

// The graph with each edge at both ends, once.
struct Adjacency {
    std::vector<std::int32_t> starts, neighbours, weights;
};

Adjacency adjacency_of(const Graph& graph) {
    const Neighbours neighbours(graph);
    double sum = 0;
    for (const Edge& edge : graph.edges) {
        sum += 2 * static_cast<double>(edge.bytes);
    }
    // Each has a weight of 1 at least, so that half of what there is is left for them.
    const double scale =
        std::min(1.0, 0.5 * std::numeric_limits<std::int32_t>::max() / std::max(1.0, sum));
    Adjacency adjacency;
    adjacency.starts.push_back(0);
    for (std::uint32_t vertex = 0; vertex < graph.num_vertices; ++vertex) {
        for (const Neighbour& other : neighbours.of(vertex)) {
            adjacency.neighbours.push_back(static_cast<std::int32_t>(other.cell));
            adjacency.weights.push_back(
                std::max(1, static_cast<std::int32_t>(static_cast<double>(other.bytes) * scale)));
        }
        adjacency.starts.push_back(static_cast<std::int32_t>(adjacency.neighbours.size()));
    }
    return adjacency;
}

// The groups as a tree in which all of a level have as many children, with the leaf of each position.
struct Tree {
    std::vector<std::int32_t> num_children, costs, leaves;
};

// At each position its number in the group of the level outside of it, counted in groups of level i, or
// in processes for i = levels().
std::vector<std::int32_t> child_numbers(const Places& places, std::size_t i) {
    const std::size_t num = places.size(), num_levels = places.levels().size();
    std::vector<bool> is_start(num, i == num_levels), is_first(num, false);
    if (i < num_levels) {
        for (const std::uint32_t start : places.starts(i)) {
            is_start[start] = true;
        }
    }
    if (i > 0) {
        for (const std::uint32_t start : places.starts(i - 1)) {
            is_first[start] = true;
        }
    }
    std::vector<std::int32_t> numbers(num);
    for (std::size_t p = 1; p < num; ++p) {
        numbers[p] = is_first[p] ? 0 : numbers[p - 1] + (is_start[p] ? 1 : 0);
    }
    return numbers;
}

std::optional<Tree> tree_of(const Places& places) {
    Tree tree;
    tree.leaves.assign(places.size(), 0);
    std::uint64_t num_leaves = 1;
    const std::size_t num_levels = places.levels().size();
    for (std::size_t i = 0; i <= num_levels; ++i) {
        const std::vector<std::int32_t> numbers = child_numbers(places, i);
        const std::int32_t num = *std::max_element(numbers.begin(), numbers.end()) + 1;
        num_leaves *= static_cast<std::uint64_t>(num);
        if (num_leaves > kMaxLeaves) {
            return std::nullopt;
        }
        tree.num_children.push_back(num);
        // What crosses an outer level weighs more than what crosses all inside of it.
        tree.costs.push_back(1 << std::min<std::size_t>(2 * (num_levels - i), 20));
        for (std::size_t p = 0; p < places.size(); ++p) {
            tree.leaves[p] = tree.leaves[p] * num + numbers[p];
        }
    }
    return tree;
}

}  // namespace

bool has_scotch() { return loaded() != nullptr; }

std::optional<PerProcess> scotch_mapping(const Graph& graph, const Places& places) {
    hitopo_scotch_map_fn_t* const map = loaded();
    const std::optional<Tree> tree =
        map == nullptr || places.levels().empty() ? std::nullopt : tree_of(places);
    if (!tree || graph.edges.size() > std::numeric_limits<std::int32_t>::max() / 4) {
        return std::nullopt;
    }
    const Adjacency adjacency = adjacency_of(graph);
    std::vector<std::int32_t> leaf_of(graph.num_vertices);
    const hitopo_scotch_job_t job = {static_cast<std::int32_t>(graph.num_vertices),
                                     adjacency.starts.data(),
                                     adjacency.neighbours.data(),
                                     adjacency.weights.data(),
                                     static_cast<std::int32_t>(tree->num_children.size()),
                                     tree->num_children.data(),
                                     tree->costs.data(),
                                     tree->leaves.data()};
    if (map(&job, leaf_of.data()) != 0) {
        return std::nullopt;
    }
    return one_in_each_slot(leaf_of, places);
}

}  // namespace hitopo::topo
