#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# The profiler counts collectives that coll/hitopo serves, on a simulated cluster: by hand, and as Open MPI's own
# monitoring counts.
. "$(dirname "$0")/../../../../test/mpi/common.sh"
. "$here/profile_common.sh"

program=$HITOPO_TEST_PROGRAMS/profile_served
echo 'shape cluster:1 island:2 switch:2 node:2 ranks:1' >"$scratch/job.map"
job=(-np 8 --bind-to none --mca hitopo_file_path "$scratch/job.map")
on=(--mca coll_hitopo_priority 40 --mca coll_hitopo_serve all --mca coll_hitopo_verbose 2)

# served: each of rank 0's calls, and sums over all ranks by lane.
served() {
    python3 - "$report" <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
sums = {}
for process in report["processes"]:
    for kind in process["kinds"]:
        for call in kind.get("served", []):
            if process["rank"] == 0:
                print(call["call"], call["count"])
            for what in ("messages", "bytes", "flat_bytes"):
                for lane, number in zip(report["lanes"], call[what]):
                    sums[what, lane] = sums.get((what, lane), 0) + number
for (what, lane), number in sums.items():
    if number > 0:
        print(what, lane, number)
END
}
is_readable() { has_form && { ! command -v hitopo || hitopo report "$report"; } >/dev/null; }
# is_off NAME ARG..: nobody serves, and the report does not speak of it.
is_off() {
    local name=$1
    shift
    profiled "${job[@]}" "$@" "$program" all 2 40960
    expect "$name: the report has the form" is_readable
    expect "$name: the report does not speak of it" test -s "$report" -a -z "$(grep -o '"served"' "$report")"
}

is_off "--mca coll_hitopo_priority -1" --mca coll_hitopo_priority -1
is_off "--mca coll ^hitopo" "${on[@]}" --mca coll ^hitopo

