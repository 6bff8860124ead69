// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The cores that mpirun takes for this host's slots where a hostfile gives none.
#ifndef PROFILER_TOOL_ORDER_OWN_CORES_H
#define PROFILER_TOOL_ORDER_OWN_CORES_H

#include <cstddef>
#include <string>

namespace hitopo::tool {

// If `host` is this one, how many of its cores this process's cpuset has a part of. 0: another
// host, or the system does not tell.
std::size_t own_cores(const std::string& host);

}  // namespace hitopo::tool

#endif
