#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Two containers on one host are two nodes of one launcher's node: local rank 0 is in one of them, and the inside of the
# other is known too.
. "$(dirname "$0")/../common.sh"
[ -z "$in_tree" ] || { echo "ok - two containers # SKIP the shim knows libraries of HiTopo's own"; exit; }
build_shim other_host "$scratch/other_host.so" || exit

run -np 5 --bind-to none -x LD_PRELOAD="$scratch/other_host.so:$preload" -x OTHER_FROM=2 --mca hitopo hwloc,hostname \
    --mca hitopo_hostname_verbose 1 \
    "$HITOPO_TEST_PROGRAMS/split_sizes" hitopo://Node Machine
expect "two containers: two nodes" printed "hitopo://Node: 2 2 3 3 3"
expect "two containers: the machine is known in both" printed "Machine: 2 2 3 3 3"
expect "two containers: a host name of 64 characters" printed "rank 4: node is a-second-container-whose-name-is-as-long-as-a-host-name-may-be--:"
