// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/topo/hitopo/core/bisection.h"

#include <algorithm>
#include <numeric>

#include "ompi/mca/topo/hitopo/core/box.h"

namespace hitopo::topo {
namespace {

// Orders of some cells of which a beginning is compact, to begin a cut with.
class GridSweeps {
public:
    explicit GridSweeps(const Grid& grid) : grid_(grid), strides_(strides_of(grid)) {}

    std::size_t num() const { return grid_.num_dims(); }

    // By dimension `sweep` first, then by those behind it.
    void sort(std::size_t sweep, Cells& cells) const {
        std::sort(cells.begin(), cells.end(), [&](std::uint32_t a, std::uint32_t b) {
            for (std::size_t i = 0; i < num(); ++i) {
                const std::size_t dim = (sweep + i) % num();
                const std::uint32_t at_a = coordinate(a, dim), at_b = coordinate(b, dim);
                if (at_a != at_b) {
                    return at_a < at_b;
                }
            }
            return false;
        });
    }

private:
    std::uint32_t coordinate(std::uint32_t cell, std::size_t dim) const {
        return cell / strides_[dim] % static_cast<std::uint32_t>(grid_.dims[dim]);
    }

    const Grid& grid_;
    const std::vector<std::uint32_t> strides_;
};

// As they are, and in the order in which they are reached from the lowest, and from the last one so
// reached.
class GraphSweeps {
public:
    explicit GraphSweeps(const Neighbours& neighbours)
        : neighbours_(neighbours), is_left_(neighbours.size()) {}

    std::size_t num() const { return 3; }

    void sort(std::size_t sweep, Cells& cells) {
        std::sort(cells.begin(), cells.end());
        for (std::size_t i = 0; i < sweep; ++i) {
            reach(i == 0 ? cells.front() : cells.back(), cells);
        }
    }

private:
    void reach(std::uint32_t start, Cells& cells) {
        for (const std::uint32_t cell : cells) {
            is_left_[cell] = true;
        }
        Cells reached;
        reach_from(start, reached);
        for (const std::uint32_t cell : cells) {
            reach_from(cell, reached);
        }
        cells = std::move(reached);
    }

    void reach_from(std::uint32_t start, Cells& reached) {
        std::size_t next = reached.size();
        add(start, reached);
        for (; next < reached.size(); ++next) {
            for (const Neighbour& other : neighbours_.of(reached[next])) {
                add(other.cell, reached);
            }
        }
    }

    void add(std::uint32_t cell, Cells& reached) {
        if (is_left_[cell]) {
            is_left_[cell] = false;
            reached.push_back(cell);
        }
    }

    const Neighbours& neighbours_;
    std::vector<bool> is_left_;
};

template <class Sweeps>
class Bisection {
public:
    Bisection(const Neighbours& neighbours, const Places& places, Sweeps sweeps)
        : places_(places), sweeps_(std::move(sweeps)), cutter_(neighbours), cell_at_(places.size()) {
        std::iota(cell_at_.begin(), cell_at_.end(), 0u);
    }

    PerProcess run() {
        divide(0, static_cast<std::uint32_t>(cell_at_.size()));
        return std::move(cell_at_);
    }

private:
    // The positions from first to before `end`.
    void divide(std::uint32_t first, std::uint32_t end) {
        const std::uint32_t middle = border(first, end);
        if (middle == end) {
            return;
        }
        cut(first, middle, end);
        divide(first, middle);
        divide(middle, end);
    }

    // Of the outermost level of which a group begins there: the begin nearest to the middle; `end` if
    // none.
    std::uint32_t border(std::uint32_t first, std::uint32_t end) const {
        const std::uint32_t middle = first + (end - first) / 2;
        for (std::size_t i = 0; i < places_.levels().size(); ++i) {
            const PerProcess& starts = places_.starts(i);
            const auto above =
                std::lower_bound(starts.begin(), starts.end(), std::max(middle, first + 1));
            const std::uint32_t high = above == starts.end() ? end : std::min(*above, end);
            const std::uint32_t low = above == starts.begin() ? first : std::max(*(above - 1), first);
            if (low > first && (high == end || middle - low <= high - middle)) {
                return low;
            }
            if (high < end) {
                return high;
            }
        }
        return end;
    }

    void cut(std::uint32_t first, std::uint32_t middle, std::uint32_t end) {
        const auto begin = cell_at_.begin() + first;
        Cells best;
        std::uint64_t least = UINT64_MAX;
        for (std::size_t sweep = 0; sweep < sweeps_.num(); ++sweep) {
            Cells cells(begin, cell_at_.begin() + end);
            sweeps_.sort(sweep, cells);
            const std::uint64_t across = cutter_.improve(cells, middle - first);
            if (across < least) {
                least = across;
                best = std::move(cells);
            }
        }
        std::copy(best.begin(), best.end(), begin);
    }

    const Places& places_;
    Sweeps sweeps_;
    Cutter cutter_;
    PerProcess cell_at_;
};

}  // namespace

PerProcess bisected_cells(const Grid& grid, const Places& places) {
    const Neighbours neighbours(graph_of(grid));
    return Bisection(neighbours, places, GridSweeps(grid)).run();
}

PerProcess bisected_cells(const Graph& graph, const Places& places) {
    const Neighbours neighbours(graph);
    return Bisection(neighbours, places, GraphSweeps(neighbours)).run();
}

}  // namespace hitopo::topo
