#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# The profiler where something is wrong: paths, programs without it, bad handles, and programs that end early.
# No job hangs or fails that would not without it.
. "$(dirname "$0")/common.sh"
. "$here/profile_common.sh"

program=$HITOPO_TEST_PROGRAMS/profile_misused
warned_once() { [ "$status" = 0 ] && [ "$(grep -c "HiTopo's profiler" <<<"$out")" = 1 ]; }
is_silent() { [ "$status" = 0 ] && ! grep -qi hitopo <<<"$out"; }
is_valid() { python3 "$here/profile_check.py" "$report" >/dev/null; }
is_alone() { [ "$(ls "$scratch" | grep -c "$1")" = "${2-0}" ]; }

# to PATH ARG...
to() { run -np 2 -x LD_PRELOAD="$profiler" --mca hitopo_prof_report "$@"; }

profiled -np 2 "$program" fine
expect "without anything wrong" is_silent
expect "there is a report" is_valid
profiled -np 1 "$program" fine
expect "one process" is_valid

mkdir "$scratch/folder"
to "$scratch/folder" "$program"
expect "a folder as the report" warned_once
to "$scratch/absent/report.json" "$program"
expect "a report in no folder" warned_once
expect "the warning names the path and the remedy" grep -qF "absent/report.json: No such file or directory (MCA variable hitopo_prof_report" <<<"$out"
to "" "$program"
expect "an empty hitopo_prof_report" is_silent
expect "nothing is left behind" is_alone part
to /dev/full "$program"
expect "a full disk" warned_once
expect "a device stays one" test -c /dev/full
to /dev/null "$program"
expect "a report to /dev/null" is_silent
expect "/dev/null stays a device" test -c /dev/null
mkfifo "$scratch/pipe"
cat "$scratch/pipe" >"$report" &
to "$scratch/pipe" "$program"
expect "a report into a pipe" is_silent
wait $!
expect "arrives" is_valid
ln -s real.json "$scratch/link"
to "$scratch/link" "$program"
expect "a link stays one" test -L "$scratch/link" -a -s "$scratch/real.json"
to "$scratch/100%-%p-%%.json" "$program"
expect "%p and %%" test "$(ls "$scratch" | grep -cE '^100%-[0-9]+-%\.json$')" = 1

# As a user who may write nowhere: a file that is there stays.
echo before >"$report"
mkdir "$scratch/old" && echo before >"$scratch/old/report.json"
to "$scratch/old/report.json" "$program" abort
expect "an old report stays where the job breaks off" grep -qx before "$scratch/old/report.json"

# Without the profiler in some of the programs. Not by -x, which mpirun 6.0 takes for all.
run -np 1 --mca hitopo_prof_report "$report" env LD_PRELOAD="$profiler" "$program" : -np 1 "$program"
expect "only the first program has it" warned_once
run -np 1 "$program" : -np 1 --mca hitopo_prof_report "$report" env LD_PRELOAD="$profiler" "$program"
expect "only the second program has it" warned_once
expect "there is no report" grep -qx before "$report"
rm "$report"

profiled -np 2 "$program" handles
expect "bad handles are refused" test "$(grep -cx 'refused 1' <<<"$out")" = 2
expect "MPI still refuses what it does" test "$(grep -cx 'failed 1' <<<"$out")" = 2
expect "and the report is whole" is_valid

# What ends as it does without the profiler.
for way in twice abort quit; do
    run -np 2 "$program" $way
    without=$status
    profiled -np 2 "$program" $way
    expect "$way ends as without" test "$status" = "$without" -a "$status" != 124
done

out=$(cd "$scratch" && LD_PRELOAD=$profiler timeout 30 "$program" fine 2>&1)
status=$?
expect "a singleton" is_silent
expect "leaves its report where it is" is_alone '^hitopo-profile\.[0-9]*\.json$' 1
