// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/order/plan.h"

#include <algorithm>
#include <numeric>

#include "ompi/mca/topo/hitopo/core/order.h"

namespace hitopo::tool {
namespace {

using topo::Edge;
using topo::Graph;
using topo::Grid;
using topo::PerProcess;
using topo::Places;

Places places_of(const Slots& slots) {
    std::vector<topo::Address> addresses;
    for (const Slot& slot : slots.slots) {
        addresses.push_back(slot.address);
    }
    return Places(addresses);
}

Lanes lanes_of(const Slots& slots) {
    unsigned divided = 0;
    for (const Slot& slot : slots.slots) {
        for (unsigned level = 0; level < kNumLevels; ++level) {
            divided |= slot.address[level] != slots.slots.front().address[level] ? 1u << level : 0;
        }
    }
    return Lanes(slots.known, divided);
}

PerLane lanes_of(const std::vector<Edge>& edges, const PerProcess& slot_of, const Slots& slots) {
    const Lanes lanes = lanes_of(slots);
    PerLane bytes{};
    for (const Edge& edge : edges) {
        const Lane lane = lanes.between(slots.slots[slot_of[edge.from]].address.data(),
                                        slots.slots[slot_of[edge.to]].address.data());
        bytes[static_cast<std::size_t>(lane)] += edge.bytes;
    }
    return bytes;
}

PerProcess identity(std::size_t size) {
    PerProcess ranks(size);
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

PerProcess inverse(const PerProcess& permutation) {
    PerProcess inverse(permutation.size());
    for (std::uint32_t i = 0; i < permutation.size(); ++i) {
        inverse[permutation[i]] = i;
    }
    return inverse;
}

Plan make_plan(PerProcess slot_of, std::string_view candidate, const std::vector<Edge>& edges,
               const Slots& slots) {
    const PerLane before = lanes_of(edges, identity(slots.slots.size()), slots);
    const PerLane after = lanes_of(edges, slot_of, slots);
    return {std::move(slot_of), std::string(candidate), before, after};
}

// A cell that is its own neighbour is no pair.
std::vector<Edge> pairs_of(const Grid& grid) {
    std::vector<Edge> edges = topo::graph_of(grid).edges;
    edges.erase(std::remove_if(edges.begin(), edges.end(),
                               [](const Edge& edge) { return edge.from == edge.to; }),
                edges.end());
    return edges;
}

}  // namespace

Plan plan_graph(const Graph& graph, const Slots& slots, const topo::Capacities& capacities) {
    const topo::Order order = topo::graph_order(graph, places_of(slots), capacities);
    return make_plan(inverse(order.new_rank), order.candidate, graph.edges, slots);
}

Plan plan_grid(const Grid& grid, const Slots& slots, const topo::Capacities& capacities) {
    const topo::Order order = topo::grid_order(grid, places_of(slots), capacities);
    return make_plan(inverse(order.new_rank), order.candidate, pairs_of(grid), slots);
}

Plan plan_hosts(const Slots& slots) {
    const Places places = places_of(slots);
    const Grid line = {{static_cast<int>(slots.slots.size())}, {false}};
    return make_plan(places.rank_at(), places.is_in_rank_order() ? "identity" : "order of addresses",
                     pairs_of(line), slots);
}

}  // namespace hitopo::tool
