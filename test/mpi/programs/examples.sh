#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# The examples compile as their READMEs say, and do what they are for; examples/splitting and examples/reduce on simulated
# machines with processes bound to cores, bound to several, and unbound.
. "$(dirname "$0")/../common.sh"

export PKG_CONFIG_PATH=$HITOPO_PREFIX/lib/pkgconfig
cp -r "$source_root"/examples/{addresses,halo,splitting,reduce,registering,solver} "$scratch"
programs=$(sed -n '/^PROGRAMS =/,/[^\\]$/p' "$scratch/splitting/Makefile" | tr -d '\\=' | sed 's/PROGRAMS//')

complained() { [ "$status" != 0 ] && grep -qE 'rank [0-9]+: level [0-9]: is (apart from|together with) rank' <<<"$out"; }

for example in addresses halo splitting reduce registering solver; do
    capture make -C "$scratch/$example" clean all CFLAGS="-std=gnu11 -O1 -Wall -Wextra -Werror -Wno-deprecated-declarations"
    expect "examples/$example compiles with pkg-config" succeeded
done

# ---- the documents' own ----

# Two switches of two nodes of two sockets, each a NUMA node of two cores.
echo 'shape switch:2 node:2 ranks:4' >"$scratch/job.map"
machine=(--bind-to none --mca hitopo_file_path "$scratch/job.map"
    --mca hitopo_hwloc_topology "pack:2 numa:1 core:2 pu:1")

# does NAME TEXT ARGUMENT...: an example prints it.
does() {
    local name=$1 text=$2
    run "${@:3}"
    expect "$name" printed "$text"
}
does "hsplit_3" 'as the address table says' -np 16 "${machine[@]}" "$scratch/splitting/hsplit_3"
does "a few addresses" 'distance 1: the farthest message' -np 4 -x LD_PRELOAD="$preload" "$scratch/addresses/steps"
does "10 rounds of a registered ring" 'communicators: 40 of 48 messages' -np 4 "$scratch/registering/ring" "my ring"
does "reduction on this machine" 'as MPI_Reduce' -np 3 "$scratch/reduce/reduce_levels" levels 2
does "solver" "sum of u 148.750000" -np 4 -x LD_PRELOAD="$preload" "$scratch/solver/solver" 100 3
does "halo" ", 0 wrong edges" -np 8 -x LD_PRELOAD="$preload" "${machine[@]}" "$scratch/halo/halo" 1000 3
# mpirun may put several lines into one.
python_splits() {
    [ "$status" = 0 ] &&
        [ "$(grep -o "4 on its node; \[('hitopo://Switch', 8), ('hwloc://Machine', 4), ('hwloc://NUMANode', 2), ('hwloc://PU', 1)\]" <<<"$out" | wc -l)" = 16 ]
}
if has_mpi4py; then
    run -np 16 -x LD_PRELOAD="$preload" "${machine[@]}" --mca hitopo_hwloc_binding core \
        "$python" "$source_root/examples/splitting/split.py"
    expect "split.py" python_splits
else
    echo "ok - split.py # SKIP no mpi4py of Open MPI $ompi_version"
fi
is_quick && exit

for program in $programs; do
    run -np 16 "${machine[@]}" --mca hitopo_hwloc_binding core "$scratch/splitting/$program"
    expect "$program, processes bound to cores" printed 'as the address table says'
done

run -np 16 "${machine[@]}" "$scratch/splitting/hsplit_3"
expect "hsplit_3 finds 8 sockets" test "$(grep -c 'Number of subcomms : 8' <<<"$out")" = 16
expect "hsplit_3 finds the last one" test "$(grep -c 'Subcomm rank : 7' <<<"$out")" = 2
run -np 16 "${machine[@]}" "$scratch/splitting/hsplit_directed"
expect "hsplit_directed finds switches outermost" test "$(grep -c 'MPI_HW_LEVEL0 type is hitopo://Switch' <<<"$out")" = 16

# Their checks do fail: on communicators that have no regard for hardware, of even and odd ranks.
cat >"$scratch/even_odd.c" <<'C'
#include <mpi.h>
int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    int rank, size;
    (void) info;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    return MPI_Comm_split(comm, MPI_UNDEFINED == split_type || 1 == size ? MPI_UNDEFINED : rank % 2, key, newcomm);
}
int MPIX_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    return MPI_Comm_split_type(comm, split_type, key, info, newcomm);
}
C
mpicc -shared -fPIC "$scratch/even_odd.c" -o "$scratch/even_odd.so"
for program in $programs; do
    run -np 16 "${machine[@]}" -x LD_PRELOAD="$scratch/even_odd.so" "$scratch/splitting/$program"
    expect "$program notices a wrong split" complained
