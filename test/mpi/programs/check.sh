#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# `hitopo check` in jobs that are right or wrong on purpose, on simulated machines: it finds what is wrong, and nothing
# else.
. "$(dirname "$0")/../common.sh"
[ -x "$HITOPO_PREFIX/bin/hitopo" ] || { echo "ok - hitopo check # SKIP no {fmt} or CLI11: the command is not built"; exit; }
unset OMP_NUM_THREADS OMP_THREAD_LIMIT OMP_DYNAMIC UCX_NET_DEVICES FI_CXI_DEVICE_NAME SLURM_STEP_GPUS SLURM_JOB_GPUS \
    "${!CUDA_@}" "${!ROCR_@}" "${!HIP_@}" "${!ZE_@}"

two_sockets="pack:2 core:2 pu:1"   # CPUs 0-1 and 2-3
one_socket="pack:1 core:4 pu:1"
hwthreads="pack:2 core:2 pu:2"     # core 0 has CPUs 0-1
two_nodes="shape node:2 ranks:4"
leaves="shape island:2 switch:2 node:2 ranks:1"

# by_rank VARIABLE VALUES: each rank's, separated by spaces, from the start again where there are more ranks; - is unset.
by_rank() {
    printf 'values=(%s)\n' "$2"
    printf 'value=${values[OMPI_COMM_WORLD_RANK %% ${#values[@]}]}\n'
    printf '[ "$value" = - ] || export %s="$value"\n' "$1"
}

