#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# What `hitopo order` writes for mpirun, read by the mpirun that is here, on this host: four ranks that share two cores,
# those that talk on different ones first. Many hosts are in test/lab/nodes.
. "$(dirname "$0")/../../../../test/mpi/common.sh"
command -v hitopo >/dev/null || { echo "ok - hitopo order # SKIP the command is not built"; exit 0; }
judge=$here/order_check.py
strides=(1:1000)
launcher=5.0
[[ $ompi_version != 4.* ]] || launcher=4.1
by_rankfile() {
    if [ $launcher = 4.1 ]; then echo "--rankfile $1"; else echo "--map-by rankfile:file=$1 --bind-to core:overload-allowed"; fi
}
# The CPUs that each rank of a rankfile has, by what the first run had for the same list.
cpus_by_slot() {
    sed 's/.*slot=//' | while read -r list; do
        "$judge" places "$scratch/first.json" | sed -n "$((list + 1))s/.* //p"
    done
}

# profiled NAME OPTION...: leaves its profile in NAME.json.
profiled() {
    local name=$1
    shift
    capture timeout -k 10 300 mpirun --mca mpi_yield_when_idle 1 -x LD_PRELOAD="$HITOPO_PREFIX/lib/hitopo/libhitopo_prof.so" \
        --mca hitopo_prof_report "$scratch/$name.json" "$@" -np 4 \
        "$HITOPO_TEST_PROGRAMS/order_halo" "${strides[@]}" </dev/null
    [ "$status" != 0 ] || capture "$judge" counts "$scratch/$name.json" "${strides[@]}"
    expect "$name: pairs are what the program sent" succeeded
}

# writes FORMAT: from first.json.
writes() {
    capture hitopo order "$scratch/first.json" --format "$1" --launcher $launcher --output "$scratch/order.$1"
    echo "$out" >"$scratch/said"
    expect "hitopo order writes a $1" succeeded
}

host=$(hostname) host=${host%%.*}
echo "$host slots=4" >"$scratch/hosts"
for rank in 0 1 2 3; do
    echo "rank $rank=$host slot=$((rank % 2))"
done >"$scratch/first.rankfile"
capture mpirun --hostfile "$scratch/hosts" $(by_rankfile "$scratch/first.rankfile") -np 4 true
if ! succeeded; then
    echo "ok - launches by rankfile # SKIP mpirun does not bind to two cores here: $(head -n 1 <<<"$out")"
    exit 0
fi

profiled first --hostfile "$scratch/hosts" $(by_rankfile "$scratch/first.rankfile")
writes rankfile
expect "ranks that talk share a core" test "$(sed 's/.*slot=//' "$scratch/order.rankfile" | uniq | wc -l)" = 2
profiled ranked --hostfile "$scratch/hosts" $(by_rankfile "$scratch/order.rankfile")
expect "rankfile: each slot keeps its CPUs" test \
    "$("$judge" places "$scratch/ranked.json" | sort)" = "$("$judge" places "$scratch/first.json" | sort)"
expect "rankfile: ranks have the CPUs that it says" test \
    "$(cpus_by_slot <"$scratch/order.rankfile")" = "$("$judge" places "$scratch/ranked.json" | cut -d' ' -f2)"
expect "rankfile: what it predicts is the second run's profile" test \
    "$("$judge" said "then" <"$scratch/said")" = "$("$judge" lanes "$scratch/ranked.json" all)"

writes hostfile
profiled seq --hostfile "$scratch/order.hostfile" --map-by seq --bind-to none
expect "hostfile: ranks are where it says" test "$("$judge" hosts "$scratch/seq.json")" = "$(cat "$scratch/order.hostfile")"
