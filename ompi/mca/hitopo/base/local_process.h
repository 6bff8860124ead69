// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What this process can read of itself without asking any component.
#ifndef OMPI_MCA_HITOPO_BASE_LOCAL_PROCESS_H
#define OMPI_MCA_HITOPO_BASE_LOCAL_PROCESS_H

#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/record/make_record.h"

namespace hitopo {

// All CPUs that any thread of this process may run on: binding and cgroup together. Empty if the
// system does not tell.
CpuSet read_binding();

// Everything but `forced` and `words`, which are the framework's.
ProcessFacts read_process_facts();

}  // namespace hitopo

#endif
