// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo order`: from a profile, a grid or hosts to a better launch.
#ifndef PROFILER_TOOL_ORDER_ORDER_H
#define PROFILER_TOOL_ORDER_ORDER_H

#include <optional>
#include <string>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/tools/hitopo/options.h"
#include "profiler/tool/order/plan.h"
#include "profiler/tool/profile/profile.h"

namespace hitopo::tool {

struct Ordered {
    std::string report;               // for people
    std::optional<std::string> file;  // for a launcher, where the options ask for one
    std::optional<Error> skipped;     // what was left out of the file of --topology
};

// Reads the files that the options name, and the environment: the Slurm job that this runs in, and the
// MCA variables hitopo_file_*. The error tells the first thing that is wrong.
Result<Ordered> find_order(const Options& options);

// As `hitopo order FILE --format hostfile` of the profile: which nodes ranks get, of those that it has.
// The error is what the profile lacks, or kTooLarge: that would take more than some seconds.
Result<Plan> plan_nodes(const Profile& profile, const std::string& where);

}  // namespace hitopo::tool

#endif
