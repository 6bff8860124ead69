/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A reduction along the hierarchy of the hardware: in each socket, then among the sockets of each node, the
 * nodes of each switch, and so on, whatever there is; so each border is crossed once by each part behind it.
 * It uses nothing but MPI and MPIX_Comm_split_hierarchy, and is meant to be copied.
 *
 *     reduce_levels levels|plain COUNT
 *
 * reduces COUNT times by the hierarchy or by MPI_Reduce, compares the last result with MPI_Reduce, and prints
 * the node of each rank: count.sh beside this counts the messages between nodes.
 */
#include <mpi.h>
#include <mpiext_hitopo_c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ompi/mca/hitopo/base/hitopo_base_api.h"
#include "ompi/mca/hitopo/hitopo_level.h"

#define MAX_STEPS 32

/* ---- to copy ---- */

/* Step i splits a parent: the communicator itself for i = 0, else newcomms[i - 1]. */
typedef struct levels_t {
    int num_steps; /* of this process; others may have more or fewer */
    MPI_Comm newcomms[MAX_STEPS];
    MPI_Comm rootscomms[MAX_STEPS];
    /* Joins the processes of parent i that have no child, and the root of its children's roots. An innermost
     * parent has no children: there it joins all. Where all have one, it is the parent's root alone. */
    MPI_Comm rests[MAX_STEPS + 1];
} levels_t;

/* The parent's rank 0 is rank 0 of the result. Collective over parent. */
static void join_rest(MPI_Comm parent, int has_child, MPI_Comm rootscomm, MPI_Comm *rest)
{
    int rank, roots_rank = -1;

    MPI_Comm_rank(parent, &rank);
    if (MPI_COMM_NULL != rootscomm) {
        MPI_Comm_rank(rootscomm, &roots_rank);
    }
    MPI_Comm_split(parent, !has_child || 0 == roots_rank ? 0 : MPI_UNDEFINED, rank, rest);
}

/* Collective over comm. */
static void make_levels(MPI_Comm comm, levels_t *levels)
{
    MPIX_Comm_split_hierarchy(comm, MAX_STEPS, levels->newcomms, levels->rootscomms, NULL, &levels->num_steps);
    if (levels->num_steps > MAX_STEPS) {
        levels->num_steps = MAX_STEPS; /* what is inside of the innermost is then one step */
    }
    for (int i = 0; i <= levels->num_steps; ++i) {
        const int has_child = i < levels->num_steps;
        join_rest(0 == i ? comm : levels->newcomms[i - 1], has_child, has_child ? levels->rootscomms[i] : MPI_COMM_NULL,
                  &levels->rests[i]);
    }
}

static void free_comm(MPI_Comm *comm)
{
    if (MPI_COMM_NULL != *comm) {
        MPI_Comm_free(comm);
    }
}

static void free_levels(levels_t *levels)
{
    for (int i = 0; i <= levels->num_steps; ++i) {
        free_comm(&levels->rests[i]);
    }
    for (int i = 0; i < levels->num_steps; ++i) {
        free_comm(&levels->newcomms[i]);
        free_comm(&levels->rootscomms[i]);
    }
}

/* Adds up within comm, at its rank 0. */
static void reduce_part(void *values, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    int rank;

    if (MPI_COMM_NULL == comm) {
        return;
    }
    MPI_Comm_rank(comm, &rank);
    MPI_Reduce(0 == rank ? MPI_IN_PLACE : values, values, count, datatype, op, 0, comm);
}

/*
 * As MPI_Reduce to rank 0, in place: values is the contribution, and at rank 0 the result; elsewhere it holds a
 * part of it afterwards. op must be commutative, for the order of ranks is not kept. Collective over the
 * communicator of levels.
 */
static void reduce_levels(void *values, int count, MPI_Datatype datatype, MPI_Op op, const levels_t *levels)
{
    for (int i = levels->num_steps; i >= 0; --i) {
        if (i < levels->num_steps) {
            reduce_part(values, count, datatype, op, levels->rootscomms[i]);
        }
        reduce_part(values, count, datatype, op, levels->rests[i]);
    }
}

/* ---- the check ---- */

#define NUM_VALUES 50

static void contribute(int rank, long *values)
{
    for (int i = 0; i < NUM_VALUES; ++i) {
        values[i] = (rank + 1L) * (i + 3L) % 101;
    }
}

static void print_nodes(int size)
{
    int32_t **addrs = ompi_hitopo_get_addrs((struct ompi_communicator_t *) MPI_COMM_WORLD);

    printf("nodes:");
    for (int rank = 0; rank < size && NULL != addrs; ++rank) {
        printf(" %d", addrs[rank][HITOPO_LEVEL_NODE]);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    long values[NUM_VALUES], result[NUM_VALUES], expected[NUM_VALUES];
    levels_t levels;
    int rank, size, is_right = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int is_plain = argc > 1 && 0 == strcmp(argv[1], "plain");
    const int count = argc > 2 ? atoi(argv[2]) : 1;

    make_levels(MPI_COMM_WORLD, &levels);
    contribute(rank, values);
    memcpy(result, values, sizeof(result));
    for (int i = 0; i < count; ++i) {
        if (is_plain) {
            MPI_Reduce(values, result, NUM_VALUES, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
        } else {
            memcpy(result, values, sizeof(result));
            reduce_levels(result, NUM_VALUES, MPI_LONG, MPI_SUM, &levels);
        }
    }
    MPI_Reduce(values, expected, NUM_VALUES, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (0 == rank) {
        is_right = 0 == count || 0 == memcmp(result, expected, sizeof(result));
        print_nodes(size);
        printf(is_right ? "as MPI_Reduce\n" : "not what MPI_Reduce says\n");
    }
    MPI_Bcast(&is_right, 1, MPI_INT, 0, MPI_COMM_WORLD);
    free_levels(&levels);
    MPI_Finalize();
    return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
