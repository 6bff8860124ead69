// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What coll/hitopo tells of the calls that it serves, and topo/hitopo of its orders.
#ifndef PROFILER_COUNT_SERVED_H
#define PROFILER_COUNT_SERVED_H

namespace hitopo::profile {

// Whether anybody learns of it. Local.
void listen_to_served(bool is_on);

}  // namespace hitopo::profile

#endif
