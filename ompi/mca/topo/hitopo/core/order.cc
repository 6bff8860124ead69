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
    Competition(const Talk& talk, const Places& places, const Capacities& capacities)
        : talk_(talk), places_(places), capacities_(capacities) {
        try_cells("identity", places.rank_at());
        before_ = crossings_;
    }

    // Whether anything crosses a level: else there is nothing to gain.
    bool is_open() const { return !cost_.empty() && cost_.front() > 0; }

    void try_cells(std::string_view name, PerProcess cell_at) {
        Crossings crossings = crossings_of(talk_, cell_at, places_);
        Cost cost = cost_of(crossings, places_, capacities_);
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
            new_rank[places_.rank_at()[p]] = cell_at_[p];
        }
        return {std::move(new_rank), name_, std::move(before_), std::move(crossings_)};
    }

private:
    const Talk& talk_;
    const Places& places_;
    const Capacities& capacities_;
    std::string_view name_;
    PerProcess cell_at_;
    Crossings before_, crossings_;
    Cost cost_;
};

}  // namespace

Order grid_order(const Grid& grid, const Places& places, const Capacities& capacities) {
    Competition competition(grid, places, capacities);
    if (competition.is_open()) {
        for (PerProcess& cells : bisected_cells(grid, places)) {
            competition.try_cells("bisection", std::move(cells));
        }
        competition.try_cells("k-d tree", kd_cells(grid));
        for (std::size_t i = 0; i < places.levels().size(); ++i) {
            competition.try_cells("strips", strip_cells(grid, grid.num_cells() / places.num_groups(i)));
        }
    }
    return competition.result();
}

Order graph_order(const Graph& graph, const Places& places, const Capacities& capacities) {
    Competition competition(graph, places, capacities);
    if (competition.is_open()) {
        PerProcess in_order(places.size());
        for (std::uint32_t p = 0; p < in_order.size(); ++p) {
            in_order[p] = p;
        }
        competition.try_cells("order of addresses", std::move(in_order));
        for (PerProcess& cells : bisected_cells(graph, places)) {
            competition.try_cells("bisection", std::move(cells));
        }
        competition.try_cells("swaps", swapped_cells(graph, places, capacities, competition.cell_at()));
    }
    return competition.result();
}

}  // namespace hitopo::topo
