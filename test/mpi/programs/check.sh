#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# `hitopo check` in jobs that are right or wrong on purpose, on simulated machines: it finds what is wrong, and nothing
# else.
. "$(dirname "$0")/../common.sh"
[ -x "$HITOPO_PREFIX/bin/hitopo" ] || { echo "skip hitopo check: no {fmt} or CLI11: the command is not built"; exit; }
unset OMP_NUM_THREADS OMP_THREAD_LIMIT OMP_DYNAMIC

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

# placed NUM_RANKS MAP TOPOLOGIES BINDINGS THREADS ARG...: runs hitopo check ARG...
placed() {
    printf '%s\n' "$2" >"$scratch/job.map"
    {
        echo '#!/bin/bash'
        by_rank OMPI_MCA_hitopo_hwloc_topology "$3"
        by_rank OMPI_MCA_hitopo_hwloc_binding "$4"
        by_rank OMP_NUM_THREADS "$5"
        echo 'exec hitopo check "$@"'
    } >"$scratch/job"
    chmod +x "$scratch/job"
    run -np "$1" --bind-to none --mca hitopo_file_path "$scratch/job.map" "$scratch/job" "${@:6}"
}

# "fault shared-core 0-1", one for each finding of the last job.
kinds() {
    python3 - "$scratch/found.json" <<'END'
import json, sys
found = json.load(open(sys.argv[1]))
for finding in found["findings"]:
    print("fault" if finding["is_fault"] else "remark", finding["kind"], finding["ranks"])
assert found["num_faults"] + found["num_remarks"] == len(found["findings"])
END
}

# job NAME STATUS EXPECTED NUM_RANKS MAP TOPOLOGIES BINDINGS THREADS [ARG...]: EXPECTED has a finding a line.
job() {
    rm -f "$scratch/found.json"
    placed "${@:4}" --format json --output "$scratch/found.json"
    local found
    found=$(kinds | sed 's/ $//')
    expect "$1: what is found" test "$found" = "$3"
    expect "$1: the status" test "$status" = "$2"
    [ "$found" = "$3" ] || printf '%s\n' "found: $found" "expected: $3" >&2
}

# Right jobs.
job "a core each" 0 "" 8 "$two_nodes" "'$two_sockets'" core -
job "a socket each, with threads" 0 "" 4 "shape node:2 ranks:2" "'$two_sockets'" socket 2
job "nobody is bound, one socket" 0 "" 8 "$two_nodes" "'$one_socket'" none -
job "a hardware thread each" 0 "" 8 "shape node:1 ranks:8" "'$hwthreads'" hwthread 1
job "two processes for each core of two threads" 0 "" 8 "shape node:1 ranks:8" "'$hwthreads'" core -
job "all of a node for who is alone there" 0 "" 3 $'rank 0 node=a\nrank 1-2 node=b' "'$two_sockets'" "none 0 2" "-"
job "bound to sockets, of which one node has one" 0 "" 4 "shape node:2 ranks:2" \
    "'$two_sockets' '$two_sockets' '$one_socket' '$one_socket'" socket -
job "nodes in the fabric's order" 0 "" 8 "$leaves" "'$two_sockets'" core -
job "as even as five can be" 0 "" 5 $'rank 0-2 node=a\nrank 3-4 node=b' "'$one_socket'" core -

# Wrong ones.
job "several at once" 1 $'fault shared-core 0-1\nfault threads 0-4\nremark load' 5 $'rank 0-3 node=a\nrank 4 node=b' \
    "'$two_sockets'" "0 0 2 3 0" 2 --openmp
is_quick && exit
job "two on one core" 1 "fault shared-core 0-1" 3 "shape node:1 ranks:3" "'$two_sockets'" "0 0 2" -
job "two on one core of each node" 1 "fault shared-core 0-1,4-5" 8 "$two_nodes" "'$two_sockets'" "0 0 2 3" -
job "two on one of two hardware threads" 1 "fault shared-core 0-1" 3 "shape node:1 ranks:3" "'$hwthreads'" "0 0 4" -
job "two on one core, others free" 1 "fault shared-core 0-1" 3 "shape node:1 ranks:3" "'$hwthreads'" "0,1 0,1 4" -
job "three on two CPUs" 1 "fault shared-cpus 0-2" 4 "shape node:1 ranks:4" "'$two_sockets'" "0,1 0,1 0,1 2" -
job "four on three CPUs, no two of them alike" 1 "fault shared-cpus 0-3" 5 "shape node:1 ranks:5" "'pack:1 core:8 pu:1'" \
    "0,1 1,2 0 2 2,5,6" -
job "more processes than CPUs" 1 "fault overloaded-node 0-4" 5 "shape node:1 ranks:5" "'$one_socket'" none -
job "more than CPUs, bound" 1 "fault overloaded-node 0-7" 8 "shape node:1 ranks:8" "'$two_sockets'" core -
job "more than CPUs, all on one" 1 $'fault overloaded-node 0-4\nfault shared-core 0-4\nremark one-socket 0-4' 5 "shape node:1 ranks:5" \
    "'$two_sockets'" 1 -
job "unbound beside bound" 1 "fault unbound 1" 4 "shape node:1 ranks:4" "'$two_sockets'" "0 none 1 2" -
job "an unbound node beside a bound one" 1 "fault unbound 4-7" 8 "$two_nodes" "'$two_sockets'" \
    "core core core core none none none none" -
job "two sockets beside bound" 1 "fault several-sockets 1" 3 "shape node:1 ranks:3" "'$two_sockets'" "0 1,2 3" -
job "more threads than CPUs" 1 "fault threads 0-3" 4 "$two_nodes" "'$two_sockets'" core 2 --openmp
job "more threads than CPUs at one" 1 "fault threads 2" 4 "shape node:1 ranks:4" "'$two_sockets'" core "1 1 '4,2' -" --openmp
for binding in none 0,1,2,3; do
    job "more threads than CPUs together, bound to: $binding" 1 "fault shared-threads 0-3" 4 "shape node:1 ranks:4" \
        "'$one_socket'" $binding 4 --openmp
done
job "a switch that one node does not know" 1 "fault level 1" 3 $'rank 0 node=a switch=s\nrank 1 node=b\nrank 2 node=c switch=s' \
    "'$two_sockets'" core -

# Remarks.
job "more threads than CPUs, perhaps" 0 "remark shared-threads 0-3" 4 "shape node:1 ranks:4" "'$one_socket'" none 4
job "nobody is bound, two sockets" 0 "remark across-sockets 0-7" 8 "$two_nodes" "'$two_sockets'" none -
job "all on one socket of two" 0 "remark one-socket 0-1" 2 "shape node:1 ranks:2" "'$two_sockets'" "0 1" -
job "two threads of one core, others free" 0 "remark hardware-threads 0-1" 3 "shape node:1 ranks:3" "'$hwthreads'" "0 1 4" -
job "nodes of unequal load" 0 "remark load" 5 $'rank 0-3 node=a\nrank 4 node=b' "'$two_sockets'" core -
shuffled=$'rank 0,4 switch=a\nrank 1,5 switch=b\nrank 2,6 switch=c\nrank 3,7 switch=d'
for i in {0..7}; do shuffled+=$'\n'"rank $i node=n$i"; done
job "shuffled nodes" 0 "remark order" 8 "$shuffled" "'$two_sockets'" core -
spread=$'rank 0-2 switch=a\nrank 3 switch=b\nrank 4 switch=c'
for i in {0..4}; do spread+=$'\n'"rank $i node=n$i"; done
job "more switches than needed" 0 "remark switches" 5 "$spread" "'$two_sockets'" core -

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
