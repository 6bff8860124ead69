#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Nothing is counted twice, or not at all: Fortran by its three interfaces, Python, files by each io component,
# threads.
. "$(dirname "$0")/../common.sh"
. "$here/profile_common.sh"

# tested NAME FLAG...: compiles and runs profile_fortran.F90.
tested() {
    capture mpifort -cpp -O1 -g "${@:2}" "$here/profile_fortran.F90" -o "$scratch/$1"
    expect "$1 compiles" succeeded
    traced -np 3 --mca hitopo_base_eager 0 "${windows[@]}" "$scratch/$1"
    judged "$1"
}
if command -v mpifort >/dev/null; then
    tested mpif.h -std=legacy
    tested use-mpi -DWITH_MPI
    tested use-mpi_f08 -DWITH_F08
    tested two-underscores -DWITHOUT_ADDRESSES -std=legacy -fsecond-underscore
else
    echo "skip Fortran under the profiler: no mpifort"
fi

# A library's own function, named as Rmpi's are: Fortran's without an underscore.
mpicc -shared -fPIC -o "$scratch/libown.so" -x c - <<'END'
#include <mpi.h>
int mpi_barrier(MPI_Comm *comm, int times)
{
    while (times-- > 0) {
        MPI_Barrier(*comm);
    }
    return 5;
}
int work(MPI_Comm *comm) { return mpi_barrier(comm, 3); }
END
mpicc -o "$scratch/owner" -x c - -x none "$scratch/libown.so" -Wl,-rpath,"$scratch" <<'END'
#include <mpi.h>
int work(MPI_Comm *comm);
int main(void)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Init(NULL, NULL);
    int result = work(&comm);
    MPI_Finalize();
    return result != 5;
}
END
profiled -np 2 "$scratch/owner"
expect "a C library's own mpi_barrier" succeeded
capture grep -o '"call":"MPI_Barrier","count":[0-9]*' "$report"
expect "what it calls is counted" test "$out" = '"call":"MPI_Barrier","count":3
"call":"MPI_Barrier","count":3'

# mpi4py, which knows nothing of traces: rank r sends r + 1 pickled lists and numpy-free buffers.
cat >"$scratch/program.py" <<'END'
from mpi4py import MPI
comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
right, left = (rank + 1) % size, (rank - 1) % size
for i in range(rank + 1):
    request = comm.Isend([bytearray(100), MPI.BYTE], dest=right)
    request.Wait()
for i in range(left + 1):
    comm.Recv([bytearray(100), MPI.BYTE], source=left)
comm.Bcast([bytearray(8), MPI.BYTE], root=0)
other = comm.Dup()
other.Barrier()
other.Free()
END
if [[ $ompi_version = 6.* ]]; then
    echo "skip Python under the profiler: mpi4py calls MPI 4's functions of large counts (docs/profiling.md)"
elif has_mpi4py; then
    profiled -np 3 --mca hitopo_base_eager 0 "$python" "$scratch/program.py"
    expect "mpi4py runs" succeeded
    out=$(python3 - "$report" <<'END'
import json, sys
for process in json.load(open(sys.argv[1]))["processes"]:
    entry, = process["communicators"]
    calls = {c["call"]: [c["count"], c["bytes"]] for c in entry["calls"]}
    print(process["rank"], calls["MPI_Isend"], calls["MPI_Recv"], calls["MPI_Bcast"], calls["MPI_Comm_dup"], entry["peers"][0][3:5])
END
)
    status=$?
    expect "mpi4py" test "$out" = "0 [1, 100] [3, 0] [1, 16] [1, 0] [1, 100]
1 [2, 200] [1, 0] [1, 0] [1, 0] [2, 200]
2 [3, 300] [2, 0] [1, 0] [1, 0] [3, 300]"
else
    echo "skip Python under the profiler: no mpi4py of Open MPI $ompi_version"
fi

# What an io component sends is its own.
components=$(ompi_info --parsable | sed -nE 's/^mca:io:(ompio|romio[0-9]+):.*/\1/p' | sort -u)
[[ $components = *romio* ]] || echo "skip files by ROMIO: this Open MPI has none"
for component in $components; do
    traced -np 4 --mca hitopo_base_eager 0 --mca io $component "$HITOPO_TEST_PROGRAMS/profile_files"
    judged "files by $component"
done

for ranks in 2 4; do
    traced -np $ranks "${threads[@]}" --mca hitopo_base_eager 0 "$HITOPO_TEST_PROGRAMS/profile_threads"
    judged "four threads in each of $ranks"
done

# The highest rank calls what takes a fraction of a microsecond, and the others nothing: no process is in MPI for longer than
# the job runs.
cat >"$scratch/short.c" <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size, in = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; rank + 1 == size && i < 500000; ++i) {
        MPI_Sendrecv_replace(&in, 1, MPI_INT, rank, 0, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return MPI_Finalize();
}
END
mpicc -O1 "$scratch/short.c" -o "$scratch/short"
for ranks in 1 2; do
    profiled -np $ranks --mca hitopo_base_eager 0 "$scratch/short"
    expect "short calls of the last of $ranks: their time is no longer than all" python3 - "$report" <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
times = [sum(c["ns"] for e in p["communicators"] for c in e["calls"]) / 1e9 for p in report["processes"]]
print(times, report["seconds"])
sys.exit(max(times) > 1.001 * report["seconds"])
END
done
