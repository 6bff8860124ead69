#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Jobs that are ended before MPI_Finalize: with hitopo_prof_every, each process leaves its part.
. "$(dirname "$0")/../common.sh"
. "$here/profile_common.sh"

program=$HITOPO_TEST_PROGRAMS/profile_ended
parts=$scratch/report.parts
hosts=$scratch/hosts
has_form() { python3 "$here/profile_check.py" "$1" >/dev/null; }
has_hitopo() { command -v hitopo >/dev/null; }
is_gone() { [ ! -e "$parts" ] && [ ! -e "$scratch/report.json" ]; }
has_ended() { [ "$status" != 0 ] && [ "$status" != 124 ]; }
# calls RANK: the functions in its part, with their numbers; its form is right, too.
calls() {
    has_form "$parts/$1.json" && python3 - "$parts/$1.json" <<'END'
import json, sys
part = json.load(open(sys.argv[1]))
print(*(f'{c["call"]} {c["count"]}' for e in part["processes"][0]["communicators"] for c in e["calls"]), end="; ")
print("table" if part["table"] else "no table")
END
}

# profiled_into EVERY ARG...
profiled_into() {
    rm -rf "$scratch"/report* "$scratch"/pid.* "$scratch/end"
    run -x LD_PRELOAD="$profiler" --mca hitopo_prof_report "$scratch/report.json" --mca hitopo_prof_every "$@"
}

# All are told to end before MPI_Barrier, which is the last call of each.
profiled_into -1 -np 4 "$program" known
expect "SIGTERM ends the job" has_ended
expect "after one more call" test "$(grep -c 'goes on' <<<"$out")" = 0
expect "without a report" test ! -e "$report"
expect "parts hold what was before that call" test "$(calls 0) $(calls 1) $(calls 2) $(calls 3)" = \
    "MPI_Sendrecv 2; table MPI_Sendrecv 2; no table MPI_Sendrecv 2; no table MPI_Sendrecv 2; no table"
expect "and nothing else is left" test "$(ls "$parts")" = $'0.json\n1.json\n2.json\n3.json'
if has_hitopo; then
    capture hitopo report "$parts"
    expect "hitopo report puts them together" printed "Written as 4 of 4 parts"
    expect "with sums over all" grep -qE '^  MPI_Sendrecv +8 ' <<<"$out"
    rm "$parts/2.json"
    head -c 100 "$parts/1.json" >"$scratch/cut" && mv "$scratch/cut" "$parts/1.json"
    capture hitopo report "$parts"
    expect "parts that are cut off or missing cost themselves" printed "Written as 2 of 4 parts"
    expect "with a message" grep -qF "left out: $parts/1.json: it is cut off" <<<"$out"
fi
profiled_into 0 -np 4 "$program" known
expect "without hitopo_prof_every SIGTERM does what it does" has_ended
expect "and nothing is written" is_gone

is_quick && exit

profiled_into -1 -np 2 --mca hitopo_base_register_world 0 "$program" known
expect "a call that is not counted is one, too" test "$(calls 0) $(calls 1)" = "; table ; no table"
profiled_into -1 -np 2 --mca hitopo_prof_pairs 1 "$program" known
if has_hitopo; then
    echo 'n1 slots=2' >"$hosts"
    capture hitopo order "$parts" --hostfile "$hosts"
    expect "hitopo order reads pairs of parts" succeeded
fi
profiled_into -1 -np 2 "$program" own
expect "a program's own handler stays" grep -qF "the program's own handler" <<<"$out"
expect "and leaves no parts" is_gone
profiled_into 1 -np 2 "$program" child
expect "a child does not inherit it" printed "the child got signal 15"
profiled_into 1 -np 1 "$program" late
expect "after MPI_Finalize there is none" has_ended
expect "and the report" test -s "$report" -a ! -e "$parts"

# start EVERY MODE: four ranks that go on until they are ended; their ids in $pids.
start() {
    rm -rf "$scratch"/report* "$scratch"/pid.* "$scratch/end"
    LD_PRELOAD=$patient timeout -k 10 300 mpirun --oversubscribe --mca mpi_yield_when_idle 1 -np 4 \
        -x LD_PRELOAD="$patient:$profiler" --mca hitopo_prof_report "$scratch/report.json" --mca hitopo_prof_every "$1" \
        "$program" "$2" "$scratch" >"$scratch/out" 2>&1 </dev/null &
    job=$!
    until [ "$(ls "$scratch" | grep -c '^pid\.')" = 4 ] || ! kill -0 $job 2>/dev/null; do sleep 0.1; done
    pids=($(cat "$scratch"/pid.?))
}
has_parts() { [ "$(ls "$parts" 2>/dev/null | grep -c '^[0-9]*\.json$')" = 4 ]; }
await_parts() { until has_parts || ! kill -0 $job 2>/dev/null; do sleep 0.1; done; }
ends() {
    wait $job
    status=$?
    out=$(<"$scratch/out")
}
are_joined() {
    has_hitopo || return 0
    capture hitopo report "$parts"
    printed "Written as 4 of 4 parts"
}

start 1 loop
await_parts
expect "each second there is a part" has_parts
kill "${pids[@]}"
ends
expect "SIGTERM to all ends the job" has_ended
expect "whose parts are all there" are_joined

start 1 loop
await_parts
kill -9 "${pids[3]}"
ends
expect "a rank that dies ends the job" has_ended
expect "and its part is there" are_joined

start 1 loop
await_parts
touch "$scratch/end"
ends
expect "a job that ends by itself" succeeded
expect "has its report" has_form "$report"
expect "and no parts" test ! -e "$parts"

# A process that calls nothing any more: until it is gone.
start -1 silent
while kill "${pids[0]}" 2>/dev/null; do sleep 0.2; done
ends
expect "SIGTERM a second later ends what makes no call" has_ended
expect "which leaves no part" is_gone

# What is in the way.
warned_once() { [ "$(grep -c "HiTopo's profiler: cannot write" <<<"$out")" = 1 ]; }
rm -rf "$scratch"/report*
for way in file link; do
    case $way in
    file) touch "$parts" ;;
    link) mkdir "$scratch/elsewhere" && ln -s elsewhere "$parts" ;;
    esac
    run -x LD_PRELOAD="$profiler" --mca hitopo_prof_report "$scratch/report.json" --mca hitopo_prof_every -1 -np 2 "$program" known
    expect "a $way in the place of the folder costs a message" warned_once
    rm "$parts"
done
run -x LD_PRELOAD="$profiler" --mca hitopo_prof_report "$scratch/report.json" --mca hitopo_prof_every -1 -np 2 \
    --mca btl self,tcp bash -c 'ulimit -f 0 && exec "$@"' - "$program" known
expect "the largest size of files costs a message" warned_once
expect "a link is not followed" test -z "$(ls "$scratch/elsewhere")"
