/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * An MPI_Barrier that receives from any source, where the program promised that it does not:
 *
 *     mpicc 65-no-any-source.c && mpirun -np 4 --oversubscribe ./a.out
 *
 * Wanted: it ends. Open MPI 4.1.4 and 5.0.7: it hangs with 4 processes; with 2, 3 and 8 another algorithm is used.
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Info info;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_assert_no_any_source", "true");
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    MPI_Info_free(&info);
    return MPI_Finalize();
}
