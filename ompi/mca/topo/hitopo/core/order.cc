// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/topo/hitopo/core/order.h"

#include <utility>

#include "ompi/mca/topo/hitopo/core/candidates.h"

namespace hitopo::topo {
namespace {

// Keeps the cheapest order. Talk: a Grid, a Graph.
template <class Talk>
class Competition {
public:
    Competition(const Talk& talk, const LevelGroups& groups, const Capacities& capacities)
        : talk_(talk), groups_(groups), capacities_(capacities) {
        try_cells("identity", groups.rank_at());
        before_ = crossings_;
    }

    // Whether anything crosses a level: else there is nothing to gain.
    bool is_open() const { return !cost_.empty() && cost_.front() > 0; }

    void try_cells(std::string_view name, PerProcess cell_at) {
        Crossings crossings = crossings_of(talk_, cell_at, groups_);
        Cost cost = cost_of(crossings, groups_, capacities_);
        if (name_.empty() || cost < cost_) {
            name_ = name;
            cell_at_ = std::move(cell_at);
            crossings_ = std::move(crossings);
            cost_ = std::move(cost);
        }
    }

    const PerProcess& cell_at() const { return cell_at_; }

    Order result() {
        PerProcess new_rank(cell_at_.size());
        for (std::size_t p = 0; p < cell_at_.size(); ++p) {
            new_rank[groups_.rank_at()[p]] = cell_at_[p];
        }
        return {std::move(new_rank), name_, std::move(before_), std::move(crossings_)};
    }

private:
    const Talk& talk_;
    const LevelGroups& groups_;
    const Capacities& capacities_;
    std::string_view name_;
    PerProcess cell_at_;
    Crossings before_, crossings_;
    Cost cost_;
};

}  // namespace

Order grid_order(const Grid& grid, const LevelGroups& groups, const Capacities& capacities) {
    Competition competition(grid, groups, capacities);
    if (competition.is_open()) {
        for (PerProcess& cells : bisected_cells(grid, groups)) {
            competition.try_cells("bisection", std::move(cells));
        }
        competition.try_cells("k-d tree", kd_cells(grid));
        for (std::size_t i = 0; i < groups.levels().size(); ++i) {
            competition.try_cells("strips", strip_cells(grid, grid.num_cells() / groups.num_groups(i)));
        }
    }
    return competition.result();
}

Order graph_order(const Graph& graph, const LevelGroups& groups, const Capacities& capacities) {
    Competition competition(graph, groups, capacities);
    if (competition.is_open()) {
        PerProcess in_order(groups.size());
        for (std::uint32_t p = 0; p < in_order.size(); ++p) {
            in_order[p] = p;
        }
        competition.try_cells("order of addresses", std::move(in_order));
        for (PerProcess& cells : bisected_cells(graph, groups)) {
            competition.try_cells("bisection", std::move(cells));
        }
        competition.try_cells("swaps", swapped_cells(graph, groups, capacities, competition.cell_at()));
    }
    return competition.result();
}

}  // namespace hitopo::topo
