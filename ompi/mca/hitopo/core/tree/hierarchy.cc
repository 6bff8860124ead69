// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/hierarchy.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "ompi/mca/hitopo/core/tree/inner_division.h"
#include "ompi/mca/hitopo/core/tree/partition.h"
#include "ompi/mca/hitopo/core/tree/type_order.h"

namespace hitopo {
namespace {

class HierarchyMaker {
public:
    HierarchyMaker(const AddressTree& tree, std::uint32_t rank)
        : tree_(tree),
          rank_(rank),
          own_(tree.at(rank)),
          types_(nesting_types(tree)),
          inner_depths_(tree.layouts().size()) {
        for (std::size_t node = 0; node < tree.nodes().size(); ++node) {
            lowest_.push_back(tree.extent(node).lowest);
        }
    }

    Hierarchy make() {
        if (tree_.nodes().size() == 1) {
            reach_node(0, 0);
        } else {
            divide_nodes(0, static_cast<std::uint32_t>(tree_.nodes().size()), 0);
        }
        return std::move(out_);
    }

private:
    // Nodes [begin, end), two at least.
    void divide_nodes(std::uint32_t begin, std::uint32_t end, std::size_t depth) {
        const std::vector<std::uint32_t> parts = parts_of_nodes(tree_, begin, end);
        if (begin <= own_.node && own_.node < end) {
            add_nodes(parts);
        }
        for (std::size_t part = 0; part + 1 < parts.size(); ++part) {
            if (parts[part + 1] - parts[part] == 1) {
                reach_node(parts[part], depth + 1);
            } else {
                divide_nodes(parts[part], parts[part + 1], depth + 1);
            }
        }
    }

    void add_nodes(const std::vector<std::uint32_t>& parts) {
        const auto own = static_cast<std::size_t>(
            std::upper_bound(parts.begin(), parts.end(), own_.node) - parts.begin() - 1);
        Ranks lowest;
        for (std::size_t part = 0; part + 1 < parts.size(); ++part) {
            lowest.push_back(
                *std::min_element(lowest_.begin() + parts[part], lowest_.begin() + parts[part + 1]));
        }
        Ranks ranks;
        for (std::uint32_t node = parts[own]; node < parts[own + 1]; ++node) {
            tree_.for_each_in(node, [&](std::uint32_t rank, std::uint32_t) { ranks.push_back(rank); });
        }
        add_step(std::move(ranks), type_of_nodes(tree_, types_, parts, own), std::move(lowest), own);
    }

    // lowest: the lowest ranks, by part.
    void add_step(Ranks ranks, std::string type, Ranks lowest, std::size_t own) {
        HierarchyStep step;
        step.number = static_cast<std::int32_t>(std::count_if(
            lowest.begin(), lowest.end(), [&](std::uint32_t other) { return other < lowest[own]; }));
        step.count = lowest.size();
        step.type = std::move(type);
        if (lowest[own] == rank_) {
            std::sort(lowest.begin(), lowest.end());
            step.roots = std::move(lowest);
        }
        put_in_order(ranks, tree_.size());
        step.ranks = std::move(ranks);
        out_.steps.push_back(std::move(step));
    }

    void reach_node(std::uint32_t node, std::size_t depth) {
        std::optional<std::size_t>& inner = inner_depths_[tree_.layout_number(node)];
        if (!inner) {
            const InnerDivision division(tree_, types_, tree_.layout_number(node));
            inner = division.depth(division.all());
        }
        out_.depth = std::max(out_.depth, depth + *inner);
        if (node == own_.node) {
            divide_own_node();
        }
    }

    void divide_own_node() {
        const InnerDivision division(tree_, types_, tree_.layout_number(own_.node));
        const std::uint32_t first_seat = tree_.layout_of(own_.node).first_seat;
        Ranks rank_of(tree_.num_ranks(own_.node));  // by seat
        tree_.for_each_in(own_.node, [&](std::uint32_t rank, std::uint32_t seat) {
            rank_of[seat - first_seat] = rank;
        });
        const auto ranks_of = [&](const SeatList& seats) {
            Ranks ranks;
            for (const std::uint32_t seat : seats) {
                ranks.push_back(rank_of[seat]);
            }
            return ranks;
        };
        for (SeatList parent = division.all();;) {
            const std::vector<SeatList> parts = division.divide(parent);
            const auto own = std::find_if(parts.begin(), parts.end(), [&](const SeatList& part) {
                return std::binary_search(part.begin(), part.end(), own_.seat - first_seat);
            });
            if (own == parts.end()) {
                return;
            }
            Ranks lowest;
            for (const SeatList& part : parts) {
                const Ranks ranks = ranks_of(part);
                lowest.push_back(*std::min_element(ranks.begin(), ranks.end()));
            }
            add_step(ranks_of(*own), division.type_of(parent, *own), std::move(lowest),
                     static_cast<std::size_t>(own - parts.begin()));
            parent = *own;
        }
    }

    const AddressTree& tree_;
    const std::uint32_t rank_;
    const AddressTree::At own_;
    const std::vector<ResourceType> types_;
    std::vector<std::optional<std::size_t>> inner_depths_;  // by layout
    Ranks lowest_;                                          // by node
    Hierarchy out_;
};

}  // namespace

Hierarchy make_hierarchy(const AddressTree& tree, std::uint32_t rank) {
    return HierarchyMaker(tree, rank).make();
}

}  // namespace hitopo
