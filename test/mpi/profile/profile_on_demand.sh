#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# MPI_Pcontrol, and that MPI_T's performance variables say what the report says.
. "$(dirname "$0")/../common.sh"
. "$here/profile_common.sh"

echo 'shape island:1 node:2 ranks:2' >"$scratch/job.map"
job=(-np 4 --bind-to none "${windows[@]}" --mca hitopo_file_path "$scratch/job.map"
    --mca hitopo_hwloc_topology "pack:1 core:2 pu:1" --mca hitopo_hwloc_binding core
    --mca coll_hitopo_priority 40 --mca coll_hitopo_serve all)
places=()
for rank in 0 1 2 3; do
    places+=("island=0,node=$((rank / 2)),l2numa=0,socket=0,core=$((rank % 2))")
done
traced "${job[@]}" "$HITOPO_TEST_PROGRAMS/profile_on_demand"
num_refused=$(grep -c 'hitopo_prof_.*: no handle' <<<"$out")
judged "what was counted in between" "${places[@]}"
for snapshot in 1 2; do
    capture python3 "$here/profile_check.py" "$scratch/report.$snapshot.json"
    expect "snapshot $snapshot has the form" succeeded
done

# In rank 1: calls of MPI_COMM_WORLD, and whether there is a second communicator.
out=$(python3 - "$scratch" <<'END'
import json, sys
for name in ("report.1.json", "report.2.json", "report.json"):
    report = json.load(open(f"{sys.argv[1]}/{name}"))
    entries = report["processes"][1]["communicators"]
    calls = {c["call"]: c["count"] for c in entries[0]["calls"]}
    print(report["snapshot"], len(entries), calls.get("MPI_Sendrecv", 0), calls.get("MPI_Get", 0), calls.get("MPI_Barrier", 0))
END
)
status=$?
expect "snapshots tell what was until then" test "$out" = $'1 1 1 1 0\n2 2 1 1 0\n0 2 2 2 0'

out=$(python3 - "$scratch" <<'END'
import json, sys
report = json.load(open(f"{sys.argv[1]}/report.json"))
lanes = len(report["lanes"])
names = ["calls", "call_bytes", "call_time", "peer_messages", "peer_bytes", "peer_time", "peer_fetches",
         "peer_fetched_bytes", "lane_bytes", "lane_collective_bytes", "lane_served_messages", "lane_served_bytes"]
wrong = []


def spread(length, pairs):
    values = [0] * length
    for i, value in pairs:
        values[i] += value
    return values


for process in report["processes"]:
    entries = {report["communicators"][e["id"]]["name"]: e for e in process["communicators"]}
    seen = set()
    for line in open(f"{sys.argv[1]}/pvars.{process['rank']}"):
        label, name, description, values = line.rstrip("\n").split("|")
        kind, values = name[len("hitopo_prof_"):], [int(v) for v in values.split()]
        seen.add((label, kind))
        functions = description.split(": ")[1].split() if ": " in description else []
        if label == "-":
            wanted = [0] * len(values)
        else:
            entry, peers = entries[label], entries[label]["peers"]
            if kind.startswith("call"):
                member = {"calls": "count", "call_bytes": "bytes", "call_time": "ns"}[kind]
                wanted = spread(len(functions), [(functions.index(c["call"]), c[member]) for c in entry["calls"]])
            elif kind.startswith("peer"):
                place = {"peer_messages": 3, "peer_bytes": 4, "peer_time": 5, "peer_fetches": 6, "peer_fetched_bytes": 7}
                wanted = spread(report["size"], [(p[0], p[place[kind]]) for p in peers])
            elif kind == "lane_bytes":
                wanted = spread(lanes, [(p[2], p[4] + p[7]) for p in peers])
            elif kind == "lane_collective_bytes":
                wanted = entry["collective_bytes"]
            else:
                served = [call[kind[len("lane_served_"):]] for call in entry.get("served", [])]
                wanted = [sum(column) for column in zip([0] * lanes, *served)]
        # The tick's length is known better and better.
        good = all(abs(a - b) <= 1 + b / 100 for a, b in zip(values, wanted)) if kind.endswith("time") else values == wanted
        if len(values) != len(wanted) or not good:
            wrong.append((process["rank"], label, name, values, wanted))
    if seen != {(label, name) for label in ("MPI_COMM_WORLD", "pairs", "-") for name in names}:
        wrong.append((process["rank"], sorted(seen)))
if not any("served" in entry for process in report["processes"] for entry in process["communicators"]):
    wrong.append("coll/hitopo served nothing",)
for complaint in wrong[:10]:
    print(*complaint)
sys.exit(1 if wrong else 0)
END
)
status=$?
if [[ $ompi_version = 6.* ]] && [ "$num_refused" -gt 0 ]; then
    echo "skip MPI_T variables: Open MPI $ompi_version refuses handles at random (docs/upstream.md, 38)"
