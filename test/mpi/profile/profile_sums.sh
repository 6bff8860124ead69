#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Jobs of more processes than hitopo_prof_max_peers: sums for each lane that are those of the peers which a second run
# of the same program has.
. "$(dirname "$0")/../common.sh"
. "$here/profile_common.sh"

echo 'shape island:2 switch:2 node:1 ranks:2' >"$scratch/job.map"
job=(-np 8 --bind-to none "${windows[@]}" --mca hitopo_file_path "$scratch/job.map")
# with MAX PROGRAM: a report of its, which has the form, as MAX.json.
with() {
    traced "${job[@]}" --mca hitopo_prof_max_peers "$1" "$HITOPO_TEST_PROGRAMS/$2"
    cp "$report" "$scratch/$1.json"
    capture python3 "$here/profile_check.py" "$report"
    expect "$2 with hitopo_prof_max_peers $1: the report has the form" succeeded
}
has_peers() { ! grep -q 'max_peers\|peer_sums' "$scratch/$1.json" && grep -q '"peers":\[\[' "$scratch/$1.json"; }

for program in profile_messages profile_windows; do
    for most in 7 8 -1; do
        with $most $program
    done
    expect "$program: 8 processes have peers where there may be 8" has_peers 8
    expect "$program: -1 is any job" has_peers -1
    capture python3 - "$scratch/7.json" "$scratch/8.json" <<'END'
import json, sys
summed, full = (json.load(open(path)) for path in sys.argv[1:])
kinds = {"messages": 3, "bytes": 4, "fetches": 6, "fetched_bytes": 7}
wrong = []
if summed.get("max_peers") != 7:
    wrong.append(summed.get("max_peers"))
for a, b in zip(summed["processes"], full["processes"]):
    for mine, peers in zip(a["communicators"], b["communicators"]):
        for kind, place in kinds.items():
            sums = [0] * len(full["lanes"])
            for peer in peers["peers"]:
                sums[peer[2]] += peer[place]
            if mine["peer_sums"][kind] != sums:
                wrong.append((a["rank"], mine["id"], kind, mine["peer_sums"][kind], sums))
        if (sum(mine["peer_sums"]["ns"]) > 0) != any(peer[5] for peer in peers["peers"]):
            wrong.append((a["rank"], mine["id"], mine["peer_sums"]["ns"]))
print(*wrong[:10], sep="\n")
sys.exit(1 if wrong else 0)
END
    expect "$program: sums are those of the peers" succeeded
done
if command -v hitopo >/dev/null; then
    capture hitopo report "$scratch/7.json"
    expect "hitopo report says that peers are not there, and how to get them" printed 'hitopo_prof_max_peers'
    capture hitopo report "$scratch/8.json"
    expect "and nothing where they are" test "$status" = 0 -a -z "$(grep hitopo_prof_max_peers <<<"$out")"
fi
