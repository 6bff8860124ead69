// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Where the profiler writes.
#ifndef OMPI_MCA_HITOPO_CORE_REPORT_PATH_H
#define OMPI_MCA_HITOPO_CORE_REPORT_PATH_H

#include <string>
#include <string_view>

namespace hitopo {

// Where a report goes. In the pattern %p is the process id, %% one %, and any other % itself. Snapshots
// have their number before the name's last dot: a.b/profile.json and 2 give a.b/profile.2.json.
std::string report_path(std::string_view pattern, int snapshot, long process);

}  // namespace hitopo

#endif
