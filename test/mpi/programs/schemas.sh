#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# The JSON schemas, as installed: what the command and the profiler write has the members that they tell, and no other.
# Tests describe/framework.cc, process.cc, table.cc and hitopo_base_api.cc in jobs.
. "$(dirname "$0")/../common.sh"
. "$source_root/profiler/test/mpi/profile/profile_common.sh"
[ -x "$HITOPO_PREFIX/bin/hitopo" ] || { echo "ok - JSON schemas # SKIP no {fmt} or CLI11: the command is not built"; exit; }
/usr/bin/python3 -c 'import jsonschema' 2>/dev/null ||
    { echo "ok - JSON schemas # SKIP no jsonschema for /usr/bin/python3 (Debian: python3-jsonschema)"; exit; }

# Two nodes with twice as many processes as cores, a side resource, and a line that costs itself.
cat >"$scratch/job.map" <<'END'
shape island:2 node:1 ranks:4
rank 0-2 nvlink://Domain=rackA
rank nobody switch=s
END
job=(-np 8 --bind-to none --mca hitopo_file_path "$scratch/job.map" --mca hitopo_hwloc_topology "pack:2 core:1 pu:1")
served=(--mca coll_hitopo_priority 40 --mca coll_hitopo_serve all)

# kept NAME COMMAND...: its report becomes NAME.json.
kept() {
    profiled "${job[@]}" "${@:2}"
    expect "a profile: $1" test "$status" = 0 -a -s "$report"
    mv "$report" "$scratch/$1.json"
}

run "${job[@]}" hitopo show --why --format json --output "$scratch/show.json"
expect "hitopo show" succeeded
run -np 2 --bind-to none --mca hitopo_hwloc_topology "$source_root/examples/machines/frontier.xml" \
    hitopo show --devices --format json --output "$scratch/devices.json"
expect "hitopo show --devices" succeeded
run -np 2 --bind-to none --mca hitopo_hwloc_topology "$source_root/examples/machines/frontier.xml" \
    hitopo select --format json --output "$scratch/select.json"
expect "hitopo select" succeeded
run "${job[@]}" hitopo check --links 1 --format json --output "$scratch/check.json"
expect "hitopo check finds a fault" test "$status" = 1
hitopo info --format json >"$scratch/info.json"
kept pairs --mca topo_hitopo_reorder report "$HITOPO_TEST_PROGRAMS/reorder" $(printf 'dist %d ' {1..70})
kept sums "${served[@]}" --mca hitopo_prof_max_peers 4 "$HITOPO_TEST_PROGRAMS/profile_served" all 1 4096

for name in pairs sums; do hitopo report --format json "$scratch/$name.json" >"$scratch/$name.report.json"; done

schemas=$HITOPO_PREFIX/share/hitopo/schema
judge() { /usr/bin/python3 "$here/schemas.py" "$schemas" "$source_root/docs/json.md" "$@"; }
cd "$scratch" || exit 1
judge table=show.json table=devices.json select=select.json check=check.json framework=info.json profile=pairs.json profile=sums.json \
    report=pairs.report.json report=sums.report.json

# What a schema does not tell, lacks or tells otherwise is found out.
wrong() {
    python3 -c 'import json, sys
table = json.load(open("show.json"))
exec(sys.argv[1])
json.dump(table, open("wrong.json", "w"))' "$2"
    capture judge table=wrong.json
    expect "a table with $1" grep -qx 'not ok - table: wrong.json' <<<"$out"
}
wrong "one member more" 'table["ranks"][0]["colour"] = "red"'
wrong "one member less" 'del table["processes"][0]["host"]'
wrong "a list that is none" 'table["ranks"][0]["cpus"] = "0-"'
