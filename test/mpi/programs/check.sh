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
