#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Jobs in which some processes lack HiTopo: nobody waits for what PMIx does not have. What counts is how often PMIx is
# asked, and whether it may take its time; not seconds.
. "$(dirname "$0")/../common.sh"
[ -z "$in_tree" ] || { echo "ok - processes without HiTopo # SKIP it is in Open MPI itself"; exit; }
sizes=$HITOPO_TEST_PROGRAMS/split_sizes
counter=$scratch/count_lookups.so
build_shim count_lookups "$counter" || exit

# mixed NUM_WITHOUT NUM_WITH OPTION... -- PROGRAM...: the former have the lower ranks.
mixed() {
    local num_without=$1 num_with=$2 options=()
    shift 2
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    shift
    again "${options[@]}" -np "$num_without" -x LD_PRELOAD="$counter" "$@" : \
        -np "$num_with" -x LD_PRELOAD="$preload:$counter" "$@"
}

# again ARG...: runs it; anew, up to 50 times, where Open MPI's own MPI_Init failed, as it does with
# pmix_base_async_modex (docs/upstream.md), the more often the busier the machine is.
again() {
    local i
    for ((i = 0; i < 50; ++i)); do
        run "$@"
        [[ " $* " == *async_modex* && $status != 0 ]] || return 0
    done
}

# The most look-ups of one process; of all, those that PMIx may answer late.
most_lookups() { sed -nE 's/^look-ups: rank .*: ([0-9]+) of hitopo.*/\1/p' <<<"$out" | sort -n | tail -n 1; }
num_unbounded() { sed -nE 's/^look-ups: .* ([0-9]+) without a bound/\1/p' <<<"$out" | awk '{ n += $1 } END { print n + 0 }'; }

# asks_at_most NUMBER: two a round, one for the group of the leader, and in the process that prints the message as many as
# there are lower ranks, and two for the cause.
asks_at_most() { [ "$status" = 0 ] && [ -n "$(most_lookups)" ] && [ "$(most_lookups)" -le "$1" ] && [ "$(num_unbounded)" = 0 ]; }

for modex in "" "--mca pmix_base_collect_data 0" "--mca pmix_base_collect_data 0 --mca pmix_base_async_modex 1"; do
    for share in "1 1 6" "4 4 13" "7 1 16" "1 7 10"; do
        read -r num_without num_with most <<<"$share"
        name="$num_without without and $num_with with HiTopo${modex:+, $modex}"
        mixed "$num_without" "$num_with" $modex -- "$probe"
        expect "$name: one message" printed_once "HiTopo is not in all processes of this job"
        expect "$name: look-ups" asks_at_most "$most"
        few=$(most_lookups)
        mixed "$num_without" "$num_with" $modex -- "$sizes" type:0 type:0 type:0 type:0
        expect "$name: splits are right" test "$status/$(grep -c "^type:0:\( $((num_without + num_with))\)*\$" <<<"$out")" = 0/4
        expect "$name: splits look nobody up" test "$(most_lookups)" = "$few"
    done
done

# Where all have it, nothing else may be slower than it was: a leader looks its members up, and they it.
run -np 8 -x LD_PRELOAD="$preload:$counter" "$probe"
expect "all have HiTopo: look-ups" asks_at_most 8
expect "all have HiTopo: a table" has_rows 8
for modex in "--mca pmix_base_collect_data 0" "--mca pmix_base_collect_data 0 --mca pmix_base_async_modex 1"; do
    again -np 4 $modex -x LD_PRELOAD="$preload" "$probe"
    expect "all have HiTopo, $modex: a table" has_rows 4
done
