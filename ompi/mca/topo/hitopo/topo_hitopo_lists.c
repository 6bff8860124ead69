/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause */
#include "ompi/mca/topo/hitopo/topo_hitopo_glue.h"

#include <stdlib.h>
#include <string.h>

#include "ompi/constants.h"

/* The header of both lists, which is sent first. */
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

static int swap(ompi_communicator_t *comm, const int *new_ranks, const void *sent, size_t num_sent, void *received,
                size_t capacity)
{
    const int own = ompi_comm_rank(comm);
    const hitopo_glue_peer_t to = {rank_with(new_ranks, own), false}, from = {new_ranks[own], false};
    size_t num_received;

    return ompi_hitopo_base_swap(comm, to, sent, num_sent, from, received, capacity, &num_received);
}

int hitopo_topo_move_lists(ompi_communicator_t *comm, const char *function, const int *new_ranks,
                           const hitopo_topo_lists_t *lists, hitopo_topo_lists_t *moved)
{
    header_t mine = header_of(lists), theirs = {{0, 0}, {0, 0}};
    int rc = swap(comm, new_ranks, &mine, sizeof(mine), &theirs, sizeof(theirs));

    if (OMPI_SUCCESS != rc) {
        return rc;
    }
    const size_t num_sent = num_ints(&mine), num_received = num_ints(&theirs);
    int *sent = hitopo_topo_need(comm, function, (int64_t) num_sent, sizeof(*sent));
    const int *next = moved->memory = hitopo_topo_need(comm, function, (int64_t) num_received, sizeof(*next));
    (void) pack_list(pack_list(sent, &lists->sources), &lists->destinations);
    rc = swap(comm, new_ranks, sent, num_sent * sizeof(*sent), moved->memory, num_received * sizeof(*next));
    free(sent);
    moved->sources = unpack_list(&next, theirs.degrees[0], theirs.has_weights[0]);
    moved->destinations = unpack_list(&next, theirs.degrees[1], theirs.has_weights[1]);
    return rc;
}

void hitopo_topo_free_lists(hitopo_topo_lists_t *lists)
{
    free(lists->memory);
    lists->memory = NULL;
}
