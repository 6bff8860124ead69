#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Calls of MPI_Comm_split_type arrive from Python and below a profiler; where HiTopo is not in all
# processes of a job, and where it has no table, they are Open MPI's.
. "$(dirname "$0")/../common.sh"
sizes=$HITOPO_TEST_PROGRAMS/split_sizes
simulated=(--bind-to none --mca hitopo_hwloc_topology "pack:2 core:2 pu:1" --mca hitopo_hwloc_binding core)

preloaded -np 4 "${simulated[@]}" "$sizes" Package unguided
expect "a program that knows nothing of HiTopo" gives "Package: 2 2 2 2" "unguided: 2 2 2 2"

# A delete function of MPI_COMM_SELF's may use all of MPI, in MPI_Finalize.
quiet=("${simulated[@]}" --mca hitopo_prof_report "")
# Programs ask for types that a machine lacks, and need no message.
unknown="hitopo://Sockt is no resource type of this job, so its splits give MPI_COMM_NULL; did you mean hitopo://Socket? MPI_Get_hw_resource_info lists the types"
preloaded -np 4 "${simulated[@]}" --mca hitopo_base_verbose 1 "$sizes" hitopo://Sockt hitopo://Sockt
expect "an unknown type, with hitopo_base_verbose: told once" printed_once "$unknown"
preloaded -np 4 "${simulated[@]}" --mca hitopo_base_verbose 1 "$sizes" within:Package hitopo://Sockt
expect "an unknown type, in each part of a split: told once a job" printed_once "$unknown"
preloaded -np 4 "${simulated[@]}" "$sizes" hitopo://Sockt
expect "an unknown type" gives "hitopo://Sockt: 0 0 0 0"

at_end=("$sizes" Core end Package unguided)
in_finalize=("Core: 1 1 1 1" "Package: 2 2 2 2" "unguided: 2 2 2 2")
preloaded -np 4 "${quiet[@]}" "${at_end[@]}"
expect "in MPI_Finalize" gives "${in_finalize[@]}"
preloaded -np 4 "${quiet[@]}" "${at_end[@]}" fail
expect "in MPI_Finalize, in a function that fails" gives "${in_finalize[@]}"
run -np 4 -x LD_PRELOAD="$HITOPO_PREFIX/lib/hitopo/libhitopo_prof.so:$preload" "${quiet[@]}" "${at_end[@]}"
expect "in MPI_Finalize, with HiTopo's profiler" gives "${in_finalize[@]}"
if [ -z "$in_tree" ]; then
    mkdir "$scratch/components"
    ln -s "$HITOPO_PREFIX/lib/hitopo/mca_hook_hitopo.so" "$scratch/components/"
    preloaded -np 4 "${quiet[@]}" "$with_components" "$scratch/components" "${at_end[@]}"
    expect "in MPI_Finalize, with the hook" gives "${in_finalize[@]}"
fi

# Tools as PMPI means them: of several the first one gets the calls, and HiTopo what it calls.
cat >"$scratch/tool.c" <<'C'
#include <mpi.h>
#include <stdio.h>

static int num_calls = 0;

int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    ++num_calls;
    return PMPI_Comm_split_type(comm, split_type, key, info, newcomm);
}

int MPI_Finalize(void)
{
    int rank;

    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (0 == rank) {
        printf(TOOL " saw %d calls\n", num_calls);
        fflush(stdout);
    }
    return PMPI_Finalize();
}
C
for tool in a b; do
    mpicc -std=gnu11 -Wall -Wextra -Werror -shared -fPIC -DTOOL="\"$tool\"" "$scratch/tool.c" -o "$scratch/$tool.so" || exit
done
mpicc -std=gnu11 -I"$source_root" "$here/split_sizes.c" "$scratch/a.so" -Wl,-rpath,"$scratch" -o "$scratch/linked" || exit
# tools_see NAME PRELOAD PROGRAM LINE...
tools_see() {
    run -np 4 -x LD_PRELOAD="$2" "${quiet[@]}" "$3" Package Core mpi_shared_memory
    expect "$1" gives "Package: 2 2 2 2" "Core: 1 1 1 1" "mpi_shared_memory: 4 4 4 4" "${@:4}"
}
tools_see "below a tool" "$scratch/a.so:$preload" "$sizes" "a saw 3 calls"
tools_see "above a tool" "$preload:$scratch/a.so" "$sizes" "a saw 3 calls"
tools_see "above a tool of the program's" "$preload" "$scratch/linked" "a saw 3 calls"
tools_see "between two tools" "$scratch/b.so:$preload" "$scratch/linked" "b saw 3 calls"
tools_see "above two tools" "$preload:$scratch/b.so:$scratch/a.so" "$sizes" "b saw 3 calls"
profiler=$HITOPO_PREFIX/lib/hitopo/libhitopo_prof.so
tools_see "below HiTopo's profiler, which leaves a tool behind it nothing" "$profiler:$preload:$scratch/a.so" "$sizes"
tools_see "above the profiler" "$preload:$profiler:$scratch/a.so" "$sizes"

