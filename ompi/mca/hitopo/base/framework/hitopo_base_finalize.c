/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * When HiTopo ends. MPI_Finalize first deletes the attributes of MPI_COMM_SELF, last set first, and in their
 * delete functions all of MPI may be used (MPI 5.0, 11.2.5): a library ends its work there. HiTopo serves them
 * too: it ends with an attribute of its own, set in MPI_Init before any program could set one.
 */
#include "ompi_config.h"

#include "mpi.h"

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"

static bool has_attribute;

static int end(MPI_Comm comm, int key, void *value, void *extra)
{
    (void) comm;
    (void) key;
    (void) value;
    (void) extra;
    has_attribute = false;
    hitopo_base_stop();
    return MPI_SUCCESS;
}

void hitopo_glue_end_with_self(void)
{
    int keyval = MPI_KEYVAL_INVALID;

    if (has_attribute || MPI_SUCCESS != PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end, &keyval, NULL)) {
        return;
    }
    has_attribute = MPI_SUCCESS == PMPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
    (void) PMPI_Comm_free_keyval(&keyval); /* the attribute keeps it */
}

bool hitopo_glue_ends_with_self(void)
{
    return has_attribute;
}
