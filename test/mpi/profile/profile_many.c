/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile_registry.sh: as many communicators as it is told, of one name. Rank 0 registers the first two alone,
 * the others all; on each there is one call.
 *
 *     profile_many FOLDER COUNT
 */
#include "test/mpi/profile/profile_trace.h"

int main(int argc, char **argv)
{
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    trace_begin(argc, argv);
    for (int i = 0; i < (2 < argc ? atoi(argv[2]) : 0); ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        if (NULL != MPIX_Comm_register && (0 < rank || 2 > i)) {
            MPIX_Comm_register(comm, "many");
        }
        MPI_Barrier(comm);
        MPI_Comm_free(&comm);
    }
    return trace_end();
}
