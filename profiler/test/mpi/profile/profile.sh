#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# The profiler's numbers: programs that write down all that they do, on simulated clusters; profile_check.py
# says what the report must hold then.
. "$(dirname "$0")/../../../../test/mpi/common.sh"
. "$here/profile_common.sh"

# on NAME SHAPE TOPOLOGY BINDING PLACE: a cluster, and where rank `rank` is there, for the shell to work out.
clusters=()
on() {
    local rank
    clusters+=("$1")
    echo "shape $2" >"$scratch/$1.map"
    declare -ga "job_$1=(-np 8 --bind-to none --mca hitopo_file_path '$scratch/$1.map' --mca hitopo_hwloc_topology '$3' --mca hitopo_hwloc_binding $4)"
    declare -ga "places_$1=()"
    for rank in 0 1 2 3 4 5 6 7; do
        eval "places_$1+=(\"$5\")"
    done
}
# Nodes of one socket have one l2numa; so have those of several sockets without a group of them.
on islands 'island:2 node:1 ranks:4' 'pack:1 core:2 pu:2' hwthread \
    'island=$((rank / 4)),node=$((rank / 4)),l2numa=0,socket=0,core=$((rank / 2 % 2)),hwthread=$((rank % 2))'
on switches 'cluster:1 switch:2 node:1 ranks:4' 'group:2 pack:2 core:1 pu:1' core \
    'cluster=0,switch=$((rank / 4)),node=$((rank / 4)),l2numa=$((rank / 2 % 2)),socket=$((rank % 4)),core=0'
on scattered 'cluster:1 island:2 switch:2 node:2 ranks:1' 'pack:1 core:1 pu:1' core \
    'cluster=0,island=$((rank / 4)),switch=$((rank / 2)),node=$rank,l2numa=0,socket=0,core=0'

# on_clusters NAME PROGRAM [ARG...]
on_clusters() {
    local cluster ranks name=$1
    shift
    for cluster in "${clusters[@]}"; do
        local -n job=job_$cluster places=places_$cluster
        traced "${job[@]}" "${windows[@]}" "$HITOPO_TEST_PROGRAMS/$@"
        judged "$name on $cluster" "${places[@]}"
    done
    for ranks in 1 2 3; do
        traced -np $ranks --mca hitopo_base_eager 0 "${windows[@]}" "$HITOPO_TEST_PROGRAMS/$@"
        judged "$name without a table on $ranks"
    done
}

traced "${job_islands[@]}" "${windows[@]}" "$HITOPO_TEST_PROGRAMS/profile_random" 1 200
judged "random calls on islands" "${places_islands[@]}"
is_quick && exit

for program in arguments requests; do
    on_clusters $program profile_$program "$scratch"
done
for seed in 1 2; do
    on_clusters "random calls ($seed)" profile_random $seed 500
    cut -d ' ' -f 2 "$scratch"/trace.* >>"$scratch/called"
done
out=$(nm -D --defined-only "$scratch/recorder.so" | sed -n 's/.* T \(MPI_\)/\1/p' | grep -vE 'MPI_(Init|Finalize|Pcontrol|File|Comm_(accept|connect|join|spawn))|_c$|_flush|_iflush' |
    sort -u | comm -23 - <(sort -u "$scratch/called"))
[[ $ompi_version != 4.* ]] || expect "each function was called" test -z "$out"

# 2 islands of 2 nodes of 2 processes, each in its core.
on cores 'island:2 node:2 ranks:2' 'pack:1 core:2 pu:1' core \
    'island=$((rank / 4)),node=$((rank / 2)),l2numa=0,socket=0,core=$((rank % 2))'
traced "${job_cores[@]}" "$HITOPO_TEST_PROGRAMS/profile_hierarchy"
judged "HiTopo's own splits" "${places_cores[@]}"

# Rank 2 sleeps 40 x 25 ms: within 10 %, that is how long each of the others waits at least, and it is what to do next.
profiled -np 4 "$HITOPO_TEST_PROGRAMS/profile_late"
expect "all wait for a rank that sleeps" is_true \
    "all(sum(call[3] for kind in process['kinds'] for call in kind['calls'] if call[0] == 'MPI_Waitall') > 0.9e9 for process in processes if process['rank'] != 2)"
if command -v hitopo >/dev/null; then
    capture hitopo report "$report"
    expect "hitopo report names it" printed "Rank 2 ("
fi

# Jobs of more processes than hitopo_prof_max_peers have no pairs.
for most in 7 8 -1; do
    traced "${job_cores[@]}" "${windows[@]}" --mca hitopo_prof_max_peers $most "$HITOPO_TEST_PROGRAMS/profile_random" 3 200
    judged "hitopo_prof_max_peers $most" "${places_cores[@]}"
    expect "pairs with hitopo_prof_max_peers $most" is_true "('pairs' in processes[0]) == ($most != 7) and report.get('max_peers', 7) == 7"
done

# UCX's requests are others.
ucx=(--mca pml ucx --mca pml_ucx_tls any --mca pml_ucx_devices any --mca osc ucx,sm -x UCX_TLS=tcp,self,sm -x UCX_NET_DEVICES=lo
    -x UCX_WARN_UNUSED_ENV_VARS=n --mca hitopo_base_eager 0)
traced -np 2 "${ucx[@]}" "$HITOPO_TEST_PROGRAMS/profile_requests" "$scratch"
if [ "$status" != 0 ] && grep -qE "No components were able to be opened in the pml framework|A requested component was not found" <<<"$out"; then
    echo "ok - requests of UCX # SKIP this Open MPI has no UCX"
    exit
fi
judged "requests of UCX"
for ranks in 2 3; do
    traced -np $ranks "${ucx[@]}" "$HITOPO_TEST_PROGRAMS/profile_random" $ranks 400
    judged "random calls on $ranks over UCX"
done
