/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What a communicator's collectives keep goes with it: 10 000 are made, used and freed, and the resident memory of the
 * second half is flat.
 */
#include "test/mpi/checks.h"
#include "test/mpi/table/resident.h"

static void make_and_free(int i)
{
    MPI_Comm comm;
    int sum = i;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm);
    CHECK(sum == i * size_of(comm));
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    (void) make_and_free_many(make_and_free);
    return finish();
}
