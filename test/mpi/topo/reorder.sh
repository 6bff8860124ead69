#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Grids and graphs of a program that knows nothing of HiTopo, with reorder = 1: what MPI promises of them (reorder.c
# checks it in each process), who gets which rank, and what is wrong without us.
. "$(dirname "$0")/../common.sh"
program=$HITOPO_TEST_PROGRAMS/reorder

# 2 islands x 2 switches x 2 nodes x 4 ranks by slot, and the same with nodes in another order.
by_slot=$scratch/by_slot.map shuffled=$scratch/shuffled.map
echo 'shape island:2 switch:2 node:2 ranks:4' >"$by_slot"
rank=0
for node in 5 0 6 3 1 7 2 4; do
    echo "rank $rank-$((rank + 3)) island=$((node / 4)) switch=$((node / 2)) node=$node"
    rank=$((rank + 4))
done >"$shuffled"

# on MAP MODE ARG...: 32 processes.
on() {
    local map=$1 mode=$2
    shift 2
    preloaded -np 32 --bind-to none --mca hitopo_hwloc_topology "pack:1 core:4 pu:1" --mca hitopo_hwloc_binding none \
        --mca hitopo_file_path "$map" --mca topo_hitopo_reorder "$mode" "$program" "$@"
}
# of CASE: what the last job, of several cases, printed for that one is $out now.
of() { out=$(sed -n "s/^$1: //p" <<<"$all"); }
ranks() { sed -n "s/^$1: //p" <<<"$out"; }
is_ordered() { [ -n "$(ranks "$1")" ] && ! ranks "$1" | grep -qxF "$same"; }
same=$(seq -s ' ' 0 31)

# crossings MAP DIMS RANKS: island, switch and node, counted by another program.
crossings() { python3 "$here/crossings.py" "$@"; }

# By slot 8 24 56.
on "$by_slot" on cart 8x4
expect "on: a grid by slot" test "$status/$(crossings "$by_slot" 8x4 "$(ranks cart)")" = "0/8 24 40"
expect "on: MPI_Cart_map agrees" printed "MPI_Cart_map says the same"

grids="31 5x6 7x4p 2x3x5 1x29p 2x2x2x2x2"
on "$shuffled" on cart 8x4 cart 4x4x2 $(printf 'cart %s ' $grids; printf 'graph %s dist %s ' 1 1 2 2 3 3)
expect "on: grids and graphs on shuffled nodes" succeeded
all=$out
of "cart 8x4"
expect "on: a grid on shuffled nodes" test "$status/$(crossings "$shuffled" 8x4 "$(ranks cart)")" = "0/8 24 40"
expect "on: of a communicator with other ranks" test "$(crossings "$shuffled" 8x4 "$(ranks reversed)")" = "8 24 40"
of "cart 4x4x2"
expect "on: 4 x 4 x 2" test "$status/$(crossings "$shuffled" 4x4x2 "$(ranks cart)")" = "0/16 32 64"

