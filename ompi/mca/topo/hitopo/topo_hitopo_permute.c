/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A communicator's processes under other ranks.
 */
#include "ompi/mca/topo/hitopo/topo_hitopo_glue.h"

#include <stdlib.h>

#include "ompi/constants.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/group/group.h"
#include "ompi/mca/coll/coll.h"

bool hitopo_topo_is_identity(const int *new_ranks, int num)
{
    int rank = 0;

    while (rank < num && rank == new_ranks[rank]) {
        ++rank;
    }
    return rank == num;
}

void *hitopo_topo_need(ompi_communicator_t *comm, const char *function, int64_t num, size_t size)
{
    void *memory = malloc(((size_t) num + 1) * size);

    if (NULL == memory) {
        ompi_hitopo_base_end_job(comm, function, OMPI_ERR_OUT_OF_RESOURCE);
    }
    return memory;
}

/* new_ranks: NULL where this process could find none; freed, and NULL, where ranks stay: not all have the same, or that
 * is the identity. Collective over comm. */
static int agree(ompi_communicator_t *comm, int num, int **new_ranks)
{
    const int64_t mine = NULL == *new_ranks ? 0 : hitopo_topo_digest(*new_ranks, num);
    int64_t send[3] = {mine, -mine, NULL == *new_ranks ? 1 : 0}, greatest[3] = {0, 0, 1};
    int rc = comm->c_coll->coll_allreduce(send, greatest, 3, MPI_INT64_T, MPI_MAX, comm,
                                          comm->c_coll->coll_allreduce_module); /* collective */

    if (OMPI_SUCCESS != rc || 0 != greatest[2] || greatest[0] != -greatest[1]
        || hitopo_topo_is_identity(*new_ranks, num)) {
        free(*new_ranks);
        *new_ranks = NULL;
    }
    return rc;
}

/* At place i the rank that becomes rank i. */
static int permute(ompi_communicator_t *comm, const char *function, const int *new_ranks, int num,
                   ompi_communicator_t **permuted)
{
    ompi_group_t *group = NULL;
    int *ranks = hitopo_topo_need(comm, function, num, sizeof(*ranks));

    for (int rank = 0; rank < num; ++rank) {
        ranks[new_ranks[rank]] = rank;
    }
    int rc = ompi_group_incl(comm->c_local_group, num, ranks, &group);
    free(ranks);
    if (OMPI_SUCCESS != rc) {
        ompi_hitopo_base_end_job(comm, function, rc);
    }
    rc = ompi_comm_create(comm, group, permuted); /* collective */
    (void) ompi_group_free(&group);
    return rc;
}

int hitopo_topo_create(mca_topo_base_module_t *module, ompi_communicator_t *comm, const char *function, int *new_ranks,
                       int num, hitopo_topo_create_fn_t create, void *arguments, ompi_communicator_t **newcomm)
{
    ompi_communicator_t *permuted = MPI_COMM_NULL;

    if (NULL == new_ranks) {
        return create(arguments, module, comm, newcomm); /* collective */
    }
    int rc = permute(comm, function, new_ranks, num, &permuted); /* collective */
    free(new_ranks);
    if (OMPI_SUCCESS != rc) {
        return rc;
    }
    if (MPI_COMM_NULL == permuted) { /* not among them */
        OBJ_RELEASE(module);
        *newcomm = MPI_COMM_NULL;
        return OMPI_SUCCESS;
    }
    rc = create(arguments, module, permuted, newcomm); /* collective */
    (void) ompi_comm_free(&permuted);
    return rc;
}

int hitopo_topo_create_in_order(mca_topo_base_module_t *module, ompi_communicator_t *comm, const char *function,
                                int num, hitopo_topo_find_fn_t find, hitopo_topo_create_fn_t create, void *arguments,
                                ompi_communicator_t **newcomm)
{
    int *new_ranks = NULL;

    if (0 < num && hitopo_topo_is_asked(comm)) {
        hitopo_base_order_t gain = {.function = function};
        int rc = OMPI_SUCCESS;
        new_ranks = find(comm, arguments, num, &gain);
        if (HITOPO_TOPO_REORDER_ON == hitopo_topo_reorder()) {
            rc = agree(comm, num, &new_ranks); /* collective */
        } else {
            free(new_ranks);
            new_ranks = NULL;
        }
        if (OMPI_SUCCESS != rc) {
            return rc;
        }
        gain.is_applied = NULL != new_ranks;
        hitopo_topo_tell(comm, &gain);
    }
    return hitopo_topo_create(module, comm, function, new_ranks, num, create, arguments, newcomm); /* collective */
}
