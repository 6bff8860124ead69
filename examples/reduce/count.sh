#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Counts the messages between nodes of one reduction, by Open MPI's own MPI_Reduce (plain), by coll/hitopo's (served),
# and by reduce_levels (levels), with Open MPI's pml/monitoring: those of 200 reductions less those of 100, since the first
# ones share memory in nodes, which takes messages, too.
#
#     ./count.sh MPIRUN-OPTION...
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# messages HOW COUNT MPIRUN-OPTION...: all messages between nodes of a run.
messages() {
    local how=$1 count=$2 coll=()
    shift 2
    case $how in
    plain) coll=(--mca coll ^hitopo) ;;
    served) how=plain coll=(--mca coll_hitopo_serve all) ;;
    esac
    rm -f "$folder"/*
    mpirun "$@" "${coll[@]}" --mca pml_monitoring_enable 2 --mca pml_monitoring_enable_output 3 \
        --mca pml_monitoring_filename "$folder/of" ./reduce_levels "$how" "$count" >"$folder/out" || return
    # Lines "I from to bytes bytes messages ..": what collectives send is I (internal).
    sed -n 's/^nodes: //p' "$folder/out" | cat - "$folder"/of.*.prof |
        awk 'NR == 1 { for (i = 1; i <= NF; ++i) node[i - 1] = $i; next }
             $1 == "I" && node[$2] != node[$3] { total += $6 }
             END { print total + 0 }'
}

cd "$(dirname "$0")" || exit
for how in plain served levels; do
    some=$(messages $how 100 "$@") && many=$(messages $how 200 "$@") || exit
    awk -v how=$how -v sum=$((many - some)) 'BEGIN { printf "%s: %g messages between nodes\n", how, sum / 100 }'
done
