// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Orders of ranks as launchers read them: one writer a format, pure functions.
#ifndef OMPI_TOOLS_HITOPO_ORDER_LAUNCH_FILE_H
#define OMPI_TOOLS_HITOPO_ORDER_LAUNCH_FILE_H

#include <string>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/tools/hitopo/options.h"
#include "ompi/tools/hitopo/order/plan.h"

namespace hitopo::tool {

struct LaunchFile {
    std::string text;
    std::string usage;  // how a launch uses it, one line in which {} is the file
};

// Whether the format says on which CPUs of its host a rank runs, or its host only.
constexpr bool fixes_inside(LaunchFormat format) { return format == LaunchFormat::kRankfile; }

// slot_of: as of Plan. The error is that a rankfile cannot say it, with the remedy.
Result<LaunchFile> launch_file(const Slots& slots, const topo::PerProcess& slot_of, LaunchFormat format,
                               Launcher launcher);

// Open MPI's rankfile, which binds: a line for each rank with its slot's CPUs. An error where slots were
// not bound, or nothing tells of their machine.
Result<LaunchFile> rankfile(const Slots& slots, const topo::PerProcess& slot_of, Launcher launcher);

}  // namespace hitopo::tool

#endif
