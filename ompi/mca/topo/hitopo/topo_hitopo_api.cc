// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The functions of topo_hitopo.h.
#include <string.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/topo/hitopo/core/order.h"
#include "ompi/mca/topo/hitopo/topo_hitopo.h"

namespace hitopo::topo {
namespace {

LevelGroups groups_of(hitopo_base_positions_t* positions, int num) {
    std::vector<Address> addresses(static_cast<std::size_t>(num));
    PerProcess rank_at;
    rank_at.reserve(addresses.size());
    for (int position = 0; position < ompi_hitopo_base_num_positions(positions); ++position) {
        const int rank = ompi_hitopo_base_rank_at(positions, position);
        if (rank < num) {
            rank_at.push_back(static_cast<std::uint32_t>(rank));
            ompi_hitopo_base_address_of(positions, rank, addresses[rank_at.back()].data());
        }
    }
    return {addresses, std::move(rank_at)};
}

Grid grid_of(const hitopo_topo_shape_t& given) {
    const auto num = static_cast<std::size_t>(given.num_dims);
    Grid grid;
    grid.dims.assign(given.dims, given.dims + num);
    for (std::size_t d = 0; d < num; ++d) {
        grid.is_periodic.push_back(given.periods[d] != 0);
    }
    return grid;
}

Graph graph_of(const hitopo_topo_shape_t& given, int num) {
    Graph graph;
    graph.num_vertices = static_cast<std::uint32_t>(num);
    const auto is_vertex = [num](int vertex) { return vertex >= 0 && vertex < num; };
    std::for_each(given.edges, given.edges + given.num_edges, [&](const hitopo_topo_edge_t& edge) {
        if (is_vertex(edge.from) && is_vertex(edge.to) && edge.bytes > 0) {
            graph.edges.push_back({static_cast<std::uint32_t>(edge.from),
                                   static_cast<std::uint32_t>(edge.to),
                                   static_cast<std::uint64_t>(edge.bytes)});
        }
    });
    return graph;
}

static_assert(HITOPO_BASE_NUM_LEVELS == kNumLevels);

void set_gain(const Order& order, const LevelGroups& groups, hitopo_base_order_t& gain) {
    gain.size = static_cast<int>(groups.size());
    gain.candidate[order.candidate.copy(gain.candidate, sizeof gain.candidate - 1)] = '\0';
    gain.num_levels = static_cast<int>(groups.levels().size());
    std::copy(groups.levels().begin(), groups.levels().end(), gain.levels);
    std::copy(order.before.begin(), order.before.end(), gain.before);
    std::copy(order.after.begin(), order.after.end(), gain.after);
}

int find_order(const LevelGroups& groups, const char* capacities, const hitopo_topo_shape_t& shape,
               int* new_ranks, hitopo_base_order_t* gain) {
    if (shape.num_dims == 0 && shape.edges == nullptr) {
        return kErrorBadParam;
    }
    const Result<Capacities> given = parse_capacities(text_or_empty(capacities));
    const Capacities own = given ? *given : Capacities{};
    const Order order = shape.num_dims > 0
                            ? grid_order(grid_of(shape), groups, own)
                            : graph_order(graph_of(shape, static_cast<int>(groups.size())), groups, own);
    std::copy(order.new_rank.begin(), order.new_rank.end(), new_ranks);
    if (gain != nullptr) {
        set_gain(order, groups, *gain);
    }
    return kSuccess;
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

int hitopo_topo_order(hitopo_base_positions_t* positions, const char* capacities,
                      const hitopo_topo_shape_t* shape, int num, int* new_ranks,
                      hitopo_base_order_t* gain) noexcept {
    return guarded([=] {
        return hitopo::topo::find_order(hitopo::topo::groups_of(positions, num), capacities, *shape,
                                        new_ranks, gain);
    });
}

char* hitopo_topo_gain_text(const hitopo_base_order_t* gain) noexcept {
    char* text = nullptr;
    (void)guarded([&] { text = strdup(hitopo::topo::text_of(*gain).c_str()); });
    return text;
}

char* hitopo_topo_wrong_settings(const char* reorder, const char* capacities) noexcept {
    char* what = nullptr;
    (void)guarded([&] {
        const std::string mode(hitopo::text_or_empty(reorder));
        const auto parsed = hitopo::topo::parse_capacities(hitopo::text_or_empty(capacities));
        std::string faults;
        if (mode != "off" && mode != "report" && mode != "on" && !mode.empty()) {
            faults +=
                hitopo::line_of({hitopo::Errc::kMalformed, mode,
                                 "this is no mode; write off, report or on", "topo_hitopo_reorder"});
        }
        if (!parsed) {
            faults += hitopo::line_of(parsed.error());
        }
        what = faults.empty() ? nullptr : strdup(faults.c_str());
    });
    return what;
}

int64_t hitopo_topo_digest(const int* new_ranks, int num) noexcept {
    const auto* bytes = reinterpret_cast<const char*>(new_ranks);
    return static_cast<int64_t>(
        hitopo::hash_bytes({bytes, static_cast<std::size_t>(num) * sizeof(int)}) >> 2);
}
