#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# GPUs and network interfaces of jobs on simulated nodes of known sites: which are nearest, and `hitopo show --devices`.
. "$(dirname "$0")/../common.sh"
[ -x "$HITOPO_PREFIX/bin/hitopo" ] || { echo "ok - devices # SKIP no {fmt} or CLI11: the command is not built"; exit; }

# on MACHINE BINDING MAP COMMAND...: a job of eight processes.
on() {
    printf '%s\n' "$3" >"$scratch/job.map"
    run -np 8 --bind-to none --mca hitopo_file_path "$scratch/job.map" \
        --mca hitopo_hwloc_topology "$source_root/examples/machines/$1.xml" --mca hitopo_hwloc_binding "$2" "${@:4}"
}

cat >"$scratch/old-script" <<'END'
#!/bin/sh
ROCR_VISIBLE_DEVICES=$OMPI_COMM_WORLD_LOCAL_RANK exec "$@"
END
chmod +x "$scratch/old-script"

# The text of the unit test, which stands on the guide of the site.
on frontier L3Cache "rank 0-7 node=n1" "$scratch/old-script" hitopo show --devices
expect "GPUs by rank on Frontier" succeeded
expect "six of them are far" diff <(echo "$out") "$source_root/test/fixtures/show/frontier.devices.txt"
is_quick && exit

# domains TYPE: how many processes each of its domains has.
domains() {
    python3 -c 'import json, sys
for side in json.load(open(sys.argv[1]))["side"]:
    if side["type"] == sys.argv[2]:
        print(*sorted(len(domain["ranks"]) for domain in side["domains"]))' "$scratch/show.json" "$1"
}
one_node="shape node:1 ranks:8"
on frontier NUMANode "$one_node" hitopo show --format json --output "$scratch/show.json"
expect "processes on NUMA nodes of Frontier are near to GPUs" test "$(domains gpu://Nearest)" = "2 2 2 2"
expect "and to NICs" test "$(domains nic://Nearest)" = "2 2 2 2"
on juwels-booster NUMANode "$one_node" hitopo show --format json --output "$scratch/show.json"
expect "each NUMA node of JUWELS Booster is near to GPUs" test "$(domains gpu://Nearest)" = "1 1 1 1 2 2"

on polaris NUMANode "shape node:4 ranks:2" hitopo show --devices
expect "equal nodes are printed once" test "$(grep -c '^Devices of n\[0-3\]:' <<<"$out")" = 1
