// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What a user's word for a resource type means: URIs, hwloc's names and constants, the levels' names,
// Open MPI's words.
#ifndef OMPI_MCA_HITOPO_CORE_TREE_RESOURCE_NAME_H
#define OMPI_MCA_HITOPO_CORE_TREE_RESOURCE_NAME_H

#include <optional>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/tree/resource_type.h"

namespace hitopo {

// The index of what `word` names among `types`, whole words in any case; empty if it names none.
//
//     hwloc://Package  HWLOC_OBJ_PACKAGE  Package  Socket  hwloc://socket   the machine's type Package
//     hitopo://Socket                                                      level Socket
//     nvlink://Domain                                                      that side resource
//
// A bare word is a machine's type if one has it, else a level. "mpi://" is the standard's own.
std::optional<std::size_t> find_resource(const std::vector<ResourceType>& types, std::string_view word);

// Whether `word` asks for what MPI_COMM_TYPE_SHARED gives.
bool is_shared_memory(std::string_view word);

// The index of "MPI_HW_LEVEL7": 7; empty for any other word.
std::optional<std::size_t> parse_hw_level(std::string_view word);

}  // namespace hitopo

#endif
