/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Random graphs of `size` vertices, the same at all processes: matrix[i * size + j] is the weight of i -> j, 0 for
 * none.
 */
#ifndef TEST_MPI_TOPO_RANDOM_GRAPH_H
#define TEST_MPI_TOPO_RANDOM_GRAPH_H

#include <stdlib.h>

enum { MAX_DEGREE = 5 };

static int *random_graph(int n, unsigned seed, int is_symmetric)
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
static list_t list_of(const int *matrix, int n, int vertex, int is_out, int backwards)
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

static void free_list(list_t *list)
{
    free(list->ranks);
    free(list->weights);
}

#endif
