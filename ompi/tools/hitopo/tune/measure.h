// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo tune`, as far as it needs MPI.
#ifndef OMPI_TOOLS_HITOPO_TUNE_MEASURE_H
#define OMPI_TOOLS_HITOPO_TUNE_MEASURE_H

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "ompi/tools/hitopo/tune/tuning.h"

namespace hitopo::tool {

// addresses: of all ranks (coll_settings.h); the same at all. is_check: collectives go by the job's
// coll_hitopo_links, not by the links as they are measured. Collective over comm. Takes half a minute or
// so, longer where a collective takes over 30 ms. share: coll_hitopo_share, as rank 0 has it. The result
// is the same at all ranks.
Tuning measure(MPI_Comm comm, const std::vector<std::int32_t>& addresses, bool is_check, int share);

}  // namespace hitopo::tool

#endif
