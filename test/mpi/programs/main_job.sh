#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# The README's jobs, and the wiki's example, through the command.
. "$(dirname "$0")/../common.sh"

# Its path, since mpirun 5.0.7 takes the first word `hitopo` for the program (docs/upstream.md).
run -np 4 --mca hitopo slurm,hwloc,hostname "$HITOPO_PREFIX/bin/hitopo" show
expect "show on this machine" printed "$(hostname)"

simulated=(--bind-to none --mca hitopo_file_path "$maps/two-islands.map"
    --mca hitopo_hwloc_topology "pack:2 core:2 pu:1" --mca hitopo_hwloc_binding core)

# 2 islands x 2 switches x 2 nodes x 2 sockets x 2 cores: rank is the number with these digits.
expected=$(for rank in $(seq 0 31); do
    echo "0.$((rank / 16)).$((rank / 8)).$((rank / 4)).0.$((rank / 2 % 2)).$((rank % 2)).0"
done)
preloaded -np 32 "${simulated[@]}" "$probe"
expect "simulated machine of 32 ranks" test "$out" = "$expected"

run -np 32 "${simulated[@]}" hitopo show --format json
expect "show --format json is JSON" python3 -m json.tool /dev/stdin /dev/null <<<"$out"
run -np 32 "${simulated[@]}" hitopo show --format tree
expect "show --format tree shows all islands" test "$(grep -c island <<<"$out")" -ge 2
run -np 2 hitopo show --why
expect "show --why names components" printed hwloc
run -np 2 hitopo info
expect "info lists variables" printed hitopo_slurm_priority

is_quick && exit

# The wiki: cluster0.island2.switch3.node4.0.3.2 becomes 0.0.1.4.0.3.2.0 in a job on cluster0, island2,
# switch2 to switch5, all nodes full. Nodes 0 to 9 lie on the switches 2 2 2 3 3 4 4 5 5 5, and each
# has 4 sockets of 3 cores: the process is rank 4 x 12 + 3 x 3 + 2.
switches=(2 2 2 3 3 4 4 5 5 5)
for node in "${!switches[@]}"; do
    echo "rank $((12 * node))-$((12 * node + 11)) cluster=cluster0 island=island2 switch=switch${switches[node]} node=node$node"
done >"$scratch/wiki.map"
preloaded -np 120 --bind-to none --mca hitopo_file_path "$scratch/wiki.map" \
    --mca hitopo_hwloc_topology "pack:4 core:3 pu:1" --mca hitopo_hwloc_binding core "$probe"
expect "the wiki's example" test "$(sed -n 60p <<<"$out")" = 0.0.1.4.0.3.2.0
