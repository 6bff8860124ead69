// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The job's resource types under HSplit's names for them.
#ifndef OMPI_COMM_HWSPLIT_JOB_H
#define OMPI_COMM_HWSPLIT_JOB_H

#include <cstddef>
#include <string>

namespace hitopo {

// The URI of MPI_HW_LEVEL<index> (MPIX_Get_hw_topology_info); "" beyond the last.
std::string job_level(std::size_t index);

}  // namespace hitopo

#endif
