// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Slurm's topology.conf, and the like text that Topograph prints.
#ifndef OMPI_MCA_HITOPO_CORE_NETWORK_TOPOLOGY_CONF_H
#define OMPI_MCA_HITOPO_CORE_NETWORK_TOPOLOGY_CONF_H

#include <string>
#include <string_view>

#include "ompi/mca/hitopo/core/network/switch_tree.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// Whether this is a topology.conf, by its first line that is neither empty, a comment nor an include;
// lines of a kind that is not known, KEY=VALUE, leave that to the next.
bool is_topology_conf(std::string_view text);

// Keys in any case; unknown ones behind the first of a line are skipped, as LinkSpeed is. A switch,
// block, ring or torus may be without nodes. A line that cannot be read, of a kind that is not known, or
// that includes another file, costs itself and stands in the tree's skipped(): kSkipped with its first
// key where the kind is not known. An error, with file, line and column, where no line could be read.
// path: of the file, for errors and sources.
Result<SwitchTree> parse_topology_conf(std::string_view text, const std::string& path);

}  // namespace hitopo

#endif
