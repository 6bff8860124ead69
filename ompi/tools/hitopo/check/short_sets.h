// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// CPUs for which more is wanted than they are.
#ifndef OMPI_TOOLS_HITOPO_CHECK_SHORT_SETS_H
#define OMPI_TOOLS_HITOPO_CHECK_SHORT_SETS_H

#include <vector>

#include "ompi/mca/hitopo/core/machine/cpuset.h"

namespace hitopo::tool {

struct CpuWish {
    const CpuSet* cpus = nullptr;
    int num_wanted = 0;  // of these, for itself
};

// For each wish that cannot be met beside those before it, a set of CPUs such that the wishes for some
// of these alone are together for more than they are. None: all can be met at once (P. Hall's theorem).
std::vector<CpuSet> short_sets(const std::vector<CpuWish>& wishes);

}  // namespace hitopo::tool

#endif
