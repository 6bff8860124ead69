// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A table as unguided splits and the hierarchy divide it: first its nodes, each with the number of its
// processes, then the seats of one node, once for all nodes of a layout. That is exact: a domain of a
// network level is a set of whole nodes, any other lies inside one node and is a set of whole seats.
#ifndef OMPI_MCA_HITOPO_CORE_TABLE_DIVISION_H
#define OMPI_MCA_HITOPO_CORE_TABLE_DIVISION_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ompi/mca/hitopo/core/table/divider.h"
#include "ompi/mca/hitopo/core/table/domain.h"

namespace hitopo {

class Division {
public:
    // table must outlive this, and have a process. Time O(P) where ranks are shuffled, else O(N +
    // types); memory O(N).
    explicit Division(const Table& table);

    const std::vector<ResourceType>& types() const { return types_; }
    const std::vector<RankMap::Extent>& extents() const { return extents_; }  // by node

    // Items are nodes.
    Divider& nodes() { return nodes_; }
    // Items are the seats of a layout, counted from its first. weights: how many processes each has.
    Divider seats(std::size_t layout, std::vector<std::uint32_t> weights) const;

    // By the divider's types: domain_sizes of `parent`.
    using Sizes = std::vector<std::vector<std::uint32_t>>;
    static Sizes sizes_of(const Divider& divider, const Items& parent);
    // The index into types() of what names a part of a parent whose sizes are given, as deepest_type.
    std::size_t type_of_nodes(const Sizes& sizes, const Items& part);
    // seats: of the layout.
    std::size_t type_of_seats(const Divider& seats, std::size_t layout, const Sizes& sizes,
                              const Items& part) const;

private:
    static constexpr std::size_t kNumOuter = 3;                // types that hold several nodes
    static constexpr std::size_t kFirstInner = kNumOuter + 1;  // after the type of one node
    DomainSize size_in(std::size_t type, std::size_t layout, std::uint32_t seat) const;
    std::size_t type_of_whole_node(std::size_t layout);

    const Table& table_;
    const std::vector<ResourceType> types_;
    const std::vector<RankMap::Extent> extents_;
    std::vector<SeatInstances> inner_;          // by type, from kFirstInner
    std::vector<std::size_t> whole_node_type_;  // by layout; 0: not yet
    Divider nodes_;
};

}  // namespace hitopo

#endif
