// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Each vertex changes places with the one for which that gains most, as in Kernighan and Lin's method
// but between all groups at once, until no swap gains. Then a few swaps are made by chance and others
// follow as before; the result is kept unless it costs more (iterated local search).
#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <utility>

#include "ompi/mca/topo/hitopo/core/candidates.h"
#include "ompi/mca/topo/hitopo/core/graph.h"

namespace hitopo::topo {
namespace {

constexpr std::uint32_t kMaxByChance = 24;

// Pairs looked at, a few milliseconds; and for each pair that there is.
constexpr std::uint64_t kMaxTried = 300000;
constexpr std::uint64_t kMaxTriedEach = 500;

constexpr std::size_t kMaxEntries = 1 << 20;  // of Swaps::toward_

// Entry i is of LevelGroups::levels()[i], and 0 behind them.
using Crossed = std::array<std::int64_t, kNumLevels>;
using LevelCosts = std::array<double, kNumLevels>;  // as Cost

std::size_t count_groups(const LevelGroups& groups) {
    std::size_t num = 0;
    for (std::size_t i = 0; i < groups.levels().size(); ++i) {
        num += groups.num_groups(i);
    }
    return num;
}

class Swaps {
public:
    Swaps(const Neighbours& neighbours, const LevelGroups& groups, const Capacities& capacities,
          PerProcess cell_at)
        : neighbours_(neighbours),
          num_levels_(groups.levels().size()),
          num_columns_(count_groups(groups)),
          columns_at_(cell_at.size()),
          cell_at_(std::move(cell_at)),
          position_of_(cell_at_.size()),
          toward_(cell_at_.size() * num_columns_),
          bytes_to_(cell_at_.size()),
          is_waiting_(cell_at_.size()),
          max_tried_(std::min(kMaxTried, kMaxTriedEach * cell_at_.size() * cell_at_.size())) {
        for (std::uint32_t p = 0; p < cell_at_.size(); ++p) {
            position_of_[cell_at_[p]] = p;
        }
        set_levels(groups, capacities);
        count_all();
    }

    PerProcess run() {
        for (std::uint32_t cell = 0; cell < cell_at_.size(); ++cell) {
            let_wait(cell);
        }
        settle();
        while (num_tried_ < max_tried_) {
            go_on_by_chance();
        }
        return std::move(cell_at_);
    }

private:
    struct Swap {
        std::uint32_t cell, other;
    };
    // Groups of all levels are numbered together: those of one position.
    using Columns = std::array<std::uint32_t, kNumLevels>;

    void set_levels(const LevelGroups& groups, const Capacities& capacities) {
        std::uint32_t column = 0;
        for (std::size_t i = 0; i < num_levels_; ++i) {
            capacity_[i] = capacity_of(i, groups, capacities);
            const PerProcess& starts = groups.starts(i);
            for (std::size_t group = 0; group < starts.size(); ++group, ++column) {
                const std::size_t end = group + 1 < starts.size() ? starts[group + 1] : cell_at_.size();
                for (std::size_t p = starts[group]; p < end; ++p) {
                    columns_at_[p][i] = column;
                }
            }
        }
    }

    const Columns& columns_of(std::uint32_t cell) const { return columns_at_[position_of_[cell]]; }

    bool are_together(std::uint32_t cell, std::uint32_t other) const {
        return columns_of(cell)[num_levels_ - 1] == columns_of(other)[num_levels_ - 1];
    }

    // ---- bytes across levels ----

    std::int64_t* toward(std::uint32_t cell) { return &toward_[cell * num_columns_]; }

    void count_all() {
        for (std::uint32_t cell = 0; cell < cell_at_.size(); ++cell) {
            for (const Neighbour& other : neighbours_.of(cell)) {
                const auto bytes = static_cast<std::int64_t>(other.bytes);
                for (std::size_t i = 0; i < num_levels_; ++i) {
                    const std::uint32_t column = columns_of(other.cell)[i];
                    toward(cell)[column] += bytes;
                    crossed_[i] += cell < other.cell && column != columns_of(cell)[i] ? bytes : 0;
                }
            }
        }
        cost_ = cost_of(crossed_);
    }

    // The crossings if the two change places. bytes_to_ is the cell's.
    Crossed crossed_after(std::uint32_t cell, std::uint32_t other) {
        ++num_tried_;
        Crossed crossed = crossed_;
        const Columns &from = columns_of(cell), &to = columns_of(other);
        const std::int64_t *own = toward(cell), *others = toward(other);
        for (std::size_t i = 0; i < num_levels_; ++i) {
            if (from[i] != to[i]) {
                crossed[i] +=
                    own[from[i]] - own[to[i]] + others[to[i]] - others[from[i]] + 2 * bytes_to_[other];
            }
        }
        return crossed;
    }

    LevelCosts cost_of(const Crossed& crossed) const {
        LevelCosts costs = {};
        for (std::size_t i = 0; i < num_levels_; ++i) {
            costs[i] = static_cast<double>(crossed[i]) / capacity_[i];
        }
        std::sort(costs.begin(), costs.begin() + static_cast<std::ptrdiff_t>(num_levels_),
                  std::greater<>());
        return costs;
    }