for dims in $grids; do
    of "cart $dims"
    plain=${dims//p/} num=$((${plain//x/*}))
    expect "on: $dims of 32 processes are the lowest ranks" test \
        "$status/$(ranks cart | tr ' ' '\n' | sort -n | tr '\n' ' ')" = "0/$(seq -s ' ' 0 $((num - 1))) "
    [ "$num" = 32 ] || expect "on: $dims, MPI_Cart_map outside" printed "outside: MPI_Cart_map gives MPI_UNDEFINED"
done

for seed in 1 2 3; do
    of "graph $seed"
    expect "on: graph $seed" printed "MPI_Graph_map says the same"
    of "dist $seed"
    expect "on: distributed graph $seed is ordered" is_ordered adjacent
done

is_quick && exit

for mode in off report; do
    on "$by_slot" $mode cart 8x4
    expect "$mode: a grid's ranks stay" test "$status/$(ranks cart)" = "0/$same"
    on "$shuffled" $mode dist 5
    expect "$mode: a graph's ranks stay, and neighbours are right" test "$status/$(ranks adjacent | sort -u)" = "0/$same"
done

# ---- who decides ----

# Processes that differ: nobody orders, once told. differing FIRST SECOND: NAME=VALUE of ranks 0 to 3, and of 4 to 7.
differing() {
    export OMPI_MCA_hitopo_file_path=$by_slot
    run -np 4 -x LD_PRELOAD="$preload" -x "$1" "$program" cart 4x2 : -np 4 -x LD_PRELOAD="$preload" -x "$2" "$program" cart 4x2
    unset OMPI_MCA_hitopo_file_path
    expect "$1, $2: ranks stay" test "$status/$(ranks cart)" = "0/0 1 2 3 4 5 6 7"
}
differing OMPI_MCA_topo_hitopo_reorder=on OMPI_MCA_topo_hitopo_reorder=off
expect "processes differ: the message" says "The component topo/hitopo is disabled in this job, because its processes differ:" "" \
    "    topo_hitopo_reorder of rank 4 is not that of rank 0." "" "Open MPI's other components make all grids and graphs." "" \
    "Start all programs of the job with the same --mca topo options."
differing OMPI_MCA_topo_hitopo_capacity=switch:12 OMPI_MCA_topo_hitopo_capacity=switch:13
expect "processes differ: which variable" printed_once "    topo_hitopo_capacity of rank 4 is not that of rank 0."
differing OMPI_MCA_topo=^hitopo OMPI_MCA_topo_hitopo_reorder=on
expect "a process without it: the message" says "The component topo/hitopo is disabled in this job: rank 0 does not run it;" \
    "rank 4 runs it. Open MPI's other components make all grids and graphs." "" \
    "Install it on all nodes, and link or preload it in all programs of the job, with the same --mca topo options."

on "$by_slot" sideways cart 8x4
expect "an unknown mode: ranks stay" test "$status/$(ranks cart)" = "0/$same"
expect "an unknown mode: the message" says "The component topo/hitopo uses the default of a variable, because its value is" "invalid:" "" \
    "    topo_hitopo_reorder: sideways: this is no mode; write off, report or on." "" "docs/order.md describes the format."
OMPI_MCA_topo_hitopo_capacity=rack:3 on "$by_slot" on cart 8x4
expect "an unknown capacity: as if there were none" test "$status/$(crossings "$by_slot" 8x4 "$(ranks cart)")" = "0/8 24 40"
expect "an unknown capacity: one message" printed_once "    topo_hitopo_capacity, column 1: rack:3: this is not level:number"
OMPI_MCA_topo_hitopo_verbose=1 on "$shuffled" report cart 8x4
expect "verbose tells what would be gained" printed "switch 56 -> 24"

OMPI_MCA_hitopo_base_eager=0 on "$by_slot" on dist 3
expect "without a table nobody orders" test "$status/$(ranks general | sort -u)" = "0/$same"

run -np 4 -x LD_PRELOAD="$preload" --mca topo_hitopo_reorder on "$program" cart 2x2
expect "one node" test "$status/$(ranks cart)" = "0/0 1 2 3"

on "$shuffled" on often 20
expect "memory is flat" test "$status" = 0 -a "$(sed -n 's/^grown: \([0-9-]*\) KB.*/\1/p' <<<"$out")" -le 64

# ---- Open MPI's own component treematch, on a machine that it orders for (docs/upstream.md, 53) ----

# treematch ARG...: 8 bound processes on a fake machine of 2 x 4 cores.
treematch() {
    local -x LD_PRELOAD=$scratch/fake_cpus.so FAKE_CPUS=8 OMPI_MCA_hwloc_base_topo_file=$here/two-packages.xml
    run -np 8 --map-by core --bind-to core -x FAKE_CPUS -x OMPI_MCA_hwloc_base_topo_file "$@" "$program" dist 5
}
if [[ $ompi_version == 4.1.* ]] && mkdir -p /tmp/fake_cpus &&
    gcc -O1 -shared -fPIC "$source_root/test/lab/nodes/fake_cpus.c" -o "$scratch/fake_cpus.so" -ldl; then
    treematch -x LD_PRELOAD="$scratch/fake_cpus.so"
    expect "Open MPI 4.1 alone gives wrong neighbours" grep -qF "failed: indegree == in.degree" <<<"$out"
    for mode in off report on; do
        treematch -x LD_PRELOAD="$preload:$scratch/fake_cpus.so" --mca hitopo_file_path "$by_slot" \
            --mca topo_hitopo_reorder $mode
        expect "treematch's machine, $mode: right ones" succeeded
    done
    rm -rf /tmp/fake_cpus
else
    echo "ok - treematch's neighbours # SKIP only Open MPI 4.1 has them wrong"
fi
