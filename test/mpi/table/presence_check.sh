#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# The presence check on nodes that a shim makes PMIx tell of: what becomes of it where nodes are told wrong, and where a
# process is missing, has no memory or ends. All shapes of nodes, and each allocation that may fail, are in
# test/base/start_test.cc; here are some in real jobs.
. "$(dirname "$0")/../common.sh"
[ -z "$in_tree" ] || { echo "ok - the presence check # SKIP the shims know libraries of HiTopo's own"; exit; }
for name in fake_launcher count_lookups fail_memory stop; do
    build_shim $name "$scratch/$name.so" || exit
done
fake=$scratch/fake_launcher.so:$scratch/count_lookups.so

# on NODES OPTION...: a job on those; see shims/fake_launcher.c.
on() {
    local nodes=$1 ranks
    shift
    ranks=$(tr , '\n' <<<"${nodes//\//,}" | wc -l)
    run -np "$ranks" -x NODES="$nodes" -x LD_PRELOAD="$fake:$preload" "$@" "$probe"
}

lookups() { sed -nE "s/^look-ups: rank $1: ([0-9]+) of hitopo.*/\1/p" <<<"$out"; }

# Each of 8 processes looks up its leader and two others in each of three rounds.
has_few_look_ups() { has_rows 8 && [ "$(lookups 7)" -le 7 ]; }

on 0,1,2,3/4,5,6,7
expect "nodes by slot: few look-ups" has_few_look_ups

# without RANK RANKS_BEFORE...: a job whose rank RANK lacks HiTopo.
without() {
    local rank=$1 nodes=$2 size=$3 programs=()
    [ "$rank" = 0 ] || programs+=(-np "$rank" -x NODES="$nodes" -x LD_PRELOAD="$fake:$preload" "$probe" :)
    programs+=(-np 1 -x LD_PRELOAD="$scratch/count_lookups.so" "$probe")
    [ "$rank" = $((size - 1)) ] ||
        programs+=(: -np $((size - 1 - rank)) -x NODES="$nodes" -x LD_PRELOAD="$fake:$preload" "$probe")
    run "${programs[@]}"
}

misses() { # RANK
    without "$1" 0,1,2/3,4,5/6,7,8 9
    expect "rank $1 is without HiTopo: no table" printed "no table"
    expect "rank $1 is without HiTopo: one message" printed_once "HiTopo is not in all processes of this job"
    expect "rank $1 is without HiTopo: who is" printed "rank $1"
}
misses 5
is_quick && exit

on 0,3,6/1,4,7/2,5
expect "nodes by rank: few look-ups" has_few_look_ups
on 0,1,2,3/4,5,6,7 -x OTHER_RANK=all -x OTHER_NODES=
expect "PMIx tells of no nodes: a table" has_rows 8
for other in "" 0,4/1,5/2,6/3,7; do
    on 0,1,2,3/4,5,6,7 -x OTHER_RANK=4 -x OTHER_NODES=$other
    expect "PMIx tells rank 4 of nodes '$other': a table" has_rows 8
done
misses 0
misses 8

# One that could not say that it is here is missing, and looks nobody up.
said_as_it_is() { ! grep -qF "HiTopo is not in all processes" <<<"$out" || [ "$(lookups "$1")" = 0 ]; }
# The first allocations are those before the fence. Lists of leaders of groups of different sizes are long.
for from in 2 12 50; do
    preload=$fake:$preload without_memory 1 $from 1000000 -np 8 -x NODES=0/1,2/3/4,5/6/7 "$probe"
    expect "no memory at rank 1 from allocation $from on: all or none, or the job ends" eval 'all_or_none 8 || ended_by 1'
    expect "no memory at rank 1 from allocation $from on: it is said as it is" said_as_it_is 1
done

# ends MOMENT RANK: it is killed there, and the job ends with it.
ends() {
    rm -f "$scratch"/fault.*
    on_stopped "$1" "$2" &
    kill_at_stop "$scratch/fault" $!
    wait $!
    out=$(cat "$scratch/fault.out")
    expect "rank $2 is killed at its $1: the job ends" grep -qx "ended [1-9][0-9]*" "$scratch/fault.out"
}
on_stopped() {
    run -np 8 -x NODES=0,1/2,3/4,5/6,7 -x LD_PRELOAD="$scratch/fake_launcher.so:$scratch/stop.so:$preload" \
        -x FAULT_AT="$1" -x FAULT_RANK="$2" -x FAULT_FILE="$scratch/fault" "$probe"
    printf '%s\nended %s\n' "$out" "$([ "$status" = 124 ] || echo "$status")" >"$scratch/fault.out"
}
ends look-up-2 2
ends message-1 2
ends message-2 4
ends message-1 3
# Three rounds of the check: then a member sends its record, and leaders send all to each other and to their members.
ends message-4 3
ends message-4 2
ends message-6 2
