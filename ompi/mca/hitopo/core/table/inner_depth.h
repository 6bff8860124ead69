// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// How many steps of the hierarchy there are inside of nodes: worked out once for each layout, or where
// that does not tell, since domains cross and several processes are in a seat, for each node.
#ifndef OMPI_MCA_HITOPO_CORE_TABLE_INNER_DEPTH_H
#define OMPI_MCA_HITOPO_CORE_TABLE_INNER_DEPTH_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/table/division.h"

namespace hitopo {

class InnerDepths {
public:
    // Both must outlive this.
    InnerDepths(const Table& table, const Division& division);

    // The most steps that a process of the node has below the step of the whole node.
    std::size_t of_node(std::uint32_t node);

private:
    using Weights = std::vector<std::uint32_t>;  // by seat of a layout: how many processes are in it
    struct Depth {
        std::size_t depth = 0;
        bool do_domains_cross = false;
        bool is_known = false;
    };

    const NodeLayout& layout_of(std::uint32_t node) const;
    Depth depth_of(std::size_t layout, Weights weights) const;
    bool has_shared_seats(const NodeLayout& layout) const;
    Weights weights_of(std::uint32_t node);
    void weigh();

    const Table& table_;
    const Division& division_;
    std::vector<Depth> by_layout_;
    std::map<std::pair<std::uint32_t, Weights>, std::size_t> by_weights_;  // and by layout
    std::vector<std::size_t> first_weight_;                                // by node, in weights_
    Weights weights_;                                                      // of all nodes
};

}  // namespace hitopo

#endif
