// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The topology that one process gets from slurmctld and publishes to all others of the job.
#ifndef OMPI_MCA_HITOPO_SLURM_PUBLISHED_TOPOLOGY_H
#define OMPI_MCA_HITOPO_SLURM_PUBLISHED_TOPOLOGY_H

#include <cstddef>
#include <string>
#include <string_view>

#include "ompi/mca/hitopo/core/network/switch_tree.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

inline constexpr std::size_t kMaxPublishedBytes = 64 << 10;

// The program that asks (slurm/hitopo_slurm_topology.c) prints the topology between these lines, and
// messages of Slurm's library above them.
inline constexpr std::string_view kTopologyBegin = "topology:\n";
inline constexpr std::string_view kTopologyEnd = "end of topology\n";

// The text to publish, from that program's output; job_nodes: the job's, a list. It is the part of the
// topology that these nodes need, as lines of a topology.conf, with a line for each kind of lines that
// is not known; or a refusal: the last line that was printed, or `why_not` if that is not empty (the
// program could not start, or took too long).
std::string make_published_topology(const std::string& printed, const std::string& why_not,
                                    const std::string& job_nodes);

// The text to publish if there is no topology, with the reason.
std::string make_published_refusal(const std::string& why);

// Its tree; an error's message has the reason why there is none, and no remedy.
Result<SwitchTree> read_published_topology(const std::string& published);

}  // namespace hitopo

#endif