else
    expect "MPI_T variables are the report's numbers" succeeded
fi

# A tool's thread, by the thread level of the program: what the main thread can read, the other one by a handle of its own, and
# by the main thread's.
cat >"$scratch/reading.c" <<'END'
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static MPI_T_pvar_session session;
static MPI_T_pvar_handle handle;
static int number, has_handle, results[3];
static unsigned long long values[1024];
static int make_handle(MPI_T_pvar_handle *made)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    int count;
    return MPI_SUCCESS == MPI_T_pvar_handle_alloc(session, number, &comm, made, &count) && count <= 1024;
}
static void *read_elsewhere(void *unused)
{
    MPI_T_pvar_handle own;
    results[1] = make_handle(&own) && MPI_SUCCESS == MPI_T_pvar_read(session, own, values);
    results[2] = has_handle && MPI_SUCCESS == MPI_T_pvar_read(session, handle, values);
    return unused;
}
int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, atoi(argv[1]), &provided);
    MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided);
    MPI_T_pvar_session_create(&session);
    MPI_T_pvar_get_index("hitopo_prof_calls", MPI_T_PVAR_CLASS_GENERIC, &number);
    has_handle = make_handle(&handle);
    results[0] = has_handle && MPI_SUCCESS == MPI_T_pvar_read(session, handle, values);
    pthread_create(&thread, NULL, read_elsewhere, NULL);
    pthread_join(thread, NULL);
    printf("%d%d%d\n", results[0], results[1], results[2]);
    return MPI_Finalize();
}
END
mpicc "$scratch/reading.c" -o "$scratch/reading" -lpthread
if [[ $ompi_version != 6.* ]]; then
    for expected in 0:100 1:100 2:000 3:111; do
        profiled -np 1 "$scratch/reading" ${expected%:*}
        expect "MPI_T in threads at thread level ${expected%:*}" test "$status/$out" = 0/${expected#*:}
    done
fi

# In some ranks only, that wait for nobody: rank 1 takes two snapshots and the others learn of it in MPI_Finalize.
program=$HITOPO_TEST_PROGRAMS/profile_snapshots
rm "$scratch"/report*
profiled -np 3 "$program" 1
expect "MPI_Pcontrol(2) is local" printed "rank 1 took 2 before anybody else was there"
taken() {
    python3 - "$scratch" "$@" <<'END'
import glob, json, os, sys
for path in sorted(glob.glob(f"{sys.argv[1]}/report*.json")):
    report = json.load(open(path))
    told = [(p["rank"], sum(c["count"] for e in p["communicators"] for c in e["calls"] if c["call"] == "MPI_Send"))
            for p in report["processes"]]
    print(os.path.basename(path), report["snapshot"], *told, *report["warnings"])
END
}
expect "each snapshot has the ranks that took it" test "$(taken)" = "report.1.json 1 (1, 0)
report.2.json 2 (1, 1)
report.json 0 (0, 0) (1, 1) (2, 0)"
capture python3 "$here/profile_check.py" "$scratch/report.2.json"
expect "a snapshot of one has the form" succeeded
if command -v hitopo >/dev/null; then
    capture hitopo report "$scratch/report.2.json"
    expect "hitopo report reads it" printed 'snapshot 2'
fi
rm "$scratch"/report*
profiled -np 3 --mca hitopo_prof_max_snapshots 1 --mca hitopo_prof_every -5 "$program" 0
expect "hitopo_prof_every -5: the default, and one message" printed_once "hitopo_prof_every is -5; the least is -1, the default 0"
expect "hitopo_prof_max_snapshots" test "$(taken)" = "report.1.json 1 (0, 0)
report.json 0 (0, 1) (1, 0) (2, 0) some snapshots were not taken: there were more than 1, which MCA variable hitopo_prof_max_snapshots can raise"
