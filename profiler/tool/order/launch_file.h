// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Orders of ranks as launchers read them: pure functions.
#ifndef PROFILER_TOOL_ORDER_LAUNCH_FILE_H
#define PROFILER_TOOL_ORDER_LAUNCH_FILE_H

#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/tools/hitopo/options.h"
#include "profiler/tool/order/plan.h"

namespace hitopo::tool {

struct LaunchFile {
    std::string text;
    std::string usage;  // how a launch uses it, one line in which {} is the file
};

// slot_of: as of Plan. A rankfile has a line for each rank with its slot's CPUs. The error is that it
// cannot: slots were not bound, or nothing tells of their machine; with the remedy.
Result<LaunchFile> launch_file(const Slots& slots, const topo::PerProcess& slot_of, LaunchFormat format,
                               Launcher launcher);

// The CPUs of a machine by hwloc's logical numbers, as rankfiles have them: in the order in which they
// lie in the machine's tree, whatever numbers the operating system gives them. Launchers count those
// that a cpuset allows alone.
struct LogicalCpus {
    CpuSet all;
    std::vector<CpuSet> cores, threads;  // by logical number
};

// allowed: of the cpuset of the processes there; empty: all of them.
LogicalCpus logical_cpus(const MachineDocument& machine, const CpuSet& allowed);

// The numbers of those of `units` that together are just these CPUs, as a list: "0-3,8"; nothing where
// there are none.
std::optional<std::string> numbers_of(const std::vector<CpuSet>& units, const CpuSet& cpus);

}  // namespace hitopo::tool

#endif
