# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# For run: `hitopo order` from the profile of one job, and a second job as it says. What it predicts for each lane is
# what the second one's profile has, byte for byte, at the levels that the format fixes.
judge=$source_root/profiler/test/mpi/order/order_check.py

# runs_halo NAME STRIDE:BYTES,.. OPTION...: leaves its profile in NAME.json.
runs_halo() {
    local name=$1 strides=${2//,/ }
    shift 2
    job_preload=$HITOPO_PREFIX/lib/hitopo/libhitopo_prof.so on_nodes "$@" \
        --mca hitopo_prof_report "$lab/$name.json" "$HITOPO_TEST_PROGRAMS/order_halo" $strides
    [ "$status" != 0 ] || capture "$judge" counts "$lab/$name.json" $strides
    expect "halo, $name: pairs are what the program sent" succeeded
}

# writes FORMAT PROFILE: into $lab/order.FORMAT, the report into $lab/said.
writes() {
    capture hitopo order "$lab/$2.json" --format "$1" --output "$lab/order.$1"
    echo "$out" >"$lab/said"
    expect "hitopo order writes a $1" succeeded
}

# predicts FORMAT FIRST SECOND LEVELS
predicts() {
    expect "$1: what it says of the first run is its profile" test \
        "$("$judge" said now <"$lab/said")" = "$("$judge" lanes "$lab/$2.json" "$4")"
    expect "$1: what it predicts is the second run's profile" test \
        "$("$judge" said "then" <"$lab/said")" = "$("$judge" lanes "$lab/$3.json" "$4")"
}

# What leaves switches, of the last report.
beyond() { "$judge" said "$1" <"$lab/said" | sed -n 's/^beyond //p'; }

orders() {
    # Neighbours by rank, and pairs of ranks that a launch by slot puts far apart.
    local near=1:65536,4:4096,9:100 far=16:65536,8:4096,1:100
    # Rank after rank on another node, as clouds and --map-by node do.
    lines_of node | awk '{ name[n++] = $2 } END { for (i = 0; i < 4 * n; ++i) print name[i * 5 % n] }' >"$lab/dealt"
    JOB_HOSTS=$lab/dealt runs_halo dealt $near none
    writes hostfile dealt
    JOB_HOSTS=$lab/order.hostfile runs_halo ordered $near none
    expect "hostfile: ranks are where it says" test \
        "$("$judge" hosts "$lab/ordered.json")" = "$(cat "$lab/order.hostfile")"
    predicts hostfile dealt ordered outside
    expect "hostfile: at most half leaves switches" test $((2 * $(beyond "then"))) -le "$(beyond now)"

    capture hitopo order "$lab/dealt.json" --format rankfile --output "$lab/none"
    expect "rankfile: not of processes that were not bound" failed_with 'was not bound'
    expect "rankfile: nothing is written then" test ! -e "$lab/none"
    runs_halo bound $far core
    writes rankfile bound
    JOB_RANKFILE=$lab/order.rankfile runs_halo ranked $far none
    expect "rankfile: ranks are where it says" test \
        "$("$judge" hosts "$lab/ranked.json")" = "$(sed -E 's/.*=([^ ]+) slot.*/\1/' "$lab/order.rankfile")"
    expect "rankfile: each slot keeps its CPUs" test \
        "$("$judge" places "$lab/ranked.json" | sort)" = "$("$judge" places "$lab/bound.json" | sort)"
    predicts rankfile bound ranked all
    expect "rankfile: at most half leaves switches" test $((2 * $(beyond "then"))) -le "$(beyond now)"
}
failed_with() { [ "$status" = 1 ] && [ "$(wc -l <<<"$out")" = 1 ] && grep -qF -- "$1" <<<"$out"; }
