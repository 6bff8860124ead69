// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo order`: from a profile, a grid or hosts to a better launch.
#ifndef PROFILER_TOOL_ORDER_ORDER_H
#define PROFILER_TOOL_ORDER_ORDER_H

#include <cstdint>
#include <optional>
#include <string>

#include "ompi/mca/hitopo/core/address/lane.h"
#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/topo/hitopo/core/cost.h"
#include "ompi/mca/topo/hitopo/core/graph.h"
#include "ompi/tools/hitopo/launch/launch.h"
#include "ompi/tools/hitopo/options.h"
#include "profiler/tool/profile/profile.h"

namespace hitopo::tool {

// The slot of each rank of a better launch, and the traffic across each lane then.
//
// Rank r of the launch so far had slot r. The ordering functions give slot r's process a new rank,
// Order::new_rank[r]; a program whose traffic depends on its ranks alone then has its vertex new_rank[r]
// there. So the new launch's rank n gets the slot whose new rank is n.
struct Plan {
    topo::PerProcess slot_of;  // of each rank of the new launch
    std::string candidate;     // of the order; "identity": nothing is gained
    PerLane before, after;     // bytes, or pairs of neighbours of a grid

    bool is_identity() const { return candidate == "identity"; }
};

// As many slots as vertices.
Plan plan_graph(const topo::Graph& graph, const Slots& slots, const topo::Capacities& capacities);

// As many slots as cells.
Plan plan_grid(const topo::Grid& grid, const Slots& slots, const topo::Capacities& capacities);

// The order of addresses; its figures are the ranks whose next one is in another group.
Plan plan_hosts(const Slots& slots);

// ---- the command ----

struct Ordered {
    std::string report;               // for people; with --node-rank the number alone
    std::optional<std::string> file;  // for a launcher, where the options ask for one
    std::vector<Error> skipped;       // entries left out of the file of --topology
};

// Reads the files that the options name, and the environment: the Slurm job that this runs in, and the
// MCA variables hitopo_file_*. The error is the first fault.
Result<Ordered> find_order(const Options& options);

// As `hitopo order FILE --format hostfile` of the profile: the nodes that ranks get, of those that it
// has. The error names a missing part; kTooLarge: it would take more than some seconds.
Result<Plan> plan_nodes(const Profile& profile, const std::string& where);

// The text of a plan for people.
struct OrderText {
    const Plan& plan;
    const Slots& slots;
    const char* unit;                    // "bytes"
    std::uint64_t collective_bytes = 0;  // that were neither mapped nor predicted
    bool is_outside_only = false;        // the format names hosts only
    std::string usage = {};              // the launch command; may be empty
    std::string note = {};               // the base of the figures; may be empty
};

std::string order_text(const OrderText& text);

}  // namespace hitopo::tool

#endif
