#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Collectives by the address table that do not block: right results, whatever is under way at once and completed in
# whichever order.
. "$(dirname "$0")/../common.sh"
check=$HITOPO_TEST_PROGRAMS/collectives_check
map=$maps/two-islands.map

# Each of four processes has a node of its own.
echo "shape switch:2 node:2 ranks:1" >"$scratch/nodes.map"

# served MAP OPTION.. PROGRAM..: all messages, however short. On MAP's nodes; on this one if it is empty.
served() {
    preloaded --mca hitopo_file_path "$1" --mca coll_hitopo_priority 40 --mca coll_hitopo_serve all --mca coll_hitopo_exchange 1 --bind-to none "${@:2}"
}
islands=(served "$map" --mca coll_hitopo_share 2)
nodes=(served "$scratch/nodes.map" --mca coll_hitopo_share 2)

"${islands[@]}" -np 7 "$check" nonblocking 1 4 400 20000 5
expect "random collectives of 7 ranks" succeeded
for share in 2 0; do
    served "$map" --mca coll_hitopo_share $share -np 8 "$check" idup 1 2 300 3000 5
    expect "MPI_Comm_idup is pending, share $share" succeeded
done
served "" --mca coll_hitopo_share 3 -np 5 "$check" idup 2 2 300 400 0
expect "MPI_Comm_idup is pending, one node" succeeded
preloaded --mca coll_hitopo_share 3 --bind-to none -np 5 "$check" idup 5 4 100 400 0
expect "MPI_Comm_idup is pending, one node, by default" succeeded
"${nodes[@]}" -np 4 "$check" threads 2 1 150 4000 2
expect "in several threads" succeeded
"${islands[@]}" -np 7 "$check" persistent 8 1 40 4000 5
expect "persistent ones, started in any order" succeeded
is_quick && exit

for seed in 3 4 5; do
    "${islands[@]}" -np $((seed * 4 - 4)) "$check" nonblocking $seed 4 400 30000 5
    expect "random collectives of $((seed * 4 - 4)) ranks" succeeded
done
"${islands[@]}" --mca coll ^hitopo -np 8 "$check" nonblocking 6 2 300 20000 0 left
expect "Open MPI's own" succeeded
served "" --mca coll_hitopo_share 0 -np 4 "$check" nonblocking 7 2 300 20000 0 left
expect "one node: Open MPI's own" succeeded
served "" --mca coll_hitopo_share 3 -np 5 "$check" nonblocking 9 2 600 400 0 left
expect "one node of many processes: Open MPI's own" succeeded
"${nodes[@]}" --mca coll ^hitopo -np 4 "$check" idup 3 2 200 3000 0
expect "MPI_Comm_idup is pending, Open MPI's own" succeeded
"${nodes[@]}" -np 4 "$HITOPO_TEST_PROGRAMS/coll_memory_check" free
expect "10 000 communicators are freed before: memory is flat" succeeded
