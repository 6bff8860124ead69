#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Sessions before an exchange. Where the first of a job is among some of a node's processes, without its local rank 0, another one
# asks for the node.
. "$(dirname "$0")/../common.sh"

case $ompi_version in
4.*) echo "ok - a first exchange in a session # SKIP Open MPI $ompi_version has no MPI sessions"; exit 0 ;;
esac
run -np 4 -x LD_PRELOAD="$preload" --mca hitopo_hwloc_topology "pack:2 core:2 pu:1" \
    "$HITOPO_TEST_PROGRAMS/session_subset"
expect "three of four, then all: the machine" test "$(grep -F Machine <<<"$out")" = "hwloc://Machine: 3 3 3
hwloc://Machine: 4 4 4 4"
# Cores that are simulated go to those that exchange, in their order.
expect "three of four, then all: packages" test "$(grep -F Package <<<"$out")" = "hwloc://Package: 2 2 1
hwloc://Package: 2 2 2 2"
expect "three of four, then all: cores" test "$(grep -F Core <<<"$out")" = "hwloc://Core: 1 1 1
hwloc://Core: 1 1 1 1"

# Libraries ask for hardware so: MPI_Init comes when no session is left, or within one.
for sessions in "0 0" "1 0" "3 0" "0 1" "2 1"; do
    run -np 4 -x LD_PRELOAD="$preload" --mca hitopo_hwloc_topology "pack:2 core:2 pu:1" \
        "$HITOPO_TEST_PROGRAMS/session_subset" $sessions
    expect "MPI_Init after sessions, $sessions: splits" test "$status: $out" = "0: hwloc://Machine: 4 4 4 4
hwloc://Package: 2 2 2 2
hwloc://Core: 1 1 1 1"
done

# A communicator of a session is left to Open MPI, since rank 0 has called before MPI_Init made the address table.
printf 'rank 0-1 node=a\nrank 2-3 node=b\n' >"$scratch/two-nodes.map"
run -np 4 -x LD_PRELOAD="$preload" --mca hitopo_file_path "$scratch/two-nodes.map" --mca coll_hitopo_serve all \
    "$HITOPO_TEST_PROGRAMS/session_subset" 0 1
expect "MPI_Bcast on a session's communicator, partly before MPI_Init" test "$status: $(grep -c Bcast <<<"$out")" = "0: 0"
