/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For programs that make grids and graphs: what ends them, neighbours, random graphs.
 */
#ifndef TEST_MPI_TOPO_REORDER_H
#define TEST_MPI_TOPO_REORDER_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                 \
    do {                                                                                                 \
        if (!(condition)) {                                                                              \
            int check_rank;                                                                              \
            MPI_Comm_rank(MPI_COMM_WORLD, &check_rank);                                                  \
            fprintf(stderr, "%s:%d: rank %d: failed: %s\n", __FILE__, __LINE__, check_rank, #condition); \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                                \
        }                                                                                                \
    } while (0)

/* gcc warns of arrays without elements. */
static inline int *unweighted(void)
{
    return MPI_UNWEIGHTED;
}

/* Each neighbour gets what its list says that it should: the sender's rank. */
static inline void check_neighbours(MPI_Comm comm, int indegree, const int *sources, int outdegree)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    int *send = malloc((size_t) (outdegree + 1) * sizeof(*send));
    int *received = malloc((size_t) (indegree + 1) * sizeof(*received));

    for (int i = 0; i < outdegree; ++i) {
        send[i] = rank;
    }
    for (int i = 0; i < indegree; ++i) {
        received[i] = MPI_PROC_NULL;
    }
    MPI_Neighbor_alltoall(send, 1, MPI_INT, received, 1, MPI_INT, comm);
    for (int i = 0; i < indegree; ++i) {
        CHECK(received[i] == sources[i]);
    }
    free(send);
    free(received);
}

/* ---- random graphs ---- */

enum { MAX_DEGREE = 5 };

/* n vertices, the same at all processes: matrix[i * n + j] is the weight of i -> j, 0 for none. */
static inline int *random_graph(int n, unsigned seed, int is_symmetric)
{
    int *matrix = calloc((size_t) n * (size_t) n, sizeof(*matrix));

    srand(seed);
    for (int i = 0; i < n; ++i) {
        for (int k = rand() % MAX_DEGREE; k > 0; --k) {
            const int j = rand() % n, weight = 1 + rand() % 1000;
            matrix[i * n + j] = weight;
            if (is_symmetric) {
                matrix[j * n + i] = weight;
            }
        }
    }
    return matrix;
}

typedef struct list_t {
    int degree, *ranks, *weights;
} list_t;

/* The vertices that one sends to (or receives from), ascending, or in a `backwards` order. */
static inline list_t list_of(const int *matrix, int n, int vertex, int is_out, int backwards)
{
    list_t list = {0, malloc((size_t) n * sizeof(int)), malloc((size_t) n * sizeof(int))};

    for (int k = 0; k < n; ++k) {
        const int other = backwards ? n - 1 - k : k;
        const int weight = is_out ? matrix[vertex * n + other] : matrix[other * n + vertex];
        if (0 != weight) {
            list.ranks[list.degree] = other;
            list.weights[list.degree++] = weight;
        }
    }
    return list;
}

static inline int *weights_of(const list_t *list, int is_weighted)
{
    return !is_weighted ? unweighted() : 0 == list->degree ? MPI_WEIGHTS_EMPTY : list->weights;
}

static inline void free_list(list_t *list)
{
    free(list->ranks);
    free(list->weights);
}

#endif
