// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/topo/hitopo/core/candidates.h"
#include "ompi/mca/topo/hitopo/core/cut.h"
#include "ompi/mca/topo/hitopo/core/graph.h"

namespace hitopo::topo {
namespace {

constexpr int kMaxRounds = 8;
constexpr int kNumChances = 4;  // beginnings of a cut by chance, in all attempts but the first

constexpr std::uint32_t kMaxCells = 1 << 15;
constexpr std::uint64_t kMaxEdges = 1 << 15;  // of all attempts together, if they are several
constexpr std::uint64_t kMaxAttempts = 8;

// The same numbers with every standard library.
using Random = std::minstd_rand;

std::uint32_t below(Random& random, std::size_t end) {
    return static_cast<std::uint32_t>(random() % end);
}

// The number of attempts that are worth their time.
unsigned num_attempts(std::uint64_t num_edges) {
    const std::uint64_t num = kMaxEdges / std::max<std::uint64_t>(num_edges, 1);
    return static_cast<unsigned>(std::clamp<std::uint64_t>(num, 1, kMaxAttempts));
}

// Orders of some cells whose beginnings are compact, to begin a cut with.
class GridSweeps {
public:
    explicit GridSweeps(const Grid& grid) : grid_(grid), strides_(strides_of(grid)) {}

    std::size_t num() const { return grid_.num_dims(); }

    // Sorts by dimension `sweep` first, then by those behind it.
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

    // Sorts along a line of any direction.
    void sort(Random& random, Cells& cells) const {
        constexpr std::uint32_t kMost = 100;
        std::vector<std::int64_t> direction(num());
        for (std::int64_t& length : direction) {
            length = static_cast<std::int64_t>(below(random, 2 * kMost + 1)) - kMost;
        }
        std::vector<std::pair<std::int64_t, std::uint32_t>> sorted;
        sorted.reserve(cells.size());
        for (const std::uint32_t cell : cells) {
            std::int64_t along = 0;
            for (std::size_t dim = 0; dim < num(); ++dim) {
                along += direction[dim] * coordinate(cell, dim);
            }
            sorted.emplace_back(along, cell);
        }
        std::sort(sorted.begin(), sorted.end());
        std::transform(sorted.begin(), sorted.end(), cells.begin(),
                       [](const auto& entry) { return entry.second; });
    }

private:
    std::uint32_t coordinate(std::uint32_t cell, std::size_t dim) const {
        return cell / strides_[dim] % static_cast<std::uint32_t>(grid_.dims[dim]);
    }

    const Grid& grid_;
    const std::vector<std::uint32_t> strides_;
};

// Cells in ascending order, in the order in which they are reached from the lowest, and from the last
// one so reached.
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

    // Sorts them as they are reached from any of them.
    void sort(Random& random, Cells& cells) {
        std::sort(cells.begin(), cells.end());
        reach(cells[below(random, cells.size())], cells);
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
    Bisection(const Neighbours& neighbours, const LevelGroups& groups, const Sweeps& sweeps,
              unsigned attempt)
        : neighbours_(neighbours),
          groups_(groups),
          sweeps_(sweeps),
          random_(attempt + 1),
          num_chances_(attempt > 0 ? kNumChances : 0),
          cutter_(neighbours),
          cell_at_(groups.size()),
          position_of_(groups.size()) {
        std::iota(cell_at_.begin(), cell_at_.end(), 0u);
    }

    PerProcess run() {
        divide(0, static_cast<std::uint32_t>(cell_at_.size()), 0);
        return std::move(cell_at_);
    }

private:
    // The positions from first to before `end`, a group of the level outside of levels()[level].
    void divide(std::uint32_t first, std::uint32_t end, std::size_t level) {
        if (level == groups_.levels().size()) {
            return;
        }
        const std::vector<std::uint32_t> borders = borders_within(first, end, level);
        bisect(borders, 0, borders.size() - 1);
        exchange_in_pairs(borders);
        for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
            divide(borders[i], borders[i + 1], level + 1);
        }
    }

    // The begins of its groups of a level, and the end.
    std::vector<std::uint32_t> borders_within(std::uint32_t first, std::uint32_t end,
                                              std::size_t level) const {
        const PerProcess& starts = groups_.starts(level);
        std::vector<std::uint32_t> borders(std::lower_bound(starts.begin(), starts.end(), first),
                                           std::lower_bound(starts.begin(), starts.end(), end));
        borders.push_back(end);
        return borders;
    }

    // Cuts between borders[first] and borders[last] where it is nearest to the middle, and so on.
    void bisect(const std::vector<std::uint32_t>& borders, std::size_t first, std::size_t last) {
        if (last - first < 2) {
            return;
        }
        const std::uint32_t middle = borders[first] + (borders[last] - borders[first]) / 2;
        const auto above =
            std::lower_bound(borders.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                             borders.begin() + static_cast<std::ptrdiff_t>(last) - 1, middle);
        auto nearest = static_cast<std::size_t>(above - borders.begin());
        if (nearest > first + 1 && middle - borders[nearest - 1] <= borders[nearest] - middle) {
            --nearest;
        }
        cut(borders[first], borders[nearest], borders[last]);
        bisect(borders, first, nearest);
        bisect(borders, nearest, last);
    }

