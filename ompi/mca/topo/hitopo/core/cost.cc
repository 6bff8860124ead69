// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/topo/hitopo/core/cost.h"

#include <algorithm>
#include <functional>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/topo/hitopo/core/graph.h"

namespace hitopo::topo {
namespace {

// Counts by the outermost level that is crossed.
class Counter {
public:
    Counter(const LevelGroups& groups, const PerProcess& cell_at)
        : groups_(groups), group_of_(cell_at.size()), crossed_(groups.levels().size() + 1) {
        for (std::size_t p = 0; p < cell_at.size(); ++p) {
            group_of_[cell_at[p]] = groups.group_at()[p];
        }
    }

    void add(std::uint32_t cell, std::uint32_t other, std::uint64_t bytes) {
        const std::uint32_t group = group_of_[cell], other_group = group_of_[other];
        if (group != other_group) {
            crossed_[groups_.first_crossed(group, other_group)] += bytes;
        }
    }

    // Bytes that cross a level cross all inside of it.
    Crossings sums() {
        crossed_.pop_back();
        for (std::size_t i = 1; i < crossed_.size(); ++i) {
            crossed_[i] += crossed_[i - 1];
        }
        return std::move(crossed_);
    }

private:
    const LevelGroups& groups_;
    PerProcess group_of_;  // each cell's
    Crossings crossed_;
};

// switch:12
bool read_capacity(std::string_view text, Capacities& capacities) {
    const std::vector<std::string_view> words = split(text, ':');
    const auto level = parse_level(words.front());
    const auto number = words.size() == 2 ? parse_number(words.back()) : std::nullopt;
    if (!level || number.value_or(0) == 0 || capacities[static_cast<std::size_t>(*level)] > 0) {
        return false;
    }
    capacities[static_cast<std::size_t>(*level)] = static_cast<double>(*number);
    return true;
}

}  // namespace

Result<Capacities> parse_capacities(std::string_view text) {
    Capacities capacities = {};
    if (trim(text).empty()) {
        return capacities;
    }
    for (const std::string_view piece : split(text, ',')) {
        if (!read_capacity(trim(piece), capacities)) {
            Error error = malformed_at(piece, static_cast<std::size_t>(piece.data() - text.data()),
                                       "this is not level:number, or lists a level again; write it as "
                                       "switch:12, with an integer above 0");
            error.where = "topo_hitopo_capacity";
            return error;
        }
    }
    return capacities;
}

double capacity_of(std::size_t i, const LevelGroups& groups, const Capacities& capacities) {
    const double given = capacities[static_cast<std::size_t>(groups.levels()[i])];
    return given > 0 ? given : groups.num_groups(i);
}

Cost cost_of(const Crossings& crossings, const LevelGroups& groups, const Capacities& capacities) {
    Cost cost(crossings.size());
    for (std::size_t i = 0; i < cost.size(); ++i) {
        cost[i] = static_cast<double>(crossings[i]) / capacity_of(i, groups, capacities);
    }
    std::sort(cost.begin(), cost.end(), std::greater<>());
    return cost;
}

Crossings crossings_of(const Grid& grid, const PerProcess& cell_at, const LevelGroups& groups) {
    Counter counter(groups, cell_at);
    const std::vector<std::uint32_t> strides = strides_of(grid);
    const std::uint32_t num_cells = grid.num_cells();
    for (std::size_t d = 0; d < grid.num_dims(); ++d) {
        const std::uint32_t stride = strides[d];
        const std::uint32_t behind = static_cast<std::uint32_t>(grid.dims[d]) * stride;
        for (std::uint32_t block = 0; block < num_cells; block += behind) {
            for (std::uint32_t first = block; first < block + stride; ++first) {
                const std::uint32_t last = first + behind - stride;
                for (std::uint32_t cell = first; cell < last; cell += stride) {
                    counter.add(cell, cell + stride, 2);
                }
                if (grid.is_periodic[d]) {
                    counter.add(last, first, 2);
                }
            }
        }
    }
    return counter.sums();
}

Crossings crossings_of(const Graph& graph, const PerProcess& cell_at, const LevelGroups& groups) {
    Counter counter(groups, cell_at);
    for (const Edge& edge : graph.edges) {
        counter.add(edge.from, edge.to, edge.bytes);
    }
    return counter.sums();
}

}  // namespace hitopo::topo
