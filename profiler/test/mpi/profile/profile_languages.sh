#!/bin/bash
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Nothing is counted twice, or not at all: Fortran by its three interfaces, Python, files by each io component.
. "$(dirname "$0")/../../../../test/mpi/common.sh"
. "$here/profile_common.sh"

# tested NAME FLAG...: compiles and runs profile_fortran.F90.
tested() {
    capture mpifort -cpp -O1 -g "${@:2}" "$here/profile_fortran.F90" -o "$scratch/$1"
    expect "$1 compiles" succeeded
    profiled -np 3 --mca hitopo_base_eager 0 "${windows[@]}" "$scratch/$1" "$scratch" # which writes the recorder's lines
    judged "$1"
}
if command -v mpifort >/dev/null; then
    tested mpif.h -std=legacy
    tested use-mpi -DWITH_MPI
    tested use-mpi_f08 -DWITH_F08
    tested two-underscores -DWITHOUT_ADDRESSES -std=legacy -fsecond-underscore
else
    echo "ok - Fortran under the profiler # SKIP no mpifort"
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
expect "what it calls is counted" is_true 'calls("MPI_Barrier") == [3, 3]'

# mpi4py.
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
if has_mpi4py; then
    traced -np 3 --mca hitopo_base_eager 0 "$python" "$scratch/program.py"
    judged mpi4py
else
    echo "ok - Python under the profiler # SKIP no mpi4py of Open MPI $ompi_version"
fi

# What an io component sends is its own.
components=$(ompi_info --parsable | sed -nE 's/^mca:io:(ompio|romio[0-9]+):.*/\1/p' | sort -u)
[[ $components = *romio* ]] || echo "ok - files by ROMIO # SKIP this Open MPI has none"
for component in $components; do
    traced -np 4 --mca hitopo_base_eager 0 --mca io $component "$HITOPO_TEST_PROGRAMS/profile_files" "$scratch"
    judged "files by $component"
done
