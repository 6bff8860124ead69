/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What a communicator's collectives keep goes with it: 10 000 are made, used and freed, and the resident memory of the
 * second half is flat.
 */
#include "test/mpi/checks.h"
#include "test/mpi/table/resident.h"

/* With shared memory, from the eighth call on. */
static void use(MPI_Comm comm, int i)
{
    for (int call = 0; call < 9; ++call) {
        int sum = i + call;
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm);
        CHECK(sum == (i + call) * size_of(comm));
    }
}

static void make_and_free(int i)
{
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    use(comm, i);
    MPI_Comm_free(&comm);
}

/* More at once than a process shares memory for. */
static void make_many(void)
{
    enum { MANY = 70 };
    MPI_Comm comms[MANY];

    for (int i = 0; i < MANY; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        use(comms[i], i);
    }
    for (int i = 0; i < MANY; ++i) {
        use(comms[i], i);
        MPI_Comm_free(&comms[i]);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    make_many();
    (void) make_and_free_many(make_and_free);
    return finish();
}
