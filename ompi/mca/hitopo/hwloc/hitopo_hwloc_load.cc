// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A program of its own, run by component hwloc while MPI_Init waits: prints this node's machine as it is
// sent to other processes (Machine::encode), or nothing.
#include <cstdio>
#include <string>

#include "ompi/mca/hitopo/hwloc/hitopo_hwloc_topology.h"

int main() {
    const hitopo::Result<hitopo::Topology> topology = hitopo::load_real_topology();
    const std::string bytes = topology ? hitopo::machine_of(topology->get()).encode() : "";
    const bool is_printed =
        std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() && std::fflush(stdout) == 0;
    return topology && is_printed ? 0 : 1;
}
