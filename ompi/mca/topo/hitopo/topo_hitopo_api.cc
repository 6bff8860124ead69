// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What topo_hitopo.h declares.
#include <string.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/mca/topo/hitopo/core/order.h"
#include "ompi/mca/topo/hitopo/topo_hitopo.h"

namespace hitopo::topo {
namespace {

std::string_view text_of(const char* text) { return text == nullptr ? "" : text; }

Capacities capacities_of(const hitopo_topo_processes_t& processes) {
    const auto capacities = parse_capacities(text_of(processes.capacities));
    return capacities ? *capacities : Capacities{};
}

Places places_of(const hitopo_topo_processes_t& processes) {
    std::vector<Address> addresses(static_cast<std::size_t>(processes.num));
    PerProcess rank_at;
    rank_at.reserve(addresses.size());
    for (int position = 0; position < ompi_hitopo_base_num_positions(processes.positions); ++position) {
        const int rank = ompi_hitopo_base_rank_at(processes.positions, position);
        if (rank < processes.num) {
            rank_at.push_back(static_cast<std::uint32_t>(rank));
            ompi_hitopo_base_address_of(processes.positions, rank, addresses[rank_at.back()].data());
        }
    }
    return {addresses, std::move(rank_at)};
}

Grid grid_of(const hitopo_topo_grid_t& given) {
    const auto num = static_cast<std::size_t>(given.num_dims);
    Grid grid;
    grid.dims.assign(given.dims, given.dims + num);
    for (std::size_t d = 0; d < num; ++d) {
        grid.is_periodic.push_back(given.periods[d] != 0);
    }
    return grid;
}

Graph graph_from(const hitopo_topo_edge_t* edges, std::size_t num_edges, int num) {
    Graph graph;
    graph.num_vertices = static_cast<std::uint32_t>(num);
    const auto is_vertex = [num](int vertex) { return vertex >= 0 && vertex < num; };
    for (std::size_t i = 0; i < num_edges; ++i) {
        if (is_vertex(edges[i].from) && is_vertex(edges[i].to) && edges[i].bytes > 0) {
            graph.edges.push_back({static_cast<std::uint32_t>(edges[i].from),
                                   static_cast<std::uint32_t>(edges[i].to),
                                   static_cast<std::uint64_t>(edges[i].bytes)});
        }
    }
    return graph;
}

static_assert(HITOPO_BASE_NUM_LEVELS == kNumLevels);

void set_gain(const Order& order, const Places& places, hitopo_base_order_t& gain) {
    gain.size = static_cast<int>(places.size());
    gain.candidate[order.candidate.copy(gain.candidate, sizeof gain.candidate - 1)] = '\0';
    gain.num_levels = static_cast<int>(places.levels().size());
    std::copy(places.levels().begin(), places.levels().end(), gain.levels);
    std::copy(order.before.begin(), order.before.end(), gain.before);
    std::copy(order.after.begin(), order.after.end(), gain.after);
}

void hand_out(const Order& order, const Places& places, int* new_ranks, hitopo_base_order_t* gain) {
    std::copy(order.new_rank.begin(), order.new_rank.end(), new_ranks);
    if (gain != nullptr) {
        set_gain(order, places, *gain);
    }
}

std::string text_of(const hitopo_base_order_t& gain) {
    std::string text(gain.candidate);
    for (int i = 0; i < gain.num_levels; ++i) {
        text.append(i == 0 ? ": " : ", ").append(level_name(static_cast<Level>(gain.levels[i])));
        text += ' ' + std::to_string(gain.before[i]) + " -> " + std::to_string(gain.after[i]);
    }
    return text;
}

}  // namespace
}  // namespace hitopo::topo

using hitopo::guarded;

int hitopo_topo_order_grid(const hitopo_topo_processes_t* processes, const hitopo_topo_grid_t* grid,
                           int* new_ranks, hitopo_base_order_t* gain) noexcept {
    return guarded([=] {
        const auto places = hitopo::topo::places_of(*processes);
        const auto order = hitopo::topo::grid_order(hitopo::topo::grid_of(*grid), places,
                                                    hitopo::topo::capacities_of(*processes));
        hitopo::topo::hand_out(order, places, new_ranks, gain);
    });
}

int hitopo_topo_order_graph(const hitopo_topo_processes_t* processes, const hitopo_topo_edge_t* edges,
                            std::size_t num_edges, int* new_ranks, hitopo_base_order_t* gain) noexcept {
    return guarded([=] {
        const auto places = hitopo::topo::places_of(*processes);
        const auto graph = hitopo::topo::graph_from(edges, num_edges, processes->num);
        const auto order =
            hitopo::topo::graph_order(graph, places, hitopo::topo::capacities_of(*processes));
        hitopo::topo::hand_out(order, places, new_ranks, gain);
    });
}

char* hitopo_topo_gain_text(const hitopo_base_order_t* gain) noexcept {
    char* text = nullptr;
    (void)guarded([&] { text = strdup(hitopo::topo::text_of(*gain).c_str()); });
    return text;
}

char* hitopo_topo_wrong_capacities(const char* capacities) noexcept {
    char* what = nullptr;
    (void)guarded([&] {
        const auto parsed = hitopo::topo::parse_capacities(hitopo::topo::text_of(capacities));
        if (!parsed) {
            const hitopo::Error& error = parsed.error();
            what = strdup(hitopo::safe(error.value + " (" + error.position() + "): " + error.message,
                                       hitopo::Charset::kAscii)
                              .c_str());
        }
    });
    return what;
}

int64_t hitopo_topo_digest(const int* new_ranks, int num) noexcept {
    const auto* bytes = reinterpret_cast<const char*>(new_ranks);
    return static_cast<int64_t>(
        hitopo::hash_bytes({bytes, static_cast<std::size_t>(num) * sizeof(int)}) >> 2);
}
