// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#ifndef OMPI_MCA_HITOPO_CORE_TREE_RESOURCE_TYPE_H
#define OMPI_MCA_HITOPO_CORE_TREE_RESOURCE_TYPE_H

#include <climits>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "ompi/mca/hitopo/core/address/level.h"
#include "ompi/mca/hitopo/core/address/side_type.h"

namespace hitopo {

// A resource type: a level ("Switch", URI "hitopo://Switch"), a type of a machine ("L3Cache", URI
// "hwloc://L3Cache"), or a side resource, whose name is its URI: one that crosses nodes
// ("nvlink://Domain"), or a type of a machine ("gpu://Nearest").
struct ResourceType {
    std::string name;
    bool is_level = false;
    Level level = kCluster;     // where is_level
    std::int32_t side = kNone;  // index into the job's side types

    static constexpr std::int32_t kNone = -1;

    bool is_side() const { return side != kNone || is_side_type(name); }
    bool crosses_nodes() const { return side != kNone; }
    bool is_network() const { return is_level && level <= kNode; }
    bool is_inside_node() const { return is_level ? level > kNode : !crosses_nodes(); }
    std::string uri() const {
        return is_level ? "hitopo://" + name : is_side() ? name : "hwloc://" + name;
    }
};

// How large a domain is.
struct DomainSize {
    static constexpr int kUnknownCpus = INT_MAX;  // of levels

    std::size_t num_processes;
    int num_cpus;  // of its instance
};

// Among the types for which size_of(index) gives a size, the one that names what some processes have in
// common: that of the fewest processes, of equals of the fewest CPUs, of these the last. num_types for
// none.
template <class SizeOf>
std::size_t deepest_type(std::size_t num_types, SizeOf&& size_of) {
    std::size_t deepest = num_types;
    DomainSize least = {};
    for (std::size_t i = 0; i < num_types; ++i) {
        const std::optional<DomainSize> size = size_of(i);
        if (size && (deepest == num_types || std::tie(size->num_processes, size->num_cpus) <=
                                                 std::tie(least.num_processes, least.num_cpus))) {
            deepest = i;
            least = *size;
        }
    }
    return deepest;
}

}  // namespace hitopo

#endif
