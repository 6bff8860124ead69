// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#ifndef OMPI_PROFILE_REPORT_PATH_H
#define OMPI_PROFILE_REPORT_PATH_H

#include <string>
#include <string_view>

namespace hitopo::profile {

// Where a report goes. In the pattern %p is the process id, %% one %, and any other % itself. Snapshots
// have their number before the name's last dot: a.b/profile.json and 2 give a.b/profile.2.json.
std::string report_path(std::string_view pattern, int snapshot, long process);

}  // namespace hitopo::profile

#endif
