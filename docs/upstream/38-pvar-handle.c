/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * mpicc 38-pvar-handle.c -o handle; for i in $(seq 10); do mpirun -np 1 ./handle; done, with 6.0.0rc2
 * Prints 0 (MPI_SUCCESS) in few runs; the error in the others is MPI_T_ERR_INVALID_HANDLE.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle handle;
    int provided, number, count;

    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_pvar_session_create(&session);
    MPI_T_pvar_get_index("pml_ob1_unexpected_msgq_length", MPI_T_PVAR_CLASS_LEVEL, &number);
    printf("%d\n", MPI_T_pvar_handle_alloc(session, number, &world, &handle, &count));
    MPI_T_pvar_session_free(&session);
    MPI_T_finalize();
    return MPI_Finalize();
}
