/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Equal calls give equal bits: each as often as short ones begin to pass through shared memory and beyond, and on
 * duplicates, some of which have no such memory. Nothing is known of the bits but that the order of operands shows in
 * them.
 */
#include <mpi.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

#include "test/mpi/checks.h"

enum { MOST = 300, NUM_CALLS = 10, NUM_DUPLICATES = 3 };
static const int counts[] = {1, 7, 256, MOST}; /* 256 doubles are the longest short message */
enum { NUM_COUNTS = sizeof(counts) / sizeof(*counts) };
static int rank, size;
static double mine[MOST];

/* Said to commute, but the order of operands shows. */
static void mix(void *in, void *inout, int *num, MPI_Datatype *type)
{
    (void) type;
    for (int i = 0; i < *num; ++i) {
        ((double *) inout)[i] = ((double *) in)[i] * 0.75 - ((double *) inout)[i] * 1.25;
    }
}

/* Values have 20 decimal exponents; every seventh is a zero of either sign. */
static void draw(void)
{
    uint64_t state = 88172645463325252u + (uint64_t) rank * 7919;

    for (int i = 0; i < MOST; ++i) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        double value = (double) (state >> 11) - 4503599627370496.0;
        for (unsigned power = state % 20; power > 0; --power) {
            value /= 10;
        }
        mine[i] = i % 7 != 6 ? value : state % 2 ? -0.0 : 0.0;
    }
}

typedef struct result_t {
    double of[MOST];
} result_t;

/* root: of a reduce, or -1. */
static result_t result_of(MPI_Comm comm, int count, int root, MPI_Op op, int is_in_place)
{
    result_t result;

    memset(&result, 0, sizeof(result));
    if (is_in_place) {
        memcpy(result.of, mine, (size_t) count * sizeof(*mine));
    }
    const void *send = is_in_place && (root < 0 || root == rank) ? MPI_IN_PLACE : mine;
    if (root < 0) {
        MPI_Allreduce(send, result.of, count, MPI_DOUBLE, op, comm);
    } else {
        MPI_Reduce(send, result.of, count, MPI_DOUBLE, op, root, comm);
    }
    return result;
}

static int is_equal(const result_t *a, const result_t *b)
{
    return 0 == memcmp(a, b, sizeof(*a));
}

static void check_bits(const MPI_Comm *comms, int count, int root, MPI_Op op, int is_in_place)
{
    const result_t first = result_of(comms[0], count, root, op, is_in_place);

    for (int i = 0; i < NUM_DUPLICATES * NUM_CALLS; ++i) {
        const result_t other = result_of(comms[i % NUM_DUPLICATES], count, root, op, is_in_place);
        if (!is_equal(&first, &other)) {
            fprintf(stderr, "rank %d, call %d on communicator %d, %d doubles, root %d%s: other bits\n", rank,
                    i / NUM_DUPLICATES, i % NUM_DUPLICATES, count, root, is_in_place ? ", in place" : "");
        }
        CHECK(is_equal(&first, &other));
    }
    if (root < 0) {
        result_t root_has = first;
        MPI_Bcast(&root_has, sizeof(root_has), MPI_BYTE, 0, MPI_COMM_WORLD);
        CHECK(is_equal(&first, &root_has));
    }
}

int main(int argc, char **argv)
{
    MPI_Comm comms[NUM_DUPLICATES];
    MPI_Op op;

    MPI_Init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    draw();
    MPI_Op_create(mix, 1, &op);
    for (int i = 0; i < NUM_DUPLICATES; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        if (1 == i) { /* from now on no file can be made */
            for (int call = 0; call < NUM_CALLS; ++call) {
                MPI_Barrier(comms[0]);
                MPI_Barrier(comms[1]);
            }
            setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
        }
    }
    const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_MIN, op};
    for (int i = 0; i < 4 * NUM_COUNTS * 2; ++i) {
        const int count = counts[i / 2 % NUM_COUNTS], is_in_place = i % 2;
        const MPI_Op its_op = ops[i / 2 / NUM_COUNTS];
        check_bits(comms, count, -1, its_op, is_in_place);
        check_bits(comms, count, i * 5 % size, its_op, is_in_place);
    }
    for (int i = 0; i < NUM_DUPLICATES; ++i) {
        MPI_Comm_free(&comms[i]);
    }
    MPI_Op_free(&op);
    return finish();
}