    void set_bytes_to_neighbours_of(std::uint32_t cell, bool is_on) {
        for (const Neighbour& other : neighbours_.of(cell)) {
            bytes_to_[other.cell] = is_on ? static_cast<std::int64_t>(other.bytes) : 0;
        }
    }

    // ---- swaps ----

    void carry(std::uint32_t cell, const Columns& from, const Columns& to) {
        for (const Neighbour& beside : neighbours_.of(cell)) {
            std::int64_t* const bytes = toward(beside.cell);
            for (std::size_t i = 0; i < num_levels_; ++i) {
                bytes[from[i]] -= static_cast<std::int64_t>(beside.bytes);
                bytes[to[i]] += static_cast<std::int64_t>(beside.bytes);
            }
        }
    }

    void exchange(const Swap& swap) {
        const Columns &from = columns_of(swap.cell), &to = columns_of(swap.other);
        carry(swap.cell, from, to);
        carry(swap.other, to, from);
        std::swap(position_of_[swap.cell], position_of_[swap.other]);
        cell_at_[position_of_[swap.cell]] = swap.cell;
        cell_at_[position_of_[swap.other]] = swap.other;
    }

    // crossed: the crossings then.
    void make(const Swap& swap, const Crossed& crossed) {
        exchange(swap);
        made_.push_back(swap);
        crossed_ = crossed;
        cost_ = cost_of(crossed);
        for (const std::uint32_t cell : {swap.cell, swap.other}) {
            let_wait(cell);
            for (const Neighbour& beside : neighbours_.of(cell)) {
                let_wait(beside.cell);
            }
        }
    }

    void let_wait(std::uint32_t cell) {
        if (!is_waiting_[cell]) {
            is_waiting_[cell] = true;
            waiting_.push_back(cell);
        }
    }

    // waiting_ grows while it goes on.
    void settle() {
        for (std::size_t next = 0; next < waiting_.size(); ++next) {
            const std::uint32_t cell = waiting_[next];
            is_waiting_[cell] = false;
            if (num_tried_ < max_tried_) {
                set_bytes_to_neighbours_of(cell, true);
                swap_if_better(cell);
                set_bytes_to_neighbours_of(cell, false);
            }
        }
        waiting_.clear();
    }

    void swap_if_better(std::uint32_t cell) {
        LevelCosts least = cost_;
        Crossed crossed_then = crossed_;
        Swap best = {cell, cell};
        for (std::uint32_t other = 0; other < cell_at_.size(); ++other) {
            if (are_together(cell, other)) {
                continue;
            }
            const Crossed crossed = crossed_after(cell, other);
            const LevelCosts costs = cost_of(crossed);
            if (costs < least) {
                least = costs;
                crossed_then = crossed;
                best.other = other;
            }
        }
        if (best.other != cell) {
            make(best, crossed_then);
        }
    }

    void go_on_by_chance() {
        const LevelCosts cost_before = cost_;
        const Crossed crossed_before = crossed_;
        made_.clear();
        for (std::uint32_t num = 1 + below(kMaxByChance); num > 0; --num) {
            swap_by_chance();
        }
        settle();
        if (cost_before < cost_) {
            std::for_each(made_.rbegin(), made_.rend(), [this](const Swap& swap) { exchange(swap); });
            crossed_ = crossed_before;
            cost_ = cost_before;
        }
    }

    void swap_by_chance() {
        const std::uint32_t cell = below(cell_at_.size()), other = below(cell_at_.size());
        set_bytes_to_neighbours_of(cell, true);
        const Crossed crossed = crossed_after(cell, other);
        set_bytes_to_neighbours_of(cell, false);
        if (!are_together(cell, other)) {
            make({cell, other}, crossed);
        }
    }

    std::uint32_t below(std::size_t end) { return static_cast<std::uint32_t>(random_() % end); }

    const Neighbours& neighbours_;
    const std::size_t num_levels_, num_columns_;
    std::vector<Columns> columns_at_;  // of each position
    LevelCosts capacity_ = {};

    PerProcess cell_at_, position_of_;
    std::vector<std::int64_t> toward_;  // of each cell the bytes to all cells of each column
    Crossed crossed_ = {};
    LevelCosts cost_ = {};  // of crossed_

    std::vector<std::int64_t> bytes_to_;  // of the cell that is looked at
    std::vector<bool> is_waiting_;
    std::vector<std::uint32_t> waiting_;  // cells that may gain
    std::vector<Swap> made_;
    std::minstd_rand random_;  // the same numbers with every standard library
    std::uint64_t num_tried_ = 0;
    const std::uint64_t max_tried_;
};

}  // namespace

PerProcess swapped_cells(const Graph& graph, const LevelGroups& groups, const Capacities& capacities,
                         PerProcess cell_at) {
    if (cell_at.size() > kMaxEntries / count_groups(groups)) {
        return cell_at;
    }
    const Neighbours neighbours(graph);
    return Swaps(neighbours, groups, capacities, std::move(cell_at)).run();
}

}  // namespace hitopo::topo
