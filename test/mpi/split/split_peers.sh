#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# What a program that knows nothing of HiTopo gets where processes are not alike, beside test/mpi/oracle's simulated jobs: bindings
# that mpirun makes, and messages.
. "$(dirname "$0")/../common.sh"
sizes=$HITOPO_TEST_PROGRAMS/split_sizes

preloaded -np 3 --mca hitopo_hwloc_topology "pack:1 core:2 pu:1" --mca hitopo_hwloc_binding core "$sizes" core,Package Package,hwthread core
expect "two types: nothing, everywhere" \
    test "$(grep : <<<"$out" | grep '[0-9]$')" = $'core,Package: 0 0 0\nPackage,hwthread: 0 0 0\ncore: 2 1 2'
expect "two types, twice: one warning" test "$status/$(grep -c 'different resource types' <<<"$out")" = 0/1

# Two nodes of two processes, which rank 0, but not rank 2, takes for real.
printf 'rank 0-1 node=a\nrank 2-3 node=b\n' >"$scratch/two-nodes.map"
unequal() { # RANK 0'S VALUE SIZE
    preloaded -x OMPI_MCA_hitopo_file_path="$scratch/two-nodes.map" -np 2 -x OMPI_MCA_hitopo_base_simulate_shared="$1" "$sizes" type:0 type:0 : \
        -np 2 -x LD_PRELOAD="$preload" -x OMPI_MCA_hitopo_file_path="$scratch/two-nodes.map" \
        -x OMPI_MCA_hitopo_base_simulate_shared=$((1 - $1)) "$sizes" type:0 type:0
    expect "unequal hitopo_base_simulate_shared, $1 at rank 0: its value stands" \
        test "$status/$(grep -cx "type:0: $2 $2 $2 $2" <<<"$out")" = 0/2
    expect "unequal hitopo_base_simulate_shared, $1 at rank 0: one message" printed_once "hitopo_base_simulate_shared is not the same"
}
unequal 1 2
unequal 0 4

# Open MPI 4.1 compares bindings in pairs: 2 3 2, which is no partition.
if [ "$(nproc)" -ge 2 ]; then
    host=$(hostname)
    printf "rank 0=$host slot=0\nrank 1=$host slot=0-1\nrank 2=$host slot=1\n" >"$scratch/rankfile"
    case $ompi_version in
    4.*) mapping=(--rankfile "$scratch/rankfile") ;;
    *) # A path with the letters pe in it is taken for the option PE.
        cd "$scratch" || exit
        mapping=(--map-by rankfile:file=rankfile --bind-to :overload-allowed)
        ;;
    esac
    preloaded -np 3 "${mapping[@]}" "$sizes" core hwloc://Machine
    expect "a real rankfile" gives "core: 1 0 1" "hwloc://Machine: 3 3 3"
else
    echo "ok - a real rankfile # SKIP one CPU only"
fi
