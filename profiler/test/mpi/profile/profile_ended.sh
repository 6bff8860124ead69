#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Jobs that are ended before MPI_Finalize: with hitopo_prof_every, each process leaves its part.
. "$(dirname "$0")/../../../../test/mpi/common.sh"
. "$here/profile_common.sh"

program=$HITOPO_TEST_PROGRAMS/profile_ended
parts=$scratch/report.parts
has_hitopo() { command -v hitopo >/dev/null; }
has_ended() { [ "$status" != 0 ] && [ "$status" != 124 ]; }
has_parts() { [ "$(ls "$parts" 2>/dev/null | grep -c '^[0-9]*\.json$')" = 4 ]; }

# start: four ranks that go on until they are ended; their ids in $pids, once each has a part or the job is over.
start() {
    rm -rf "$scratch"/report.parts/*.json "$scratch"/pid.* "$scratch/end"
    LD_PRELOAD=$patient timeout -k 10 300 mpirun --oversubscribe --mca mpi_yield_when_idle 1 -np 4 \
        -x LD_PRELOAD="$patient:$profiler" --mca hitopo_prof_report "$report" --mca hitopo_prof_every 1 \
        "$@" "$program" "$scratch" >"$scratch/out" 2>&1 </dev/null &
    job=$!
    until [ "$(ls "$scratch" | grep -c '^pid\.')" = 4 ] || ! kill -0 $job 2>/dev/null; do sleep 0.1; done
    pids=($(cat "$scratch"/pid.?))
}
await_parts() { until has_parts || ! kill -0 $job 2>/dev/null; do sleep 0.1; done; }
ends() {
    wait $job
    status=$?
    out=$(<"$scratch/out")
}
# is_part RANK: of the right form, and the first one has the table for all.
is_part() {
    has_form "$parts/$1.json" && report=$parts/$1.json is_true \
        "calls('MPI_Sendrecv')[0] > 0 and report['part_of'] and (report['table'] is not None) == ($1 == 0)"
}

start
await_parts
kill -9 "${pids[3]}"
ends
expect "a rank that dies ends the job" has_ended
expect "without a report" test ! -e "$report"
status=0
for rank in 0 1 2 3; do
    expect "the part of rank $rank" is_part $rank
done
if has_hitopo; then
    capture hitopo report "$parts"
    expect "hitopo report puts them together" printed "Written as 4 of 4 parts"
    echo 'n1 slots=4' >"$scratch/hosts"
    capture hitopo order "$parts" --hostfile "$scratch/hosts"
    expect "hitopo order reads their pairs" succeeded
    rm "$parts/2.json"
    head -c 100 "$parts/1.json" >"$scratch/cut" && mv "$scratch/cut" "$parts/1.json"
    capture hitopo report "$parts"
    expect "parts that are cut off or missing cost themselves" printed "Written as 2 of 4 parts"
    expect "with a message" grep -qF "left out: $parts/1.json: it is cut off" <<<"$out"
fi

is_quick && exit

start
await_parts
kill "${pids[@]}"
ends
expect "SIGTERM ends the job as without the profiler" has_ended
expect "whose parts are there" has_parts

start
await_parts
touch "$scratch/end"
ends
expect "a job that ends by itself" succeeded
expect "has its report" has_form
expect "and no parts" test ! -e "$parts"

# What is in the way.
warned_once() { [ "$(grep -c "HiTopo's profiler: cannot write" <<<"$out")" = 1 ]; }
until_warned() {
    until grep -q "HiTopo's profiler: cannot write" "$scratch/out" || ! kill -0 $job 2>/dev/null; do sleep 0.1; done
    touch "$scratch/end"
    ends
}
rm -rf "$scratch"/report*
touch "$parts"
start
until_warned
expect "a file in the place of the folder costs a message" warned_once
rm -rf "$scratch"/report*
mkdir "$scratch/elsewhere" && ln -s elsewhere "$parts"
start
until_warned
expect "a link in the place of the folder costs a message" warned_once
expect "and is not followed" test -z "$(ls "$scratch/elsewhere")"
