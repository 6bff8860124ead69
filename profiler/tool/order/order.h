// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo order`: from a profile, a grid or hosts to a better launch.
#ifndef PROFILER_TOOL_ORDER_ORDER_H
#define PROFILER_TOOL_ORDER_ORDER_H

#include <functional>
#include <optional>
#include <string>

#include "ompi/mca/hitopo/core/network/slurm_components.h"
#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/tools/hitopo/options.h"
#include "profiler/tool/order/plan.h"
#include "profiler/tool/profile/profile.h"

namespace hitopo::tool {

// The environment: its variables, of the Slurm job that this runs in among them.
struct OrderEnvironment {
    Variable variable;
    // The cores of a host that mpirun may use; 0: unknown.
    std::function<std::size_t(const std::string& host)> cores_of;
};

struct Ordered {
    std::string report;               // for people
    std::optional<std::string> file;  // for a launcher, where the options ask for one
    std::optional<Error> skipped;     // what was left out of the file of --topology
};

// Reads the files that the options name. The error tells the first thing that is wrong.
Result<Ordered> find_order(const Options& options, const OrderEnvironment& environment);

// As `hitopo order FILE --format hostfile` of the profile: which nodes ranks get, of those that it has.
// The error is what the profile lacks, or kTooLarge: that would take more than some seconds.
Result<Plan> plan_nodes(const Profile& profile, const std::string& where);

}  // namespace hitopo::tool

#endif
