/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * mpicc 03-hook-callbacks.c -o hook; mpirun -np 1 valgrind --leak-check=full ./hook
 * Open MPI never frees its list item: "definitely lost .. ompi_hook_base_register_callbacks".
 */
#include <mpi.h>

extern int ompi_hook_base_register_callbacks(void *component);

static char no_callbacks[4096]; /* an ompi_hook_base_component_t of zeros */

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    ompi_hook_base_register_callbacks(no_callbacks);
    return MPI_Finalize();
}