# Each group is entered once by a segment: two islands, four switches, eight nodes. With proxies the root hands segments
# to the other island, from where they come back to its own once.
# Calls that do not block send the same, most of it later.
proxies=
for call in bcast.64 bcast.800000 ibcast.64 ibcast.800000; do
    name=${call%.*} bytes=${call#*.}
    profiled "${job[@]}" "${on[@]}" "$program" $name 3 $bytes
    back=$(grep -qE 'bcast of .* with proxies' <<<"$out" && echo 1 || echo 0)
    proxies+=$back
    out+=$'\n'$(served)
    expect "$name of $bytes bytes: calls" grep -qx "MPI_${name^} 3" <<<"$out"
    expect "$name of $bytes bytes: between islands" grep -qx "bytes cluster $((3 * (1 + back) * bytes))" <<<"$out"
    expect "$name of $bytes bytes: in all" test $((3 * 7 * bytes)) = \
        "$(awk '$1 == "bytes" { sum += $3 } END { print sum }' <<<"$out")"
    for flat in "cluster 4" "island 2" "switch 1"; do
        expect "$name of $bytes bytes: a flat one's $flat" grep -qx "flat_bytes ${flat% *} $((3 * ${flat#* } * bytes))" <<<"$out"
    done
    expect "$name of $bytes bytes: the report has the form" is_readable
done
expect "with proxies and without" test "$proxies" = 0101

# Tuned's second allreduce is a reduce and a bcast of the communicator: coll/hitopo gets the latter.
profiled "${job[@]}" "${on[@]}" --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_allreduce_algorithm 2 \
    "$program" others 2 4096
expect "what is handed on, and other communicators: the report has the form" is_readable
expect "what is handed on does not count, and other communicators do" test "$(served | grep MPI | sort)" = $'MPI_Allreduce 2\nMPI_Bcast 2'

# Collectives of random arguments, whose flat counts are those that they were before.
places=()
for rank in 0 1 2 3 4 5 6 7; do
    places+=("cluster=0,island=$((rank / 4)),switch=$((rank / 2)),node=$rank,l2numa=0,socket=0,core=0")
done
traced "${job[@]}" "${windows[@]}" --mca hitopo_hwloc_topology "pack:1 core:1 pu:1" --mca hitopo_hwloc_binding core "${on[@]}" \
    "$HITOPO_TEST_PROGRAMS/profile_random" 5 400
judged "flat counts where calls are served" "${places[@]}"

counts_messages "served collectives beside pml/monitoring" || exit 0

# monitored ROUNDS: a run without the profiler, whose monitoring goes to $scratch/seen.ROUNDS.*.prof.
monitored() {
    preloaded "${job[@]}" "${on[@]}" --mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3 \
        --mca pml_monitoring_filename "$scratch/seen.$1" "$program" all "$1" 40000
    expect "$1 rounds of all with monitoring" succeeded
}
monitored 0
monitored 3
profiled "${job[@]}" "${on[@]}" "$program" all 3 40000
expect "3 rounds of all with the profiler" is_readable
# Lines "I from to bytes bytes messages ..": what Open MPI sends for itself. Of no rounds: MPI_Init and MPI_Finalize.
capture python3 - "$report" "$scratch" <<'END'
import glob, json, sys
report = json.load(open(sys.argv[1]))
lane_of = {1: "switch", 2: "island", 3: "island"}
seen, told, calls = {}, {}, set()
for rounds, sign in ((0, -1), (3, 1)):
    for path in glob.glob(f"{sys.argv[2]}/seen.{rounds}.*.prof"):
        for line in open(path):
            what, *words = line.split()
            if what == "I":
                sender, peer, size, messages = int(words[0]), int(words[1]), int(words[2]), int(words[4])
                key = sender, lane_of.get(sender ^ peer, "cluster")
                seen[key] = [a + sign * b for a, b in zip(seen.get(key, [0, 0]), (messages, size))]
for process in report["processes"]:
    for call in next(k for k in process["kinds"] if "served" in k)["served"]:
        calls.add((call["call"], call["count"]))
        for lane, *numbers in zip(report["lanes"], call["messages"], call["bytes"]):
            key = process["rank"], lane
            told[key] = [a + b for a, b in zip(told.get(key, [0, 0]), numbers)]
seen, told = ({key: numbers for key, numbers in sums.items() if any(numbers)} for sums in (seen, told))
print("calls", sorted(calls))
for key in sorted({**seen, **told}):
    print(*key, seen.get(key), told.get(key))
sys.exit(0 if seen == told and len(calls) == 8 and {count for _, count in calls} == {3} else 1)
END
expect "messages and bytes of each rank and lane as monitored" succeeded

# Between nodes of two processes: as many messages as an exchange, a tree or a bundle takes, and no more.
# between_nodes WHAT: of ten calls, less those of none.
between_nodes() {
    local rounds
    for rounds in 0 10; do
        preloaded "${job[@]}" --mca coll_hitopo_serve all --mca coll_hitopo_exchange 1 --mca pml_monitoring_enable 2 \
            --mca pml_monitoring_enable_output 3 --mca pml_monitoring_filename "$scratch/$1.$rounds" "$program" "$1" "$rounds" 512 || return
    done
    for rounds in 0 10; do
        cat "$scratch/$1.$rounds".*.prof | awk -v sign=$((rounds == 0 ? -1 : 1)) '
            $1 == "I" && int($2 / 2) != int($3 / 2) { sum += sign * $6 } END { print sum + 0 }'
    done | awk '{ sum += $1 } END { print sum / 10 }'
}
# has_messages WHAT NUMBER
has_messages() {
    expect "$1 of short messages on 8 nodes: $2 messages between nodes" test "$(between_nodes "$1")" = "$2"
}
echo "shape node:8 ranks:2" >"$scratch/job.map"
job=(-np 16 --bind-to none --mca hitopo_file_path "$scratch/job.map")
has_messages allreduce 32 # each sends 3 in a round of four, and 1 in a round of two
has_messages barrier 32
has_messages alltoall 56
has_messages bcast 7
