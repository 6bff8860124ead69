#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# The profiler where processes die and the others go on (ULFM): these end as without it, and there is one report, or
# none where rank 0 is gone. Of a node whose leader is gone it has nobody.
. "$(dirname "$0")/../../../../test/mpi/common.sh"
. "$here/profile_common.sh"

is_quick && exit # with Open MPI 5.0 it waits for minutes, see below

program=$HITOPO_TEST_PROGRAMS/profile_failures
run -np 1 "$program" "$scratch"
if grep -qx 'no fault tolerance' <<<"$out"; then
    echo "ok - the profiler and processes that die # SKIP this Open MPI has no fault tolerance"
    exit
fi

ended() { (cd "$scratch" && echo ended.*); }
reported() {
    python3 -c 'import json, sys; print(*[p["rank"] for p in json.load(open(sys.argv[1]))["processes"]])' "$1"
}
# survivors ARG...: runs it, up to ten times, until all that are left have ended: Open MPI 5.0.7 alone does not get
# that far each time (docs/upstream.md, 37).
survivors() {
    local i
    for ((i = 0; i < 10; ++i)); do
        rm -f "$scratch"/{failed,ended}.*
        run --with-ft ulfm -np 4 "$@"
        [ "$(ended | wc -w)" != 3 ] || return 0
    done
}
reports() { ls "$scratch" | grep -c '^failed\.'; }

for victim in 3 1 0; do
    for errors in "" return; do
        name="rank $victim dies${errors:+, errors return}"
        survivors -x LD_PRELOAD="$profiler" --mca hitopo_prof_report "$scratch/failed.%p.json" "$program" \
            "$scratch" $victim $errors
        expect "$name: the others end" test "$(ended | wc -w)" = 3
        if [ $victim = 0 ]; then
            expect "$name: no report" test "$(reports)" = 0
        else
            expect "$name: one report" test "$(reports)" = 1
            expect "$name: of those who are left" test "$(reported "$scratch"/failed.*.json)" = "$(echo 0 1 2 3 | sed "s/ $victim//")"
        fi
    done
done

# Two nodes of two: a leader takes the other of its node along, and that one, too, ends.
printf 'rank %d node=n%d\n' 0 0 1 0 2 1 3 1 >"$scratch/job.map"
for victim in 3 2 1; do
    survivors -x LD_PRELOAD="$profiler" --mca hitopo_prof_report "$scratch/failed.%p.json" \
        --mca hitopo_file_path "$scratch/job.map" "$program" "$scratch" $victim
    left=(0 1 2 3)
    unset "left[$victim]"
    [ $victim != 2 ] || unset "left[3]"
    expect "rank $victim of two nodes dies: the others end" test "$(ended | wc -w)" = 3
    expect "rank $victim of two nodes dies: a report of those whose leader is left" test \
        "$(reports) $(reported "$scratch"/failed.*.json)" = "1 ${left[*]}"
done
