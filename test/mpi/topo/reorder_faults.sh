#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Grids and graphs with reorder = 1 where something is missing, goes wrong or comes at the same time: neighbours are right or
# the job ends, and nothing hangs. What hangs, `run` ends with status 124.
. "$(dirname "$0")/../common.sh"
program=$HITOPO_TEST_PROGRAMS/reorder faults=$HITOPO_TEST_PROGRAMS/reorder_faults
map=$scratch/map
for rank in 0 1 2 3 4 5 6 7; do # nodes in an order that costs
    echo "rank $rank island=$((rank * 5 % 8 / 4)) switch=$((rank * 5 % 8 / 2)) node=$((rank * 5 % 8))"
done >"$map"
on=(--bind-to none --mca hitopo_file_path "$map" --mca topo_hitopo_reorder on)
ranks() { sed -n "s/^$1: //p" <<<"$out"; }

# ---- who lacks HiTopo ----

[ -n "$in_tree" ] || {
    for what in "cart 4x2" "graph 1" "dist 1"; do
        run --mca hitopo_file_path "$map" --mca topo_hitopo_reorder on -np 4 -x LD_PRELOAD="$preload" "$program" $what : \
            -np 4 env -u LD_PRELOAD "$program" $what # 6.0's mpirun gives it to all
        expect "half of the processes lack HiTopo, $what: ranks stay" test \
            "$status/$(sed -nE 's/^(cart|graph|adjacent|general): //p' <<<"$out" | sort -u)" = "0/0 1 2 3 4 5 6 7"
    done
}

# ---- threads ----

threads=()
[[ $ompi_version != 6.* ]] || threads=(--mca btl self,tcp) # docs/upstream.md, 43
preloaded -np 8 "${on[@]}" "${threads[@]}" "$faults" threads 10
expect "four threads, each with a communicator of its own" succeeded

# ---- processes of two jobs ----

preloaded -np 4 "${on[@]}" "$faults" spawn 4
for what in merged spawned spawning; do
    expect "with spawned processes, $what: neighbours are right" grep -qE "^$what: ranks (stay|change)$" <<<"$out"
done
expect "with spawned processes: ranks stay" printed "merged: ranks stay"

# ---- a process dies ----

# Its first words are its process id.
pids=$scratch/pids
mkdir "$pids"
cat >"$scratch/known" <<'END'
#!/bin/bash
echo $$ >"$PIDS/$OMPI_COMM_WORLD_RANK"
exec "$@"
END
chmod +x "$scratch/known"
for rank in 0 5; do
    rm -f "$pids"/*
    {
        preloaded -np 8 -x PIDS="$pids" "${on[@]}" "$scratch/known" "$program" often 1000000
        echo "$status"
    } >"$scratch/died" 2>&1 &
    job=$!
    until [ "$(find "$pids" -type f -size +0 | wc -l)" = 8 ] || ! kill -0 $job; do sleep 0.1; done
    sleep 3 # among grids and graphs
    kill -9 "$(<"$pids/$rank")"
    wait $job
    status=$(tail -n 1 "$scratch/died") out=$(<"$scratch/died")
    expect "rank $rank dies: the job ends" test "$status" != 0 -a "$status" != 124
done

# ---- hostile capacities ----

long=$(printf 'x%.0s' $(seq 10000))
for capacity in "$long" "switch:$long" $'\e[31mswitch:1\a\b\r' "$(printf 'switch:1,%.0s' $(seq 1200))" "switch:-1" ",,," \
    "switch:99999999999999999999999999" "switch:0" $'switch:1\nisland:2'; do
    OMPI_MCA_topo_hitopo_capacity=$capacity preloaded -np 8 "${on[@]}" "$program" cart 4x2
    name=$(printf %.20q "$capacity")
    expect "capacity $name: the job runs, and one message" printed_once "    topo_hitopo_capacity, column "
    expect "capacity $name: a terminal obeys nothing of it" test "$(LC_ALL=C grep -c $'[\001-\010\013-\037]' <<<"$out")" = 0
    expect "capacity $name: as if there were none" test "$(ranks cart)" = "${without_capacity:=$(
        preloaded -np 8 "${on[@]}" "$program" cart 4x2
        ranks cart
    )}"
done

# ---- a process without memory ----

# An order that it cannot find is nobody's; where others wait for the process, the job ends.
try_without_memory() { without_memory 3 "$1" 1 -np 8 "${on[@]}" "$program" "${@:2}"; } # FROM ARG...
if [ -n "$in_tree" ]; then
    echo "ok - grids and graphs without memory # SKIP the shim knows libraries of HiTopo's own"
elif build_shim fail_memory "$scratch/fail_memory.so"; then
    try_without_memory 1000000 cart 1x1
    first=$(allocations) num_ended=0
    for what in "cart 4x2" "graph 1" "dist 1" "often 1"; do
        try_without_memory 1000000 $what
        last=$(allocations)
        for ((i = 1; i < 8; ++i)); do
            try_without_memory $((first + i * (last - first) / 8)) $what
            expect "$what, no memory for allocation $((first + i * (last - first) / 8)): goes on, or ends with one message" \
                eval 'succeeded || ended_by 3'
            succeeded || ((++num_ended))
        done
    done
    expect "without memory some grids and graphs end the job" test $num_ended -gt 3
fi
