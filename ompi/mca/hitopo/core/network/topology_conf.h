// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Slurm's topology.conf, and the like text that slurmctld and Topograph print.
#ifndef OMPI_MCA_HITOPO_CORE_NETWORK_TOPOLOGY_CONF_H
#define OMPI_MCA_HITOPO_CORE_NETWORK_TOPOLOGY_CONF_H

#include <string>
#include <string_view>

#include "ompi/mca/hitopo/core/network/switch_tree.h"
#include "ompi/mca/hitopo/core/text/include_stack.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// Whether this is a topology.conf, by its first line that is neither empty, a comment nor an include;
// lines of an unknown kind, KEY=VALUE, are skipped. If all lines are of such a kind: unless
// wants_known_kind.
bool is_topology_conf(std::string_view text, bool wants_known_kind = false);

// Reads the file at `path` and those that it includes, with a map's limits. Keys in any case; unknown
// ones behind the first of a line are skipped, as LinkSpeed is. A switch, block, ring or torus may be
// without nodes. A line that cannot be read, or of a kind that is not known, costs itself and stands in
// the tree's skipped(): kSkipped with its first key where the kind is not known. So does an include that
// cannot be followed.
// Errors, where no line could be read or a limit was met, have file, line and column (an unreadable
// first file: none).
Result<SwitchTree> read_topology_conf(const std::string& path, const MapReader& reader);

// The same for one text; `where` stands for its path in errors and sources. An include is kMalformed.
Result<SwitchTree> parse_topology_conf(const std::string& text, const std::string& where);

}  // namespace hitopo

#endif
