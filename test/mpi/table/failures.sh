#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# What fails at one process in the middle of the exchange, memory or a message, fails at all: one message, no table,
# and the job goes on. test/base/start_test.cc has each allocation and each message fail; here some do in real jobs.
. "$(dirname "$0")/../common.sh"
sizes=$HITOPO_TEST_PROGRAMS/split_sizes
[ -z "$in_tree" ] || { echo "skip failures of the exchange: the shims know libraries of HiTopo's own"; exit; }
build_shim fail_memory "$scratch/fail_memory.so" && build_shim fail_message "$scratch/fail_message.so" || exit

# count_allocations RANK: into $num_allocations.
count_allocations() {
    without_memory "$1" 1000000 1 -np 4 "$probe"
    num_allocations=$(allocations)
    expect "an exchange allocates at rank $1" test "${num_allocations:-0}" -gt 100
}
allocation_fails() { # RANK AT
    without_memory "$1" "$2" 1 -np 4 "$probe"
    expect "allocation $2 of $num_allocations fails at rank $1: all or none" all_or_none 4
}

# fails FAULT RANK OPTION...: as of shims/fail_message.c.
fails() { run -np 4 -x LD_PRELOAD="$scratch/fail_message.so:$preload" -x FAIL_AT="$1" -x FAIL_RANK="$2" "${@:3}" "$probe"; }

# 4 processes make two rounds of the presence check. Then a member sends its record, and the leader three members what all
# say.
no_table() { # AT RANK [OPTION...]
    fails "message-$1" "$2" "${@:3}"
    expect "message $1 fails at rank $2: no table" printed "no table"
    expect "message $1 fails at rank $2: one message" printed_once "HiTopo could not exchange the addresses of this job: rank $2 failed"
}
# Then the same for how it went: that arrived, so all know alike.
all_tables() { # AT RANK
    fails "message-$1" "$2"
    expect "message $1 fails at rank $2: all have the table" has_rows 4
}
# What was never sent, nobody waits for: not the other side, and so not `run`, which gives 124.
unsent() { # AT RANK
    fails "unsent-$1" "$2"
    expect "message $1 is not sent at rank $2: the job ends" test "$status" != 0 -a "$status" != 124
    expect "message $1 is not sent at rank $2: it says so" grep -qF "HiTopo could not send to rank" <<<"$out"
}

# A process that has no memory in a split returns an error, which ends this program, or ends the job while others wait.
splits=(fatal type:0 core unguided)
count_split() { # RANK [SPLIT...]: its allocations, into $num_allocations
    without_memory "$1" 1000000 1 -np 4 "$sizes" "${@:2}"
    num_allocations=$(allocations)
}
split_fails() { # RANK AT
    without_memory "$1" "$2" 1 -np 4 "$sizes" "${splits[@]}"
    expect "allocation $2 of a split fails at rank $1: the job ends, or nothing was missed" \
        eval '[ "$status" != 0 ] && [ "$status" != 124 ] || has_splits'
    ! ended_by "$1" || num_told=$((num_told + 1))
}
has_splits() { [ "$status" = 0 ] && [ "$(grep -v '^allocations: ' <<<"$out")" = "$undisturbed" ]; }
splits_fail() { # RANK NUM: of its allocations in splits
    local first i num_told=0
    count_split "$1"
    first=$num_allocations
    count_split "$1" "${splits[@]}"
    undisturbed=$(grep -v '^allocations: ' <<<"$out")
    for ((i = 1; i <= $2; ++i)); do
        split_fails "$1" $((first + (num_allocations - first) * i / ($2 + 1)))
    done
    expect "a split fails at rank $1: one message" test "$num_told" -ge $(($2 / 2))
}

count_allocations 0
allocation_fails 0 $((num_allocations / 2))
no_table 3 2
splits_fail 1 1
unsent 3 0
is_quick && exit

for at in 1 2 $((num_allocations / 4)) $((num_allocations - 1)); do
    allocation_fails 0 $at
done
count_allocations 1
for at in 1 2 $((num_allocations / 2)) $((num_allocations - 1)); do
    allocation_fails 1 $at
done
splits_fail 0 5
splits_fail 3 12
without_memory 1 $((num_allocations / 2)) 1000000 -np 4 "$sizes" type:0
expect "no memory from the middle on: splits are Open MPI's own, or the job ends" eval 'printed "type:0: 4 4 4 4" || ended_by 1'

all_tables 1 2
no_table 3 0
no_table 5 0
all_tables 4 2
all_tables 6 0
# What a member says of a node with a name of 9000 bytes takes two messages: the second follows, whatever became of the first.
printf 'rank 0-3 node=%s\n' "$(printf 'n%.0s' $(seq 9000))" >"$scratch/map"
no_table 3 2 -x OMPI_MCA_hitopo_file_path="$scratch/map"
unsent 1 2
unsent 3 2
unsent 4 2
unsent 6 0
