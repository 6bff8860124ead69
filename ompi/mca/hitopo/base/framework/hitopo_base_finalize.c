/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * When HiTopo ends. MPI_Finalize first deletes the attributes of MPI_COMM_SELF, last set first, and in their
 * delete functions all of MPI may be used (MPI 5.0, 11.2.5): a library ends its work there. HiTopo serves them
 * too: it ends with an attribute of its own, set in MPI_Init before any program could set one.
 */
#include "ompi_config.h"

#include "mpi.h"

#include "ompi/constants.h"

#include "ompi/mca/hitopo/base/framework/hitopo_base_attribute.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"

static bool has_attribute;

static void end(MPI_Comm comm, void *value)
{
    (void) comm;
    (void) value;
    has_attribute = false;
    ompi_hitopo_base_stop();
}

static hitopo_base_attribute_t of_self = {MPI_KEYVAL_INVALID, end, NULL};

void hitopo_glue_end_with_self(void)
{
    if (!has_attribute) {
        has_attribute = OMPI_SUCCESS == ompi_hitopo_base_attribute_set(&of_self, MPI_COMM_SELF, NULL);
        ompi_hitopo_base_attribute_end(&of_self); /* the attribute keeps its keyval */
    }
}

bool hitopo_glue_ends_with_self(void)
{
    return has_attribute;
}
