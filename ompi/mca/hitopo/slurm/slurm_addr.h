// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Slurm's topology address of a node: island, switch and node.
#ifndef OMPI_MCA_HITOPO_SLURM_SLURM_ADDR_H
#define OMPI_MCA_HITOPO_SLURM_SLURM_ADDR_H

#include <string_view>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// The values that Slurm put into a process's environment.
struct SlurmAddressText {
    std::string_view address;    // SLURM_TOPOLOGY_ADDR: "root.island1.leaf1.n1"
    std::string_view pattern;    // SLURM_TOPOLOGY_ADDR_PATTERN: "switch.switch.switch.node"
    std::string_view node_name;  // SLURMD_NODENAME, empty if unknown
    std::string_view host_name;  // of the machine that the process runs on
};

struct SlurmAddress {
    // kNode always; kSwitch and kIsland where the address has them. Slurm's names are global: the switch
    // and the node are their names, the island has the names above it in its path.
    RawAddress levels;

    // The names above the node hold more dots than the pattern: the ends of names are unknown. All of
    // them together are then the switch and the island stays unknown.
    bool is_ambiguous = false;
};

// The last group before the node (switch, block, ring, torus) is the level switch, the nearest one
// above that is not empty is the island. A list in brackets, of a node on several switches, is one
// name in canonical form. Positions and coordinates behind ':' are checked and dropped.
//
// kMalformed: address and pattern do not fit each other. kStale: the address's node is neither
// node_name nor host_name (short and full forms of one name are equal).
Result<SlurmAddress> parse_slurm_address(const SlurmAddressText& text);

}  // namespace hitopo

#endif
