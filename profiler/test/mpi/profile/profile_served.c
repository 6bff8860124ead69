/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 *     profile_served WHAT ROUNDS BYTES
 *
 * Collectives of MPI_COMM_WORLD, each ROUNDS times: `bcast` from rank 0, `ibcast`, another one by its name, `all` that
 * coll/hitopo serves but alltoall and its relatives, or `others`: some that it hands on, of which parts may come back
 * to it, and some of other communicators. BYTES are a message's, a multiple of 8 for each rank.
 */
#include <stdlib.h>

#include "test/mpi/coll/calls.h"

static int rank, size, count, *counts, *displacements;
static long *in, *out;

/* root: of a reduce the last rank, which takes part in most. */
static void call(int collective, form_t form, MPI_Op op, int root, MPI_Comm comm)
{
    const int num = collective < ALLGATHER ? count : count / size;
    const arguments_t with = {.send = in,
                              .receive = BCAST == collective ? in : out,
                              .send_count = ALLGATHERV == collective ? counts[rank] : num,
                              .receive_count = num,
                              .root = root,
                              .send_type = MPI_LONG,
                              .receive_type = MPI_LONG,
                              .op = op,
                              .counts = counts,
                              .begins = displacements};
    MPI_Request request = MPI_REQUEST_NULL;

    perform(collective, form, &with, comm, &request);
    if (BLOCKING != form) {
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void call_in_world(int collective, form_t form)
{
    call(collective, form, MPI_SUM, REDUCE == collective ? size - 1 : 0, MPI_COMM_WORLD);
}

static void take_second(void *first, void *second, int *length, MPI_Datatype *type)
{
    (void) first;
    (void) second;
    (void) length;
    (void) type;
}

static void call_others(void)
{
    MPI_Comm copy, half;
    MPI_Op second;

    MPI_Op_create(take_second, 0, &second);
    call(ALLREDUCE, BLOCKING, second, 0, MPI_COMM_WORLD);
    call(REDUCE, BLOCKING, second, 0, MPI_COMM_WORLD);
    MPI_Op_free(&second);
    MPI_Gather(in, 1, MPI_LONG, out, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    call(BCAST, BLOCKING, MPI_SUM, 0, copy);
    MPI_Comm_free(&copy);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    call(ALLREDUCE, BLOCKING, MPI_SUM, 0, half);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    const char *what = 3 < argc ? argv[1] : "all";
    const int rounds = 3 < argc ? atoi(argv[2]) : 1;
    const size_t bytes = 3 < argc ? (size_t) atol(argv[3]) : 4096;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    in = calloc(bytes, 2);
    out = calloc(bytes, 2);
    counts = calloc((size_t) size, sizeof(*counts));
    displacements = calloc((size_t) size, sizeof(*displacements));
    count = (int) (bytes / sizeof(*in));
    for (int i = 0; i < size; ++i) { /* unequal blocks */
        counts[i] = count / size - (0 == i) + (size - 1 == i);
        displacements[i] = 0 == i ? 0 : displacements[i - 1] + counts[i - 1];
    }
    for (int round = 0; round < rounds; ++round) {
        if (0 == strcmp(what, "others")) {
            call_others();
        } else if (0 == strcmp(what, "all")) {
            for (int collective = 0; collective < ALLTOALL; ++collective) {
                call_in_world(collective, BLOCKING);
            }
        } else if (0 == strcmp(what, "ibcast")) {
            call_in_world(BCAST, NONBLOCKING);
        } else {
            call_in_world(collective_of(what), BLOCKING);
        }
    }
    free(in);
    free(out);
    free(counts);
    free(displacements);
    MPI_Finalize();
    return 0;
}
