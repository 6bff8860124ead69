/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause */
#include "ompi/mca/topo/hitopo/topo_hitopo_lists.h"

#include <stdlib.h>
#include <string.h>

#include "ompi/constants.h"

/* What is told first of both lists. */
typedef struct header_t {
    int degrees[2];
    int has_weights[2];
} header_t;

static bool has_weights(const hitopo_topo_list_t *list)
{
    return MPI_UNWEIGHTED != list->weights;
}

static header_t header_of(const hitopo_topo_lists_t *lists)
{
    return (header_t){{lists->sources.degree, lists->destinations.degree},
                      {has_weights(&lists->sources), has_weights(&lists->destinations)}};
}

/* Ranks, then weights, of each list. */
static size_t num_ints(const header_t *header)
{
    size_t num = 0;

    for (int i = 0; i < 2; ++i) {
        num += (size_t) header->degrees[i] * (header->has_weights[i] ? 2 : 1);
    }
    return num;
}

static int *pack_list(int *to, const hitopo_topo_list_t *list)
{
    const size_t num = (size_t) list->degree;

    if (0 == num) {
        return to;
    }
    memcpy(to, list->ranks, num * sizeof(*to));
    to += num;
    if (has_weights(list)) {
        memcpy(to, list->weights, num * sizeof(*to));
        to += num;
    }
    return to;
}

static hitopo_topo_list_t unpack_list(const int **from, int degree, int is_weighted)
{
    hitopo_topo_list_t list = {degree, *from, MPI_UNWEIGHTED};

    *from += degree;
    if (is_weighted) {
        list.weights = 0 == degree ? MPI_WEIGHTS_EMPTY : *from;
        *from += degree;
    }
    return list;
}

static int rank_with(const int *new_ranks, int new_rank)
{
    int rank = 0;

    while (new_ranks[rank] != new_rank) {
        ++rank;
    }
    return rank;
}

/* One that has no memory sends what the other expects, and drops what comes. */
bool hitopo_topo_move_lists(ompi_communicator_t *comm, const int *new_ranks, const hitopo_topo_lists_t *lists,
                            hitopo_topo_lists_t *moved)
{
    const int own = ompi_comm_rank(comm);
    const hitopo_glue_peer_t to = {rank_with(new_ranks, own), false}, from = {new_ranks[own], false};
    header_t mine = header_of(lists), theirs = {{0, 0}, {0, 0}};
    hitopo_glue_swapped_t swapped = ompi_hitopo_base_swap(comm, to, &mine, sizeof(mine), from, &theirs, sizeof(theirs));
    const size_t num_sent = num_ints(&mine), num_received = num_ints(&theirs);
    int *sent = calloc(num_sent + 1, sizeof(*sent)), *received = malloc((num_received + 1) * sizeof(*received));
    bool is_moved =
        OMPI_SUCCESS == swapped.sent && OMPI_SUCCESS == swapped.received && NULL != sent && NULL != received;

    if (NULL != sent) {
        (void) pack_list(pack_list(sent, &lists->sources), &lists->destinations);
    }
    swapped = ompi_hitopo_base_swap(comm, to, sent, NULL == sent ? 0 : num_sent * sizeof(*sent), from, received,
                                    num_received * sizeof(*received));
    is_moved = is_moved && OMPI_SUCCESS == swapped.sent && OMPI_SUCCESS == swapped.received;
    free(sent);
    const int *next = received;
    if (is_moved) {
        moved->sources = unpack_list(&next, theirs.degrees[0], theirs.has_weights[0]);
        moved->destinations = unpack_list(&next, theirs.degrees[1], theirs.has_weights[1]);
    }
    moved->memory = received;
    return is_moved;
}

void hitopo_topo_free_lists(hitopo_topo_lists_t *lists)
{
    free(lists->memory);
    lists->memory = NULL;
}
