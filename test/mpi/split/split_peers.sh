#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Where other MPI libraries fail: each case is one that Open MPI 4.1.4, 5.0 or 6.0 or MPICH gets wrong,
# with a program that knows nothing of HiTopo. Open MPI's own split types: 2 core, 5 L3, 6 socket, 7 NUMA,
# 9 host, 10 cu, 11 cluster.
. "$(dirname "$0")/../common.sh"
sizes=$HITOPO_TEST_PROGRAMS/split_sizes

# gives LINE...: the job printed these and no others.
gives() { [ "$status" = 0 ] && [ "$out" = "$(printf '%s\n' "$@")" ]; }

# bound BINDING... -- ARG...: a process for each simulated binding.
bound() {
    local programs=() binding
    local -a bindings=()
    while [ "$1" != -- ]; do bindings+=("$1"); shift; done
    shift
    for binding in "${bindings[@]}"; do
        [ ${#programs[@]} = 0 ] || programs+=(:)
        programs+=(-np 1 -x LD_PRELOAD="$preload" -x OMPI_MCA_hitopo_hwloc_binding="$binding" "$sizes" "$@")
    done
    run --bind-to none --mca hitopo_hwloc_topology "$machine" "${programs[@]}"
}

# Open MPI 4.1.4 gives 1 1 1 for each of these on 1 socket, 2 cores, unbound; 6.0 for the words, while
# hwloc://Package gives 3 3 3: two answers for one question.
machine="pack:1 [numa] l3:1 core:2 pu:1"
bound none none none -- type:5 type:6 type:7 l3cache L3Cache hwloc://L3Cache socket Package hwloc://Package \
    numanode NUMANode hwloc://NUMANode
expect "unbound processes share what there is one of" gives "type:5: 3 3 3" "type:6: 3 3 3" "type:7: 3 3 3" \
    "l3cache: 3 3 3" "L3Cache: 3 3 3" "hwloc://L3Cache: 3 3 3" "socket: 3 3 3" "Package: 3 3 3" \
    "hwloc://Package: 3 3 3" "numanode: 3 3 3" "NUMANode: 3 3 3" "hwloc://NUMANode: 3 3 3"

preloaded -np 3 --bind-to none "$sizes" Machine mpi_shared_memory type:9
expect "unbound on this machine" gives "Machine: 3 3 3" "mpi_shared_memory: 3 3 3" "type:9: 3 3 3"

# Open MPI compares bindings in pairs: 2 3 2, which is no partition. Its own split types never give
# MPI_COMM_NULL.
bound 0 0-1 1 -- core type:2 unguided
expect "a process on two cores joins neither" gives "core: 1 0 1" "type:2: 1 1 1" "unguided: 1 0 1"

# MPICH gives a process that spans several instances the root's colour.
bound 0-1 0 1 -- core hwloc://Core hwthread
expect "a root that spans gets nothing" gives "core: 0 1 1" "hwloc://Core: 0 1 1" "hwthread: 0 1 1"

# Open MPI compares values by prefix.
bound 0 1 0 -- core core_xyz hwloc://core_xyz cor "core " Core CORE hwloc://Core HWLOC_OBJ_CORE
expect "core_xyz is no core" gives "core: 2 1 2" "core_xyz: 0 0 0" "hwloc://core_xyz: 0 0 0" "cor: 0 0 0" \
    "core : 0 0 0" "Core: 2 1 2" "CORE: 2 1 2" "hwloc://Core: 2 1 2" "HWLOC_OBJ_CORE: 2 1 2"

# In Open MPI a process without the key returns before the others' first collective, and they hang.
bound 0 1 0 -- core@1 core@0- core@2 core,core_xyz
expect "a missing key hangs nobody" gives "core@1: 2 0 2" "core@0-: 0 1 1" "core@2: 1 1 0" "core,core_xyz: 2 0 2"

bound 0 1 0 -- core,Package Package,hwthread core
expect "two types: nothing, everywhere" \
    test "$(grep : <<<"$out" | grep '[0-9]$')" = $'core,Package: 0 0 0\nPackage,hwthread: 0 0 0\ncore: 2 1 2'
expect "two types, twice: one warning" test "$status/$(grep -c 'different resource types' <<<"$out")" = 0/1

# In Open MPI, cu and cluster are the node again.
printf 'rank 0-1 cluster=a switch=s1 node=n1\nrank 2 cluster=a switch=s1 node=n2\nrank 3 cluster=a switch=s2 node=n3\n' \
    >"$scratch/four.map"
preloaded -np 4 --bind-to none --mca hitopo_file_path "$scratch/four.map" "$sizes" type:9 type:10 type:11 host cu \
    cluster hitopo://Island unguided
expect "host, cu and cluster differ" gives "type:9: 2 2 1 1" "type:10: 3 3 3 1" "type:11: 4 4 4 4" \
    "host: 2 2 1 1" "cu: 3 3 3 1" "cluster: 4 4 4 4" "hitopo://Island: 0 0 0 0" "unguided: 3 3 3 1"

# The bindings that mpirun really makes.
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
    echo "skip a real rankfile: one CPU only"
fi
