/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages in a ring, and a profiler that counts those of registered communicators only.
 *
 *     ring [NAME]    NAME: what the ring's communicator is registered as; without, it is not registered
 */
#include <mpi.h>
#include <mpiext_hitopo_c.h>
#include <stdio.h>

#define NUM_ROUNDS 10

/* ---- the profiler: it stands between the program and MPI ---- */

static int num_counted = 0, num_sent = 0;

int MPI_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    ++num_sent;
    if (Comm_is_registered(comm)) {
        ++num_counted;
    }
    return PMPI_Ssend(buf, count, datatype, dest, tag, comm);
}

/* ---- the program ---- */

/* Rank 0 sends first; everybody else passes on. */
static void go_round(MPI_Comm comm)
{
    int rank, size, token = 0;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (0 == rank) {
        MPI_Ssend(&token, 1, MPI_INT, 1, 0, comm);
    }
    MPI_Recv(&token, 1, MPI_INT, (rank + size - 1) % size, 0, comm, MPI_STATUS_IGNORE);
    if (0 != rank) {
        MPI_Ssend(&token, 1, MPI_INT, (rank + 1) % size, 0, comm);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm ring;
    int rank, size, mine[2], all[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 2) {
        fprintf(stderr, "ring: needs 2 processes or more: mpirun -np 4 ./ring\n");
        MPI_Finalize();
        return 1;
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &ring);
    if (argc > 1) {
        Comm_register(ring, argv[1]);
    }
    for (int i = 0; i < NUM_ROUNDS; ++i) {
        go_round(ring);
    }
    Comm_unregister(ring); /* what follows is not of interest */
    go_round(ring);
    go_round(MPI_COMM_WORLD); /* never registered */

    mine[0] = num_counted;
    mine[1] = num_sent;
    MPI_Reduce(mine, all, 2, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (0 == rank) {
        printf("registered communicators: %d of %d messages\n", all[0], all[1]);
    }
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
