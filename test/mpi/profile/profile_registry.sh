#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Which communicators a report has: those of every call that makes some, each once, whatever the order and the
# processes that register them.
. "$(dirname "$0")/../common.sh"
. "$here/profile_common.sh"

# is_true EXPRESSION: of `report`, the document, and `named`, its communicators by name.
is_true() {
    [ "$status" = 0 ] && python3 - "$report" "$1" <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
named = {c["name"]: c for c in report["communicators"]}
sys.exit(0 if eval(sys.argv[2]) else 1)
END
}

program=$HITOPO_TEST_PROGRAMS/profile_communicators
for ranks in 4 5 8; do
    traced -np $ranks --mca hitopo_base_eager 0 "$program"
    judged "communicators of $ranks processes"
    expect "freed ones of $ranks" is_true 'named["sometimes"]["is_freed"] and not named["sometimes"]["is_registered"]'
    expect "live ones of $ranks" is_true 'named["silent"]["is_registered"] and not named["silent"]["is_freed"]'
done

# 2 islands of 2 nodes of 2 processes, each in its core.
echo 'shape island:2 node:2 ranks:2' >"$scratch/job.map"
traced -np 8 --bind-to none --mca hitopo_file_path "$scratch/job.map" --mca hitopo_hwloc_topology "pack:1 core:2 pu:1" \
    --mca hitopo_hwloc_binding core "$HITOPO_TEST_PROGRAMS/profile_hierarchy"
places=()
for rank in 0 1 2 3 4 5 6 7; do
    places+=("island=$((rank / 4)),node=$((rank / 2)),l2numa=0,socket=0,core=$((rank % 2))")
done
judged "HiTopo's own splits" "${places[@]}"
expect "each step is one communicator at each place" is_true \
    'sum(n.startswith("step") and "roots" not in n for n in named) == 2 + 4 + 8 and "sharedroots-0" in named'

many=$HITOPO_TEST_PROGRAMS/profile_many
counts='[len(p["communicators"]) for p in report["processes"]]'
profiled -np 3 "$many" "$scratch" 20
expect "names may repeat" is_true "$counts == [3, 21, 21] and [c['name'] for c in report['communicators']].count('many') == 20"
expect "nobody is left out" is_true 'report["warnings"] == []'
profiled -np 3 --mca hitopo_prof_max_communicators 5 "$many" "$scratch" 20
expect "hitopo_prof_max_communicators" is_true "$counts == [3, 5, 5]"
expect "a warning, though rank 0 has all of its own" is_true \
    'len(report["warnings"]) == 1 and "hitopo_prof_max_communicators" in report["warnings"][0]'
profiled -np 2 "$many" "$scratch" 1500
expect "1024 of 1500 communicators" is_true "$counts == [3, 1024] and len(report['warnings']) == 1"
profiled -np 2 --mca hitopo_base_register_world 0 "$many" "$scratch" 1
expect "hitopo_base_register_world 0" is_true "$counts == [1, 1] and list(named) == ['many']"

# Each with each of 8 processes would be 36, for each new communicator.
profiled -np 8 --mca hitopo_base_eager 0 "$HITOPO_TEST_PROGRAMS/profile_translations"
expect "processes are not compared each with each" test "$(grep ' after ' <<<"$out")" = "0 after MPI_Init
0 after MPI_Comm_dup
0 after MPI_Comm_split
0 after MPI_Comm_create_group
0 after MPI_Allreduce
0 after MPI_Finalize"