# Every function that the library has, but for MPI's begin and end: a tool behind it gets the call.
if [ -z "$in_tree" ]; then
    names=$(nm -D --defined-only "$preload" | sed -nE 's/.* (MPIX?_[A-Z][a-z]\w*|mpix?_\w+[^_]_)$/\1/p' |
        grep -vE '^MPI_(Init|Finalize|Session_)')
    sed 's/.*/int &() { return puts("&"); }/; 1i #include <stdio.h>' <<<"$names" >"$scratch/stubs.c"
    { echo 'int main() {' && sed 's/$/();/' <<<"$names" && echo 'return 0; }'; } >"$scratch/calls.c"
    gcc -w -shared -fPIC "$scratch/stubs.c" -o "$scratch/stubs.so" &&
        gcc -w -std=gnu89 "$scratch/calls.c" "$scratch/stubs.so" -Wl,-rpath,"$scratch" -o "$scratch/calls" || exit
    capture env LD_PRELOAD="$preload" "$scratch/calls"
    expect "each function of the library, with a tool behind it" gives "$names"
fi

# What Open MPI makes of it by itself: 4.1 knows no guided split, later ones find no package here.
if [ -z "$in_tree" ]; then
    run -np 2 "$sizes" type:0 Package
    by_itself=$(grep '^Package:' <<<"$out")
    expect "without HiTopo" test "$status/$(grep -c '^type:0: 2 2$' <<<"$out")" = 0/1 -a "$by_itself" != "Package: 2 2"
    run -np 1 "$sizes" type:0 Package : -np 1 -x LD_PRELOAD="$preload" "$sizes" type:0 Package
    expect "not in all processes: Open MPI's own" test "$status/$(grep : <<<"$out" | grep -c -e '^type:0: 2 2$' -e "^$by_itself\$")" = 0/2
fi
preloaded -np 2 --mca hitopo_base_eager 0 "$sizes" type:0
expect "without a table: shared memory" gives "type:0: 2 2"

out=$(LD_PRELOAD="$preload" timeout 300 "$sizes" Machine type:0 unguided 2>&1 </dev/null)
status=$?
expect "without mpirun" gives "Machine: 1" "type:0: 1" "unguided: 0"

# Simulated nodes share memory as long as nobody says that they shall not.
printf 'shape node:2 ranks:2\n' >"$scratch/nodes.map"
nodes=(--bind-to none --mca hitopo_file_path "$scratch/nodes.map")
preloaded -np 4 "${nodes[@]}" "$sizes" type:0 mpi_shared_memory host
expect "simulated nodes: memory is really shared" gives "type:0: 4 4 4 4" "mpi_shared_memory: 4 4 4 4" "host: 2 2 2 2"
preloaded -np 4 "${nodes[@]}" --mca hitopo_base_simulate_shared 1 "$sizes" type:0 mpi_shared_memory host
expect "simulated nodes: hitopo_base_simulate_shared" gives "type:0: 2 2 2 2" "mpi_shared_memory: 2 2 2 2" "host: 2 2 2 2"

if ! has_mpi4py; then
    echo "ok - Python # SKIP no mpi4py of Open MPI $ompi_version"
    exit
fi
cat >"$scratch/split.py" <<'PYTHON'
from mpi4py import MPI

world = MPI.COMM_WORLD
info = MPI.Info.Create()
info["mpi_hw_resource_type"] = "hwloc://Package"
package = world.Split_type(13, world.rank, info)
shared = world.Split_type(MPI.COMM_TYPE_SHARED)
unguided = package.Split_type(12, 0, info)
row = [package.size, package.rank, shared.size, unguided.size, info["mpi_hw_resource_type"]]
rows = world.gather(row)
if world.rank == 0:
    for row in rows:
        print(*row)
PYTHON
preloaded -np 4 "${simulated[@]}" "$python" "$scratch/split.py"
expect "Python" gives "2 0 4 1 hwloc://PU" "2 1 4 1 hwloc://PU" "2 0 4 1 hwloc://PU" "2 1 4 1 hwloc://PU"
