// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#ifndef OMPI_MCA_HITOPO_BASE_BINDING_H
#define OMPI_MCA_HITOPO_BASE_BINDING_H

#include "ompi/mca/hitopo/core/machine/cpuset.h"

namespace hitopo {

// All CPUs that any thread of this process may run on: binding and cgroup together. Empty if the system
// does not report them. Local; thread safe. Each split asks: two system calls a thread.
CpuSet read_binding();

}  // namespace hitopo

#endif
