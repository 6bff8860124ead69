// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// How unguided splits divide the processes of a node: once for all nodes of one layout.
#ifndef OMPI_MCA_HITOPO_CORE_TREE_INNER_DIVISION_H
#define OMPI_MCA_HITOPO_CORE_TREE_INNER_DIVISION_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/tree/address_tree.h"

namespace hitopo {

using SeatList = std::vector<std::uint32_t>;  // of a layout, counted from its first seat

// The largest strict subsets of `seats` among all domains, cut to them; where two cross, the larger,
// then that of the outer type stands whole. domains: by type, the outermost first, then by seat: 0.. or
// -1.
std::vector<SeatList> largest_domains(const std::vector<std::vector<std::int32_t>>& domains,
                                      const SeatList& seats);

class InnerDivision {
public:
    // types: nesting_types(tree). The first two must outlive this.
    InnerDivision(const AddressTree& tree, const std::vector<ResourceType>& types, std::size_t layout);

    SeatList all() const;
    std::vector<SeatList> divide(const SeatList& seats) const {
        return largest_domains(domains_, seats);
    }
    // How many steps there are at most below these.
    std::size_t depth(const SeatList& seats) const;

    // The URI of the type that names a part of a parent (core/tree/resource_type.h: deepest_type).
    std::string type_of(const SeatList& parent, const SeatList& part) const;
    // The same of the whole node, among other nodes.
    std::string type_of_node() const;

private:
    std::size_t deepest(const SeatList& parent, const SeatList& part) const;

    const AddressTree& tree_;
    const TreeLayout& layout_;
    std::vector<const ResourceType*> types_;  // inside nodes
    std::vector<std::vector<std::int32_t>> domains_;
};

}  // namespace hitopo

#endif