done

# ---- the ring ----

# Two switches of two nodes of four ranks, of which the last one's neighbour is the first.
steps=$scratch/addresses/steps
preloaded -np 16 "${machine[@]}" "$steps"
expect "a few addresses: how far messages go" test "$(grep -c '^distance [1248]: the farthest message leaves its switch$' <<<"$out")" = 4
preloaded -np 4 "${machine[@]}" --mca hitopo_hwloc_binding core "$steps"
expect "a few addresses: inside a node" test "$(grep -c '^distance [12]: the farthest message leaves its socket$' <<<"$out")" = 2
run -np 2 --mca hitopo_base_eager 0 "$steps"
expect "a few addresses: there are none" test "$(grep -c 'steps: there is no address table' <<<"$out")" -ge 1

ring=$scratch/registering/ring
run -np 4 "$ring"
expect "nothing is registered" printed 'communicators: 0 of 48 messages'
run -np 4 --mca hitopo ^all "$ring" "my ring"
expect "a registered ring without components" printed 'communicators: 40 of 48 messages'

# ---- the reduction ----

reduce=$scratch/reduce/reduce_levels
machine=(--bind-to none --mca hitopo_file_path "$scratch/reduce/unequal.map"
    --mca hitopo_hwloc_topology "pack:2 numa:1 core:4 pu:1")

run -np 16 "${machine[@]}" --mca hitopo_hwloc_binding core "$reduce" levels 2
expect "reduction on unequal nodes, processes bound to cores" printed 'as MPI_Reduce'
mixed=("${machine[@]}" -np 6 -x OMPI_MCA_hitopo_hwloc_binding=none "$reduce" levels 2
    : -np 4 -x OMPI_MCA_hitopo_hwloc_binding=core "$reduce" levels 2
    : -np 6 -x OMPI_MCA_hitopo_hwloc_binding=socket "$reduce" levels 2)
run "${mixed[@]}"
expect "reduction of processes some of which are bound" printed 'as MPI_Reduce'
run -np 1 "$reduce" levels 2
expect "reduction of one process" printed 'as MPI_Reduce'

counts_messages "counting messages" || exit 0
# Four nodes: three messages between them, whoever is bound. Open MPI's own MPI_Reduce does not look at nodes.
capture timeout 300 "$scratch/reduce/count.sh" -np 16 --oversubscribe --mca mpi_yield_when_idle 1 "${machine[@]}"
expect "3 messages between 4 nodes" printed 'levels: 3 messages between nodes'
expect "coll/hitopo sends as few" printed 'served: 3 messages between nodes'
expect "Open MPI's own MPI_Reduce sends more" test "$(sed -n 's/^plain: \([0-9]*\).*/\1/p' <<<"$out")" -gt 3
capture timeout 300 "$scratch/reduce/count.sh" -np 16 --oversubscribe --mca mpi_yield_when_idle 1 "${machine[@]}" \
    --mca hitopo_hwloc_binding none
expect "and of unbound processes" printed 'levels: 3 messages between nodes'

# ---- a solver, served by the table and not ----

# By hand: with each iteration values inside grow by 1/2, to 3/2; the outermost goes 1/2, 3/4, 1, and the one beside it
# 1/2, 1, 11/8. So 96 times 1.5, and twice 2.375.
for options in "" "--mca coll_hitopo_priority 40 --mca coll_hitopo_serve all"; do
    preloaded -np 8 "${machine[@]}" $options "$scratch/solver/solver" 100 3
    expect "solver ${options:-without the table}" printed "sum of u 148.750000"
done

# By hand: u is k (101 - k) / 2 at the k-th of 100 unknowns.
for options in "" "--mca coll_hitopo_priority 40 --mca coll_hitopo_serve iallreduce --mca coll_hitopo_verbose 1"; do
    preloaded -np 8 "${machine[@]}" $options "$scratch/solver/cg" 100 100
    expect "conjugate gradients ${options:-without the table}" printed "sum of u 85850.000"
done
expect "its sums are served" printed "coll:hitopo: iallreduce of 16 bytes"

# ---- a halo exchange, ranks as they are and in order ----

for mode in off on; do
    preloaded -np 8 "${machine[@]}" --mca topo_hitopo_reorder $mode "$scratch/halo/halo" 1000 3
    expect "halo, topo_hitopo_reorder $mode" printed "4 x 2, 1000 bytes to each neighbour"
    expect "halo, topo_hitopo_reorder $mode: right edges" printed ", 0 wrong edges"
done
