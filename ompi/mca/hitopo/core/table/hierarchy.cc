// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/hierarchy.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "ompi/mca/hitopo/core/table/division.h"
#include "ompi/mca/hitopo/core/table/inner_depth.h"

namespace hitopo {
namespace {

// Which part holds an item.
std::optional<std::size_t> part_with(const Parts& parts, std::uint32_t item) {
    const auto found = std::find(parts.items.begin(), parts.items.end(), item);
    if (found == parts.items.end()) {
        return std::nullopt;
    }
    const auto end = std::upper_bound(parts.end.begin(), parts.end.end(), found - parts.items.begin());
    return static_cast<std::size_t>(end - parts.end.begin());
}

// By part. lowest_of: an item's lowest rank.
template <class LowestOf>
Ranks lowest_ranks(const Parts& parts, LowestOf lowest_of) {
    Ranks lowest(parts.count(), UINT32_MAX);
    for (std::size_t part = 0, i = 0; part < parts.count(); ++part) {
        for (; i < parts.end[part]; ++i) {
            lowest[part] = std::min(lowest[part], lowest_of(parts.items[i]));
        }
    }
    return lowest;
}

class HierarchyBuilder {
public:
    HierarchyBuilder(const Table& table, std::uint32_t rank)
        : table_(table),
          rank_(rank),
          own_(table.places().place(rank)),
          division_(table),
          inner_depths_(table, division_) {}

    Hierarchy build() {
        if (table_.num_nodes() == 1) {
            reach_node(0, 0);
        } else {
            divide_nodes(all_items(table_.num_nodes()), 0, true);
        }
        return std::move(out_);
    }

private:
    // ---- nodes, two at least ----

    void divide_nodes(const Items& parent, std::size_t depth, bool is_own) {
        const Parts parts = division_.nodes().divide(parent);
        const std::size_t own = is_own ? *part_with(parts, own_.node) : parts.count();
        if (is_own) {
            add_nodes(parent, parts, own);
        }
        for (std::size_t number = 0; number < parts.count(); ++number) {
            const std::uint32_t begin = parts.begin(number);
            if (parts.end[number] - begin == 1) {
                reach_node(parts.items[begin], depth + 1);
            } else {
                divide_nodes(parts.part(number), depth + 1, number == own);
            }
        }
    }

    void add_nodes(const Items& parent, const Parts& parts, std::size_t own) {
        const Items part = parts.part(own);
        const Division::Sizes sizes = Division::sizes_of(division_.nodes(), parent);
        Ranks lowest =
            lowest_ranks(parts, [this](std::uint32_t node) { return division_.extents()[node].lowest; });
        add_step(ranks_on(part), division_.type_of_nodes(sizes, part), std::move(lowest), own);
    }

    // Among the ranks of the step before, or among all.
    Ranks ranks_on(const Items& nodes) const {
        std::vector<bool> is_in(table_.num_nodes(), false);
        for (const std::uint32_t node : nodes) {
            is_in[node] = true;
        }
        Ranks ranks;
        if (!out_.steps.empty()) {
            const Ranks& parent = out_.steps.back().ranks;
            std::copy_if(parent.begin(), parent.end(), std::back_inserter(ranks),
                         [&](std::uint32_t rank) { return is_in[table_.node_number(rank)]; });
            return ranks;
        }
        table_.places().for_each_on([&](std::uint32_t node) { return is_in[node]; }, table_.size(),
                                    [&](std::size_t rank, RankMap::Place) {
                                        ranks.push_back(static_cast<std::uint32_t>(rank));
                                    });
        std::sort(ranks.begin(), ranks.end());
        return ranks;
    }

    // lowest: by part.
    void add_step(Ranks ranks, std::size_t type, Ranks lowest, std::size_t own) {
        HierarchyStep step;
        const auto comes_before = [&](std::uint32_t other) { return other < lowest[own]; };
        step.number =
            static_cast<std::int32_t>(std::count_if(lowest.begin(), lowest.end(), comes_before));
        step.count = lowest.size();
        step.type = division_.types()[type].uri();
        if (ranks[0] == rank_) {
            std::sort(lowest.begin(), lowest.end());
            step.roots = std::move(lowest);
        }
        step.ranks = std::move(ranks);
        out_.steps.push_back(std::move(step));
    }

    void reach_node(std::uint32_t node, std::size_t depth) {
        out_.depth = std::max(out_.depth, depth + inner_depths_.of_node(node));
        if (node == own_.node) {
            divide_own_node();
        }
    }

    // ---- the seats of the own node, counted from its layout's first ----

    struct Occupant {
        std::uint32_t rank, seat;
    };

    std::vector<Occupant> occupants(const NodeLayout& layout) const {
        std::vector<Occupant> occupants;
        const Ranks ranks = out_.steps.empty() ? all_items(table_.size()) : out_.steps.back().ranks;
        for (const std::uint32_t rank : ranks) {
            occupants.push_back({rank, table_.seat_number(rank) - layout.first_seat});
        }
        return occupants;
    }

    void divide_own_node() {
        const std::uint32_t number = table_.layouts().of_node(own_.node);
        const NodeLayout& layout = table_.layouts().layouts()[number];
        const std::vector<Occupant> all = occupants(layout);
        std::vector<std::uint32_t> weights(layout.num_seats, 0);
        for (const Occupant& one : all) {
            ++weights[one.seat];
        }
        Divider seats = division_.seats(number, std::move(weights));
        for (Items parent = all_items(layout.num_seats);;) {
            const Parts parts = seats.divide(parent);
            const std::optional<std::size_t> own = part_with(parts, own_.seat - layout.first_seat);
            if (!own) {
                return;
            }
            add_seats(seats, number, parent, parts, *own, all);
            parent = parts.part(*own);
        }
    }

    void add_seats(const Divider& seats, std::size_t layout, const Items& parent, const Parts& parts,
                   std::size_t own, const std::vector<Occupant>& all) {
        const Items part = parts.part(own);
        Ranks ranks;
        for (const Occupant& one : all) {
            if (std::binary_search(part.begin(), part.end(), one.seat)) {
                ranks.push_back(one.rank);
            }
        }
        const auto lowest_of = [&](std::uint32_t seat) {
            return std::find_if(all.begin(), all.end(),
                                [&](const Occupant& one) { return one.seat == seat; })
                ->rank;
        };
        const Division::Sizes sizes = Division::sizes_of(seats, parent);
        add_step(std::move(ranks), division_.type_of_seats(seats, layout, sizes, part),
                 lowest_ranks(parts, lowest_of), own);
    }

    const Table& table_;
    const std::uint32_t rank_;
    const RankMap::Place own_;
    Division division_;
    InnerDepths inner_depths_;
    Hierarchy out_;
};

}  // namespace

Hierarchy make_hierarchy(const Table& table, std::uint32_t rank) {
    return HierarchyBuilder(table, rank).build();
}

}  // namespace hitopo
