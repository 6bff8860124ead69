// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Another tool that stands between the program and the profiler. MPI's profiling interface has room for
// one: what the other one hands on to MPI by PMPI_ never comes here.
#ifndef PROFILER_OTHER_TOOL_H
#define PROFILER_OTHER_TOOL_H

#include <string>

namespace hitopo::profile {

// What the user should be told; "" where there is none. Local; the profiler is up, so MPI_Init came
// here.
std::string complaint_of_other_tool();

}  // namespace hitopo::profile

#endif