    // Exchanges cells between each two groups that talk, while it helps.
    void exchange_in_pairs(const std::vector<std::uint32_t>& borders) {
        for (int round = 0; round < kMaxRounds && borders.size() > 3; ++round) {
            bool has_changed = false;
            for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
                for (const std::size_t other : groups_beside(borders, i)) {
                    has_changed = exchange(borders, i, other) || has_changed;
                }
            }
            if (!has_changed) {
                return;
            }
        }
    }

    // The groups behind the i-th that have neighbours of its cells, ascending.
    std::vector<std::size_t> groups_beside(const std::vector<std::uint32_t>& borders, std::size_t i) {
        for (std::size_t p = borders.front(); p < borders.back(); ++p) {
            position_of_[cell_at_[p]] = static_cast<std::uint32_t>(p);
        }
        std::vector<std::size_t> groups;
        for (std::uint32_t p = borders[i]; p < borders[i + 1]; ++p) {
            for (const Neighbour& other : neighbours_.of(cell_at_[p])) {
                const std::uint32_t position = position_of_[other.cell];
                if (position >= borders[i + 1] && position < borders.back() &&
                    cell_at_[position] == other.cell) {
                    const auto behind = std::upper_bound(borders.begin(), borders.end(), position);
                    groups.push_back(static_cast<std::size_t>(behind - borders.begin()) - 1);
                }
            }
        }
        return distinct(std::move(groups));
    }

    bool exchange(const std::vector<std::uint32_t>& borders, std::size_t i, std::size_t j) {
        const auto at = [&](std::size_t border) {
            return cell_at_.begin() + static_cast<std::ptrdiff_t>(borders[border]);
        };
        Cells cells(at(i), at(i + 1));
        const std::size_t num_first = cells.size();
        cells.insert(cells.end(), at(j), at(j + 1));
        const std::uint64_t before = cutter_.bytes_across(cells, num_first);
        if (cutter_.improve(cells, num_first) >= before) {
            return false;
        }
        std::copy(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(num_first), at(i));
        std::copy(cells.begin() + static_cast<std::ptrdiff_t>(num_first), cells.end(), at(j));
        return true;
    }

    void cut(std::uint32_t first, std::uint32_t middle, std::uint32_t end) {
        const auto begin = cell_at_.begin() + first;
        Cells best;
        std::uint64_t least = UINT64_MAX;
        const auto try_from = [&](auto&& sort) {
            Cells cells(begin, cell_at_.begin() + end);
            sort(cells);
            const std::uint64_t across = cutter_.improve(cells, middle - first);
            if (across < least || (across == least && below(random_, 2) == 0)) {
                least = across;
                best = std::move(cells);
            }
        };
        for (std::size_t sweep = 0; sweep < sweeps_.num(); ++sweep) {
            try_from([&](Cells& cells) { sweeps_.sort(sweep, cells); });
        }
        for (int i = 0; i < num_chances_; ++i) {
            try_from([&](Cells& cells) { sweeps_.sort(random_, cells); });
        }
        std::copy(best.begin(), best.end(), begin);
    }

    const Neighbours& neighbours_;
    const LevelGroups& groups_;
    Sweeps sweeps_;
    Random random_;
    const int num_chances_;
    Cutter cutter_;
    PerProcess cell_at_;
    PerProcess position_of_;  // of each cell, where it is asked for
};

template <class Sweeps>
std::vector<PerProcess> bisections(const Neighbours& neighbours, const LevelGroups& groups,
                                   const Sweeps& sweeps, std::uint64_t num_edges) {
    std::vector<PerProcess> all;
    for (unsigned attempt = 0; attempt < num_attempts(num_edges); ++attempt) {
        all.push_back(Bisection<Sweeps>(neighbours, groups, sweeps, attempt).run());
    }
    return all;
}

}  // namespace

std::vector<PerProcess> bisected_cells(const Grid& grid, const LevelGroups& groups) {
    if (grid.num_cells() > kMaxCells) {
        return {};
    }
    const Neighbours neighbours(graph_of(grid));
    return bisections(neighbours, groups, GridSweeps(grid),
                      std::uint64_t{grid.num_cells()} * grid.num_dims());
}

std::vector<PerProcess> bisected_cells(const Graph& graph, const LevelGroups& groups) {
    if (graph.num_vertices > kMaxCells) {
        return {};
    }
    const Neighbours neighbours(graph);
    return bisections(neighbours, groups, GraphSweeps(neighbours), graph.edges.size());
}

}  // namespace hitopo::topo
