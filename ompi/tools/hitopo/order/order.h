// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo order`: from a profile, a grid or hosts to a better launch.
#ifndef OMPI_TOOLS_HITOPO_ORDER_ORDER_H
#define OMPI_TOOLS_HITOPO_ORDER_ORDER_H

#include <optional>
#include <string>

#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/tools/hitopo/options.h"

namespace hitopo::tool {

// Of the Slurm job that this runs in.
struct SlurmJob {
    std::optional<std::string> node_list, tasks_per_node;
};

struct Ordered {
    std::string report;               // for people
    std::optional<std::string> file;  // for a launcher, where the options ask for one
};

// Reads the files that the options name. The error tells the first thing that is wrong.
Result<Ordered> find_order(const Options& options, const SlurmJob& job);

}  // namespace hitopo::tool

#endif
