// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/topo/hitopo/core/order.h"

#include <utility>

#include "ompi/mca/topo/hitopo/core/candidates.h"

namespace hitopo::topo {
namespace {

// Keeps the cheapest order. Traffic: a Grid, a Graph.
template <class Traffic>
class BestOrder {
public:
    BestOrder(const Traffic& traffic, const LevelGroups& groups, const Capacities& capacities)
        : traffic_(traffic), groups_(groups), capacities_(capacities) {
        try_cells("identity", groups.rank_at());
        before_ = crossings_;
    }

    // Whether anything crosses a level: else there is nothing to gain.
    bool is_open() const { return !cost_.empty() && cost_.front() > 0; }

    void try_cells(std::string_view name, PerProcess cell_at) {
        Crossings crossings = crossings_of(traffic_, cell_at, groups_);
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
    const Traffic& traffic_;
    const LevelGroups& groups_;
    const Capacities& capacities_;
    std::string_view name_;
    PerProcess cell_at_;
    Crossings before_, crossings_;
    Cost cost_;
};

}  // namespace

Order grid_order(const Grid& grid, const LevelGroups& groups, const Capacities& capacities) {
    BestOrder best(grid, groups, capacities);
    if (best.is_open()) {
        for (PerProcess& cells : bisected_cells(grid, groups)) {
            best.try_cells("bisection", std::move(cells));
        }
        best.try_cells("k-d tree", kd_cells(grid));
        for (std::size_t i = 0; i < groups.levels().size(); ++i) {
            best.try_cells("strips", strip_cells(grid, grid.num_cells() / groups.num_groups(i)));
        }
    }
    return best.result();
}

Order graph_order(const Graph& graph, const LevelGroups& groups, const Capacities& capacities) {
    BestOrder best(graph, groups, capacities);
    if (best.is_open()) {
        PerProcess in_order(groups.size());
        for (std::uint32_t p = 0; p < in_order.size(); ++p) {
            in_order[p] = p;
        }
        best.try_cells("order of addresses", std::move(in_order));
        for (PerProcess& cells : bisected_cells(graph, groups)) {
            best.try_cells("bisection", std::move(cells));
        }
        best.try_cells("swaps", swapped_cells(graph, groups, capacities, best.cell_at()));
    }
    return best.result();
}

}  // namespace hitopo::topo
