#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Side resources, as a map tells them: guided splits know them, and nothing else changes by them.
. "$(dirname "$0")/../common.sh"
sizes=$HITOPO_TEST_PROGRAMS/split_sizes
cat >"$scratch/plain.map" <<'MAP'
shape switch:2 node:2 ranks:2
MAP
cat >"$scratch/side.map" <<'MAP'
include plain.map
rank 0-4 nvlink://Domain=rackA
rank 5-7 nvlink://Domain=rackB
rank 1,3,5 nvlink://Clique=7
MAP

# split MAP ARG...
split() { preloaded -np 8 --mca hitopo_file_path "$scratch/$1.map" "$sizes" "${@:2}"; }

split side nvlink://Domain NVLINK://domain nvlink://Clique nvlink://Other Domain nvlink://Domain@3
expect "guided splits" gives "nvlink://Domain: 5 5 5 5 5 3 3 3" "NVLINK://domain: 5 5 5 5 5 3 3 3" \
    "nvlink://Clique: 0 3 0 3 0 3 0 0" "nvlink://Other: 0 0 0 0 0 0 0 0" "Domain: 0 0 0 0 0 0 0 0" \
    "nvlink://Domain@3: 4 4 4 0 4 3 3 3"
others=(unguided hitopo://Switch hitopo://Node)
same=("unguided: 4 4 4 4 4 4 4 4" "hitopo://Switch: 4 4 4 4 4 4 4 4" "hitopo://Node: 2 2 2 2 2 2 2 2")
split plain "${others[@]}"
expect "other splits without them" gives "${same[@]}"
split side "${others[@]}"
expect "other splits beside them" gives "${same[@]}"
preloaded -np 8 --mca hitopo ^file --mca hitopo_file_path "$scratch/side.map" "$sizes" nvlink://Domain
expect "nobody tells them" gives "nvlink://Domain: 0 0 0 0 0 0 0 0"

run -np 8 --mca hitopo_file_path "$scratch/side.map" hitopo show
expect "columns of hitopo show" printed "nvlink://Clique  nvlink://Domain"
echo "rank 0-3 mpi://SELF=1" >"$scratch/bad.map"
run -np 4 --mca hitopo_file_path "$scratch/bad.map" hitopo show
expect "a scheme that is taken" printed_once "this is not the URI of a side resource"
