#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Collectives by the address table on random machines, of memory of a device, under valgrind, each of them alone, and
# what is left to Open MPI's own.
. "$(dirname "$0")/../common.sh"
check="$HITOPO_TEST_PROGRAMS/collectives_check blocking"
map=$maps/two-islands.map

# with_table OPTION.. PROGRAM..
with_table() { preloaded --mca hitopo_file_path "$map" --mca coll_hitopo_verbose 2 "$@"; }
# served OPTION.. PROGRAM..: all messages, however short; empty ones go to others.
served() { with_table --mca coll_hitopo_serve all "$@"; }
# says PATTERN: how many lines do.
says() { grep -cE "coll:hitopo: $1" <<<"$out"; }
tells() { [ "$status" = 0 ] && [ "$(says "$1")" -ge "$2" ]; }

# random_machine SEED RANKS: up to 8 nodes on up to 4 switches of up to 2 islands, the same for the same seed. Sets
# $most, the greatest number of ranks on a node.
random_machine() {
    local rank node num_nodes on=()
    RANDOM=$1 most=0 map=$scratch/random.map
    num_nodes=$((2 + RANDOM % 7))
    for ((rank = 0; rank < $2; ++rank)); do
        node=$((RANDOM % num_nodes))
        on[node]=$((${on[node]-0} + 1))
        [ ${on[node]} -le $most ] || most=${on[node]}
        echo "rank $rank island=i$((node / 4)) switch=s$((node / 2)) node=n$node"
    done >"$map"
}

# on_device MODE OPTION.. -np RANKS
on_device() {
    local mode=$1
    shift
    served "$@" "$HITOPO_TEST_PROGRAMS/coll_device_check" $mode
    if [ "$out" = "no accelerators" ]; then
        echo "ok - device memory, $mode # SKIP this Open MPI has no accelerators"
    else
        expect "device memory, $mode: nothing touches it" succeeded
    fi
}
for mode in all even odd; do
    on_device $mode --mca coll_hitopo_share 2 -np 7
done
on_device all --mca coll_hitopo_share 0 -np 8
map='' on_device "even short" --mca coll_hitopo_share 2 -np 5
is_quick && exit

for shape in "5 4" "11 5"; do
    read -r ranks seed <<<"$shape"
    random_machine "$seed" "$ranks"
    served --mca coll_hitopo_share 2 -np "$ranks" $check "$seed" 4 60 20000 $((most + 1)) all
    expect "types and operations, $ranks ranks of a random machine" tells ".* of" 10
done
map=$maps/two-islands.map

# Lines do not tell allgatherv and reduce_scatter_block from their kin.
for name in bcast reduce allreduce allgather allgatherv reduce_scatter reduce_scatter_block alltoall; do
    served -np 8 $check 6 2 30 5000 5 $name
    expect "$name is served" tells "${name%%v*} of|${name%_block} of" 10
done
served -np 8 $check 7 2 60 5000 0 ordered
# The program's end calls MPI_Allreduce of a number, and MPI_Comm_dup calls MPI_Iallreduce.
beside_its_end() { grep "coll:hitopo: " <<<"$out" | grep -vE "allreduce of 4 bytes|shared memory" | grep -cE "coll:hitopo: $1"; }
expect "what does not commute is left to Open MPI's own" [ "$status/$(beside_its_end "(all)?reduce(_scatter)? of")" = 0/0 ]
expect "what merges nothing is served beside it" tells "allgather of" 5
served -np 8 $check 8 2 40 5000 0 stock
expect "where coll/hitopo is kept out, nothing is served" [ "$status/$(beside_its_end "[^i]")" = 0/0 ]
with_table -np 8 $check 9 3 60 100000 0 all
expect "types and operations, by default" tells ".* of" 1

command -v valgrind >/dev/null || { echo "ok - types and operations under valgrind # SKIP it is not installed"; exit; }
served -np 6 valgrind --num-callers=30 --soname-synonyms=somalloc=NONE --log-file="$scratch/log.%p" $check 10 1 40 3000 5 all
expect "types and operations under valgrind" succeeded
errors=$(sed 's/^==[0-9]*== *//' "$scratch"/log.* |
    awk -v RS= '/^Invalid|uninitialised|overlap/ { sub(/\n *Address .*/, ""); if (/coll_hitopo|hitopo::coll|perform/) print }')
out+=$errors
expect "no error of memory in collectives" test -z "$errors"
