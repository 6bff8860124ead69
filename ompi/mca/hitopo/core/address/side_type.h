// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Types of side resources: what processes share that is no level of an address, since it nests in
// nothing: an NVLink domain, which crosses nodes.
#ifndef OMPI_MCA_HITOPO_CORE_ADDRESS_SIDE_TYPE_H
#define OMPI_MCA_HITOPO_CORE_ADDRESS_SIDE_TYPE_H

#include <cstddef>
#include <string_view>

namespace hitopo {

// A type's URI: a scheme and a name of letters, digits, '+', '-', '.' and '_' with "://" between, at
// most 64 bytes; not of the schemes hwloc, hitopo, mpi and slurm, which have meanings of their own.
bool is_side_type(std::string_view uri);

inline constexpr std::size_t kMaxSideTypes = 16;  // of one process

}  // namespace hitopo

#endif
