#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# How parts of a report are gathered: what each process sends for it, as Open MPI's own monitoring counts, and that
# reports are whole however ranks lie on nodes.
. "$(dirname "$0")/../../../../test/mpi/common.sh"
. "$here/profile_common.sh"

program=$HITOPO_TEST_PROGRAMS/profile_misused

# Nodes of 4 ranks: by slot, by node, and whichever.
declare -A node_of=([slot]='r // 4' [node]='r % (size // 4)' [mixed]='(r + 1) * 5 % size // 4')
for ranks in 8 32; do
    for mapping in "${!node_of[@]}"; do
        python3 -c "size = $ranks
for r in range(size): print(f'rank {r} node=n{${node_of[$mapping]}}')" >"$scratch/$mapping.$ranks"
    done
done
# mapped MAPPING RANKS ARG..: the arguments of mpirun.
mapped() {
    local job=$1.$2
    shift
    job=(-np "$1" --bind-to none --mca hitopo_file_path "$scratch/$job" "${@:2}")
    printf '%s\n' "${job[@]}"
}
# Kinds that only some processes have; then more of them than a first message holds.
for mapping in $(is_quick && echo mixed || echo slot node mixed); do
    mapfile -t job < <(mapped $mapping 8)
    profiled "${job[@]}" "${windows[@]}" "$HITOPO_TEST_PROGRAMS/profile_random" 4 200
    expect "ranks by $mapping: the report is whole" has_form
    profiled "${job[@]}" --mca hitopo_prof_max_kinds 3000 "$HITOPO_TEST_PROGRAMS/profile_bounded" register
    expect "ranks by $mapping: so is a long one" has_form
done

is_quick && exit
counts_messages "what gathering sends" || exit 0

# sent ARG..: lines "from to messages" in $out, of all that is sent by MPI's functions; the program calls none that sends.
sent() {
    rm -f "$scratch"/seen.*
    run -x LD_PRELOAD="$profiler" --mca hitopo_prof_report "$path" --mca pml_monitoring_enable 2 \
        --mca pml_monitoring_enable_output 3 --mca pml_monitoring_filename "$scratch/seen" "$@" "$program"
    out=$(cat "$scratch"/seen.*.prof | awk '$1 == "E" && $6 > 0 { print $2, $3, $6 }' | sort -n -k1,1 -k2,2)
}
# should_send RANKS NODE_OF: one to rank 0 from the lowest rank of each other node, one to that rank from the others of
# its node.
should_send() {
    python3 - "$@" <<'END'
import sys
size = int(sys.argv[1])
node_of = [eval(sys.argv[2], {"r": r, "size": size}) for r in range(size)]
leader_of = [node_of.index(node) for node in node_of]
pairs = [(r, leader if leader != r else 0) for r, leader in enumerate(leader_of) if r > 0]
for a, b in pairs:
    print(a, b, 1)
END
}
path=$report
for job in "8 slot" "8 node" "8 mixed" "32 mixed"; do
    read -r ranks mapping <<<"$job"
    mapfile -t job < <(mapped $mapping $ranks)
    sent "${job[@]}"
    expect "messages of $ranks ranks by $mapping" test "$out" = "$(should_send $ranks "${node_of[$mapping]}")"
done
sent -np 5 --mca hitopo_base_eager 0
expect "without a table each process is a node" test "$out" = "$(should_send 5 r)"
mapfile -t job < <(mapped slot 8)
path= sent "${job[@]}"
expect "where no report is wanted, nothing is sent" test "$status/$out" = 0/
