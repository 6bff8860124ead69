// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Resource types, and the words that users have for them: URIs, hwloc's names and constants, the levels'
// names, Open MPI's words.
#ifndef OMPI_MCA_HITOPO_CORE_TREE_RESOURCE_TYPE_H
#define OMPI_MCA_HITOPO_CORE_TREE_RESOURCE_TYPE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/answer.h"
#include "ompi/mca/hitopo/core/address/level.h"

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

// The index of the one of `types` that `word` names, whole words in any case; empty if it names none.
//
//     hwloc://Package  HWLOC_OBJ_PACKAGE  Package  Socket  hwloc://socket   the machine's type Package
//     hitopo://Socket                                                      level Socket
//     nvlink://Domain                                                      that side resource
//
// A bare word is a machine's type if one has it, else a level. "mpi://" is the standard's own.
std::optional<std::size_t> find_resource(const std::vector<ResourceType>& types, std::string_view word);

// The URI of the type that is most like `word`, by the letters that differ; "" where more than a third
// of its letters do.
std::string nearest_resource(const std::vector<ResourceType>& types, std::string_view word);

// Whether `word` is a URI, or begins with a word of HiTopo, hwloc or Open MPI for a level or a type of a
// machine: then it names that or nothing, even if no machine of the job has it.
bool begins_as_resource(std::string_view word);

// Whether `word` asks for the split by MPI_COMM_TYPE_SHARED.
bool is_shared_memory(std::string_view word);

// The index of "MPI_HW_LEVEL7": 7; empty for any other word.
std::optional<std::size_t> parse_hw_level(std::string_view word);

}  // namespace hitopo

#endif
