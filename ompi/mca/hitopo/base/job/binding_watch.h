// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Whether this process's CPUs are no longer those that a table has for it. Each table has its own: one
// that was exchanged anew says nothing of the others. Local.
#ifndef OMPI_MCA_HITOPO_BASE_JOB_BINDING_WATCH_H
#define OMPI_MCA_HITOPO_BASE_JOB_BINDING_WATCH_H

#include "ompi/mca/hitopo/base/attach/comm_table.h"

namespace hitopo {

bool is_bound_anew(const CommTable& table);

// The same, but looks at all threads only where the calling or the main one was bound anew, or the last
// look from this thread is 100 ms old: that takes as long as a whole split of few processes.
bool may_be_bound_anew(const CommTable& table);

}  // namespace hitopo

#endif
