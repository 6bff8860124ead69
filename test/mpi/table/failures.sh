#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# What fails at one process in the middle of the exchange, memory or a message, fails at all: one message, no table,
# and the job goes on.
. "$(dirname "$0")/../common.sh"
sizes=$HITOPO_TEST_PROGRAMS/split_sizes
[ -z "$in_tree" ] || { echo "skip failures of the exchange: the shims know libraries of HiTopo's own"; exit; }
build_shim fail_memory "$scratch/fail_memory.so" && build_shim fail_message "$scratch/fail_message.so" || exit

# failing RANK VARIABLE=VALUE... -- PROGRAM...
failing_memory() {
    local options=(-x FAIL_RANK="$1")
    shift
    while [ "$1" != -- ]; do options+=(-x "$1"); shift; done
    shift
    run -np 4 -x LD_PRELOAD="$scratch/fail_memory.so:$preload" "${options[@]}" "$@"
}

# Either all have a table or none has; in the latter case somebody said why.
all_or_none() {
    [ "$status" = 0 ] && { has_rows 4 || { printed "no table" && [ "$(grep -cE '^(-?[0-9]+\.){7}-?[0-9]+$' <<<"$out")" = 0 ]; }; }
}

# One after the other, at a leader and at a member: the job always goes on, and splits agree.
for rank in 0 1; do
    failing_memory $rank FAIL_FROM=1000000 FAIL_TELLS=1 -- "$probe"
    num_allocations=$(sed -n 's/^allocations: //p' <<<"$out")
    expect "an exchange allocates at rank $rank" test "${num_allocations:-0}" -gt 100
    num_failed=0
    for at in $(seq 12) $(seq 17 $((5 - 2 * rank)) "$num_allocations"); do
        failing_memory $rank FAIL_FROM=$at -- "$probe"
        all_or_none || { expect "allocation $at of $num_allocations fails at rank $rank: all or none" false; num_failed=1; }
    done
    expect "each of the first 12 allocations of $num_allocations and every $((5 - 2 * rank))th at rank $rank may fail" test $num_failed = 0
done
failing_memory 1 FAIL_FROM=$((num_allocations / 2)) FAIL_COUNT=1000000 -- "$sizes" type:0
expect "no memory from the middle on: splits are Open MPI's own" printed "type:0: 4 4 4 4"

# Of 4 processes on a node there are none of the roll call. A member says what it says, the leader tells three members
# where they find the table.
for share in "1 2" "1 0" "3 0"; do
    read -r at rank <<<"$share"
    run -np 4 -x LD_PRELOAD="$scratch/fail_message.so:$preload" -x FAIL_AT=message-$at -x FAIL_RANK=$rank "$probe"
    expect "message $at fails at rank $rank: no table" printed "no table"
    expect "message $at fails at rank $rank: one message" printed_once "HiTopo could not exchange the addresses of this job: rank $rank failed"
done
# Then the same for how it went: that arrived, so all know alike.
for share in "2 2" "4 0"; do
    read -r at rank <<<"$share"
    run -np 4 -x LD_PRELOAD="$scratch/fail_message.so:$preload" -x FAIL_AT=message-$at -x FAIL_RANK=$rank "$probe"
    expect "message $at fails at rank $rank: all have the table" has_rows 4
done

# What a member says of a node with a name of 9000 bytes takes two messages: the second follows, whatever became of the first.
printf 'rank 0-3 node=%s\n' "$(printf 'n%.0s' $(seq 9000))" >"$scratch/map"
run -np 4 -x LD_PRELOAD="$scratch/fail_message.so:$preload" -x OMPI_MCA_hitopo_file_path="$scratch/map" \
    -x FAIL_AT=message-1 -x FAIL_RANK=2 "$probe"
expect "the first of two messages fails at rank 2: no table" printed "no table"
expect "the first of two messages fails at rank 2: one message" printed_once "HiTopo could not exchange the addresses of this job: rank 2 failed"

# What was never sent, nobody waits for: not the other side, and so not `run`, which gives 124. A member's own messages and a
# leader's orders.
for share in "1 2" "2 2" "1 0" "4 0"; do
    read -r at rank <<<"$share"
    run -np 4 -x LD_PRELOAD="$scratch/fail_message.so:$preload" -x FAIL_AT=unsent-$at -x FAIL_RANK=$rank "$probe"
    expect "message $at is not sent at rank $rank: the job ends" test "$status" != 0 -a "$status" != 124
    expect "message $at is not sent at rank $rank: it says so" grep -qF "HiTopo could not send to rank" <<<"$out"
done
