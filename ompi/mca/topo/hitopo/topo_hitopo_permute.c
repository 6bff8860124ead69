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

static bool is_identity(const int *new_ranks, int num)
{
    int rank = 0;

    while (rank < num && rank == new_ranks[rank]) {
        ++rank;
    }
    return rank == num;
}

bool hitopo_topo_are_all(ompi_communicator_t *comm, bool is_ready)
{
    int mine = is_ready ? 1 : 0, least = 0;

    return OMPI_SUCCESS
               == comm->c_coll->coll_allreduce(&mine, &least, 1, MPI_INT, MPI_MIN, comm,
                                               comm->c_coll->coll_allreduce_module) /* collective */
           && 0 != least;
}

bool hitopo_topo_is_agreed(ompi_communicator_t *comm, const int *new_ranks, int num)
{
    const int64_t mine = NULL == new_ranks ? 0 : hitopo_topo_digest(new_ranks, num);
    int64_t send[3] = {mine, -mine, NULL == new_ranks ? 1 : 0}, greatest[3] = {0, 0, 1};

    return OMPI_SUCCESS
               == comm->c_coll->coll_allreduce(send, greatest, 3, MPI_INT64_T, MPI_MAX, comm,
                                               comm->c_coll->coll_allreduce_module) /* collective */
           && 0 == greatest[2] && greatest[0] == -greatest[1] && !is_identity(new_ranks, num);
}

int *hitopo_topo_agreed_order(ompi_communicator_t *comm, int num, hitopo_topo_find_fn_t find, const void *arguments,
                              const char *function)
{
    hitopo_base_order_t gain = {.function = function};
    int *new_ranks = find(comm, arguments, num, &gain);
    const bool is_on = HITOPO_TOPO_REORDER_ON == hitopo_topo_reorder();

    if (!is_on || !hitopo_topo_is_agreed(comm, new_ranks, num)) { /* collective */
        free(new_ranks);
        new_ranks = NULL;
    }
    gain.is_applied = NULL != new_ranks;
    hitopo_topo_tell(comm, &gain);
    return new_ranks;
}

/* At place i the rank that becomes rank i. */
static int *ranks_in_order(const int *new_ranks, int num)
{
    int *ranks = malloc((size_t) num * sizeof(*ranks));

    for (int rank = 0; NULL != ranks && rank < num; ++rank) {
        ranks[new_ranks[rank]] = rank;
    }
    return ranks;
}

static int permute(ompi_communicator_t *comm, const int *new_ranks, int num, ompi_communicator_t **permuted)
{
    ompi_group_t *group = NULL;
    int *ranks = ranks_in_order(new_ranks, num);
    int rc = NULL == ranks ? OMPI_ERR_OUT_OF_RESOURCE : ompi_group_incl(comm->c_local_group, num, ranks, &group);

    free(ranks);
    if (OMPI_SUCCESS == rc) {
        rc = ompi_comm_create(comm, group, permuted); /* collective */
        (void) ompi_group_free(&group);
    }
    return rc;
}

int hitopo_topo_create(mca_topo_base_module_t *module, ompi_communicator_t *comm, int *new_ranks, int num,
                       hitopo_topo_create_fn_t create, void *arguments, ompi_communicator_t **newcomm)
{
    ompi_communicator_t *permuted = MPI_COMM_NULL;

    if (NULL == new_ranks) {
        return create(arguments, module, comm, newcomm); /* collective */
    }
    int rc = permute(comm, new_ranks, num, &permuted); /* collective */
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
