#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# A process that fails in MPI_Init or in a split, by memory or a message, ends the job with one message.
# test/base/start_test.cc has each allocation and each message of MPI_Init fail; here some do in real jobs.
. "$(dirname "$0")/../common.sh"
sizes=$HITOPO_TEST_PROGRAMS/split_sizes
[ -z "$in_tree" ] || { echo "ok - failures of the exchange # SKIP the shims know libraries of HiTopo's own"; exit; }
build_shim fail_memory "$scratch/fail_memory.so" && build_shim fail_message "$scratch/fail_message.so" || exit

# fails FAULT RANK [OPTION...]: as of shims/fail_message.c. The other side does not wait for ever for what was not sent: `run` would
# give 124.
fails() {
    run -np 4 -x LD_PRELOAD="$scratch/fail_message.so:$preload" -x FAIL_AT="$1" -x FAIL_RANK="$2" "${@:3}" "$probe"
    expect "$1 at rank $2: the job ends" test "$status" != 0 -a "$status" != 124
    expect "$1 at rank $2: one message" test "$(grep -cF "HiTopo could not send to rank" <<<"$out")" = 1
}

count() { # RANK COMMAND...: into $num_allocations
    without_memory "$1" 1000000 1 -np 4 "${@:2}"
    num_allocations=$(allocations)
}
has_all() { [ "$status" = 0 ] && [ "$(grep -v '^allocations: ' <<<"$out")" = "$undisturbed" ]; }
# One of the first allocations: HiTopo is then not in this process, or cannot start there.
has_none() { printed "no table" && [ "$(grep -cE "HiTopo (is not in all|could not make)" <<<"$out")" = 1 ]; }
allocation_fails() { # RANK AT COMMAND...
    without_memory "$1" "$2" 1 -np 4 "${@:3}"
    expect "allocation $2 of $num_allocations of ${3##*/} fails at rank $1: the job ends, or nothing was missed" \
        eval "ended_by $1 || has_all || has_none"
    ! ended_by "$1" || num_told=$((num_told + 1))
}
allocations_fail() { # RANK FIRST NUM COMMAND...: NUM of those from FIRST on
    local first=$2 i num_told=0
    count "$1" "${@:4}"
    undisturbed=$(grep -v '^allocations: ' <<<"$out")
    expect "${4##*/} allocates at rank $1" test "${num_allocations:-0}" -gt $((first + 30))
    for ((i = 1; i <= $3; ++i)); do
        allocation_fails "$1" $((first + (num_allocations - first) * i / ($3 + 1))) "${@:4}"
    done
    expect "${4##*/} at rank $1: one message ends the job" test "$num_told" -ge $(($3 / 2))
}
splits_fail() { # RANK NUM
    count "$1" "$sizes"
    allocations_fail "$1" "$num_allocations" "$2" "$sizes" fatal type:0 core unguided
}

allocations_fail 0 0 1 "$probe"
splits_fail 1 1
fails message-3 2
is_quick && exit

# 4 processes make two rounds of the presence check. Then a member sends its record, and the leader sends all to three members.
allocations_fail 0 0 6 "$probe"
allocations_fail 1 0 6 "$probe"
splits_fail 0 5
splits_fail 3 12
for fault in message-1 message-3 message-5 unsent-3; do
    fails $fault 0
done
for fault in message-1 unsent-1 unsent-3; do
    fails $fault 2
done
# The record of a process on a node with a name of 9000 bytes takes two messages.
printf 'rank 0-3 node=%s\n' "$(printf 'n%.0s' $(seq 9000))" >"$scratch/map"
fails message-4 2 -x OMPI_MCA_hitopo_file_path="$scratch/map"