# write_job MAP [VARIABLE VALUES]...: a program that runs hitopo check with its arguments.
write_job() {
    printf '%s\n' "$1" >"$scratch/job.map"
    shift
    {
        echo '#!/bin/bash'
        while [ $# -gt 0 ]; do
            by_rank "$1" "$2"
            shift 2
        done
        echo 'exec hitopo check "$@"'
    } >"$scratch/job"
    chmod +x "$scratch/job"
}
# run_job NUM_RANKS ARG...
run_job() { run -np "$1" --bind-to none --mca hitopo_file_path "$scratch/job.map" "$scratch/job" "${@:2}"; }

# placed NUM_RANKS MAP TOPOLOGIES BINDINGS THREADS ARG...: runs hitopo check ARG...
placed() {
    write_job "$2" OMPI_MCA_hitopo_hwloc_topology "$3" OMPI_MCA_hitopo_hwloc_binding "$4" OMP_NUM_THREADS "$5"
    run_job "$1" "${@:6}"
}

# finds NAME STATUS EXPECTED COMMAND...: EXPECTED has "fault shared-core 0-1", a finding a line.
finds() {
    local found
    rm -f "$scratch/found.json"
    "${@:4}" --format json --output "$scratch/found.json"
    found=$(python3 - "$scratch/found.json" <<'END'
import json, sys
found = json.load(open(sys.argv[1]))
for finding in found["findings"]:
    if finding["kind"] != "no-switch":  # as most of these machines
        print("fault" if finding["is_fault"] else "remark", finding["kind"], finding["ranks"])
assert found["num_faults"] + found["num_remarks"] == len(found["findings"])
END
    )
    found=$(sed 's/ $//' <<<"$found")
    expect "$1: what is found" test "$found" = "$3"
    expect "$1: the status" test "$status" = "$2"
    [ "$found" = "$3" ] || printf '%s\n' "found: $found" "expected: $3" >&2
}

# job NAME STATUS EXPECTED NUM_RANKS MAP TOPOLOGIES BINDINGS THREADS [ARG...]
job() { finds "${@:1:3}" placed "${@:4}"; }

# with_devices NAME STATUS EXPECTED NUM_RANKS MACHINE BINDINGS [VARIABLE VALUES]... [-- ARG...]: on a node of that machine, of
# share/hitopo/machines or of a path.
with_devices() {
    local job=("${@:1:3}") num_ranks=$4 machine=$5 variables=(OMPI_MCA_hitopo_hwloc_binding "$6")
    shift 6
    [[ $machine == */* ]] || machine=$HITOPO_PREFIX/share/hitopo/machines/$machine.xml
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        variables+=("$1" "$2")
        shift 2
    done
    write_job "shape node:1 ranks:$num_ranks" OMPI_MCA_hitopo_hwloc_topology "'$machine'" "${variables[@]}"
    finds "${job[@]}" run_job "$num_ranks" "${@:2}"
}

frontier="0-7,64-71 8-15,72-79 16-23,80-87 24-31,88-95 32-39,96-103 40-47,104-111 48-55,112-119 56-63,120-127"
polaris="0-7,32-39 8-15,40-47 16-23,48-55 24-31,56-63"
h100="0-13 14-27 28-41 42-55 56-69 70-83 84-97 98-111"
in_order="0 1 2 3 4 5 6 7"

# Right jobs. test/tools/check_test.cc has all rules; these show that a real job's placement reaches them.
job "a socket each, with threads" 0 "" 4 "shape node:2 ranks:2" "'$two_sockets'" socket 2
job "two processes for each core of two threads" 0 "" 8 "shape node:1 ranks:8" "'$hwthreads'" core -
job "nodes in the fabric's order" 0 "" 8 "$leaves" "'$two_sockets'" core -

# Wrong ones.
job "several at once" 1 $'fault shared-core 0-1\nfault threads 0-4\nremark load' 5 $'rank 0-3 node=a\nrank 4 node=b' \
    "'$two_sockets'" "0 0 2 3 0" 2 --openmp
is_quick && exit
job "two on one core of each node" 1 "fault shared-core 0-1,4-5" 8 "$two_nodes" "'$two_sockets'" "0 0 2 3" -
job "more processes than CPUs" 1 "fault overloaded-node 0-4" 5 "shape node:1 ranks:5" "'$one_socket'" none -
job "unbound beside bound" 1 "fault unbound 1" 4 "shape node:1 ranks:4" "'$two_sockets'" "0 none 1 2" -
job "more threads than CPUs at one" 1 "fault threads 2" 4 "shape node:1 ranks:4" "'$two_sockets'" core "1 1 '4,2' -" --openmp
job "a switch that one node does not know" 1 "fault level 1" 3 $'rank 0 node=a switch=s\nrank 1 node=b\nrank 2 node=c switch=s' \
    "'$two_sockets'" core -

# Remarks.
job "more threads than CPUs, perhaps" 0 "remark shared-threads 0-3" 4 "shape node:1 ranks:4" "'$one_socket'" none 4
shuffled=$'rank 0,4 switch=a\nrank 1,5 switch=b\nrank 2,6 switch=c\nrank 3,7 switch=d'
for i in {0..7}; do shuffled+=$'\n'"rank $i node=n$i"; done
job "shuffled nodes" 0 "remark order" 8 "$shuffled" "'$two_sockets'" core -

# GPUs and NICs: each kind once, on machines of examples/machines.
with_devices "GPUs in order on Frontier" 1 "fault far-gpu 0-1,4-7" 8 frontier "$frontier" ROCR_VISIBLE_DEVICES "$in_order"
with_devices "GPUs as OLCF prints them" 0 "" 8 frontier "$frontier" ROCR_VISIBLE_DEVICES "4 5 2 3 6 7 0 1"
with_devices "GPUs by local rank" 1 "fault far-gpu 0-1,4-7" 8 frontier "$frontier" -- --gpu-by-local-rank
with_devices "GPUs that no variable chooses" 0 "" 8 frontier "$frontier"
with_devices "a GPU of a list within a list" 1 "fault unknown-gpu 0-5,7" 8 frontier "$frontier" \
    ROCR_VISIBLE_DEVICES "4 5 2 3 6 7 0 1" HIP_VISIBLE_DEVICES "4 5 2 3 6 7 0 1"
with_devices "one GPU for some" 1 "fault shared-gpu 0-1" 4 polaris "0-3 4-7 16-23 24-31" CUDA_VISIBLE_DEVICES "3 3 1 0"
with_devices "one GPU for all" 0 "remark shared-gpu 0-7" 8 frontier "$frontier" ROCR_VISIBLE_DEVICES 0
with_devices "GPUs that nobody has" 0 "remark idle-gpu" 4 frontier "0-7 16-23 32-39 48-55" ROCR_VISIBLE_DEVICES "4 2 6 0"
with_devices "GPUs far from all" 0 "remark gpu-cpus 0-3" 4 juwels-booster "0-5 12-17 24-29 36-41" CUDA_VISIBLE_DEVICES "1 0 3 2"
with_devices "NICs by rank" 1 $'fault far-nic 4-5\nremark gpu-nic-apart 1-3,6-7' 8 dgx-h100 "$h100" \
    CUDA_VISIBLE_DEVICES "$in_order" UCX_NET_DEVICES "mlx5_0:1 mlx5_1:1 mlx5_2:1 mlx5_3:1 mlx5_4:1 mlx5_5:1 mlx5_6:1 mlx5_7:1"
with_devices "NICs beside GPUs" 0 "" 8 dgx-h100 "$h100" \
    CUDA_VISIBLE_DEVICES "$in_order" UCX_NET_DEVICES "mlx5_0:1 mlx5_3:1 mlx5_4:1 mlx5_5:1 mlx5_6:1 mlx5_9:1 mlx5_10:1 mlx5_11:1"
with_devices "a NIC that is not there" 1 "fault unknown-nic 0-3" 4 polaris "$polaris" \
    CUDA_VISIBLE_DEVICES "3 2 1 0" UCX_NET_DEVICES mlx5_9:1
with_devices "a NIC that is down" 0 "remark nic-down 0-1" 4 turin-4gpu "16-31 32-47 96-111 112-127" \
    CUDA_VISIBLE_DEVICES "0 1 2 3" UCX_NET_DEVICES "mlx5_0:1 mlx5_3:1 mlx5_4:1 mlx5_5:1"
sed '0,/10de:20b0/s//10de:2330/' "$HITOPO_PREFIX/share/hitopo/machines/polaris.xml" >"$scratch/unequal.xml"
with_devices "GPUs of several models" 0 "remark gpu-order 0-3" 4 "$scratch/unequal.xml" "$polaris" CUDA_VISIBLE_DEVICES "0 1 2 3"

# As text, once in the job; and what is no job to be checked.
placed 3 "shape node:1 ranks:3" "'$two_sockets'" "0 0 2" -
expect "text: the counts" grep -qxF "3 processes, 1 node: 1 fault" <<<"$out"
expect "text: a line" test "$(grep -c '^fault: ranks 0-1: 2 processes are bound to one core, CPU 0 of node ' <<<"$out")" = 1
placed 2 "shape node:1 ranks:2" "'$two_sockets'" core - --output /dev/full
expect "no room: one message" test "$status/$(grep -c 'cannot be written' <<<"$out")" = 1/1
placed 2 "shape node:1 ranks:2" "'$two_sockets'" core - --format svg
expect "wrong use: the status" test "$status" = 2
capture hitopo check
expect "without mpirun" grep -q '^1 process, 1 node' <<<"$out"
run -np 2 --mca hitopo_base_eager 0 hitopo check
expect "no table: one message" test "$status/$(grep -c 'MPI_COMM_WORLD has no address table' <<<"$out")" = 1/1
if [[ $ompi_version != 5.0.* ]]; then
    run -np 2 hitopo check : -np 2 hitopo show
    expect "other commands in other ranks: rank 0's counts" grep -q '^4 processes' <<<"$out"
    expect "other commands in other ranks: it ends" test "$status" -lt 2
fi
