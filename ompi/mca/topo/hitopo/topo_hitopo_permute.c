/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A communicator's processes under other ranks: an order that each finds, on which they agree.
 */
#include "ompi/mca/topo/hitopo/topo_hitopo_glue.h"

#include <stdlib.h>

#include "opal/util/output.h"

#include "ompi/constants.h"
#include "ompi/datatype/ompi_datatype.h"
#include "ompi/group/group.h"
#include "ompi/mca/coll/coll.h"

bool hitopo_topo_is_asked(ompi_communicator_t *comm)
{
    const hitopo_topo_reorder_t mode = hitopo_topo_reorder();

    return HITOPO_TOPO_REORDER_ON == mode || (HITOPO_TOPO_REORDER_REPORT == mode && 0 == ompi_comm_rank(comm));
}

int *hitopo_topo_find_order(ompi_communicator_t *comm, int num, const hitopo_topo_shape_t *shape,
                            hitopo_base_order_t *gain)
{
    hitopo_base_positions_t *positions = ompi_hitopo_base_positions_of(comm);
    int *new_ranks = NULL == positions ? NULL : malloc((size_t) num * sizeof(*new_ranks));

    if (NULL != new_ranks
        && OMPI_SUCCESS != hitopo_topo_order(positions, hitopo_topo_capacity(), shape, num, new_ranks, gain)) {
        free(new_ranks);
        new_ranks = NULL;
    }
    ompi_hitopo_base_drop_positions(positions);
    return new_ranks;
}

bool hitopo_topo_map(ompi_communicator_t *comm, int num, const hitopo_topo_shape_t *shape, int *new_rank)
{
    const int rank = ompi_comm_rank(comm);
    const bool is_on = rank < num && HITOPO_TOPO_REORDER_ON == hitopo_topo_reorder();
    int *new_ranks = is_on ? hitopo_topo_find_order(comm, num, shape, NULL) : NULL;

    if (NULL == new_ranks) {
        return false;
    }
    *new_rank = new_ranks[rank];
    free(new_ranks);
    return true;
}

void hitopo_topo_show_gain(ompi_communicator_t *comm, const hitopo_base_order_t *gain)
{
    if (0 == gain->size || 0 != ompi_comm_rank(comm)) {
        return;
    }
    ompi_hitopo_base_ordered(gain);
    char *text = hitopo_topo_is_verbose() ? hitopo_topo_gain_text(gain) : NULL;
    if (NULL != text) {
        opal_output(0, "topo:hitopo: %s of %d processes: pairs of neighbours (or weights) across each level, by %s%s",
                    gain->function, gain->size, text,
                    HITOPO_TOPO_REORDER_ON == hitopo_topo_reorder() ? "" : " (topo_hitopo_reorder is not on)");
    }
    free(text);
}

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

/* new_ranks: NULL where this process could find none; freed, and NULL, where ranks stay: processes differ, or it is the
 * identity. Collective over comm. */
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

/* In the order of new ranks: member i is the rank that becomes rank i. */
int hitopo_topo_permute(ompi_communicator_t *comm, const char *function, int *new_ranks, int num,
                        ompi_communicator_t **members)
{
    ompi_group_t *group = NULL;

    *members = comm;
    if (NULL == new_ranks) {
        return OMPI_SUCCESS;
    }
    int *ranks = hitopo_topo_need(comm, function, num, sizeof(*ranks));
    for (int rank = 0; rank < num; ++rank) {
        ranks[new_ranks[rank]] = rank;
    }
    free(new_ranks);
    int rc = ompi_group_incl(comm->c_local_group, num, ranks, &group);
    free(ranks);
    if (OMPI_SUCCESS != rc) {
        ompi_hitopo_base_end_job(comm, function, rc);
    }
    rc = ompi_comm_create(comm, group, members); /* collective */
    (void) ompi_group_free(&group);
    if (OMPI_SUCCESS != rc) {
        *members = comm;
    }
    return rc;
}

int hitopo_topo_reorder_members(ompi_communicator_t *comm, const char *function, int num,
                                const hitopo_topo_shape_t *shape, ompi_communicator_t **members)
{
    int *new_ranks = NULL;

    if (0 < num && hitopo_topo_is_asked(comm)) {
        hitopo_base_order_t gain = {.function = function};
        int rc = OMPI_SUCCESS;
        new_ranks = hitopo_topo_find_order(comm, num, shape, &gain);
        if (HITOPO_TOPO_REORDER_ON == hitopo_topo_reorder()) {
            rc = agree(comm, num, &new_ranks); /* collective */
        } else {
            free(new_ranks);
            new_ranks = NULL;
        }
        if (OMPI_SUCCESS != rc) {
            *members = comm;
            return rc;
        }
        gain.is_applied = NULL != new_ranks;
        hitopo_topo_show_gain(comm, &gain);
    }
    return hitopo_topo_permute(comm, function, new_ranks, num, members); /* collective */
}

int hitopo_topo_end(mca_topo_base_module_t *module, ompi_communicator_t *comm, ompi_communicator_t *members, int rc,
                    ompi_communicator_t **newcomm)
{
    if (MPI_COMM_NULL == members) {
        OBJ_RELEASE(module);
        *newcomm = MPI_COMM_NULL;
    } else if (comm != members) {
        (void) ompi_comm_free(&members);
    }
    return rc;
}
