/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What is attached to a communicator, and learns when it is freed.
 */
#ifndef OMPI_MCA_HITOPO_BASE_FRAMEWORK_HITOPO_BASE_ATTRIBUTE_H
#define OMPI_MCA_HITOPO_BASE_FRAMEWORK_HITOPO_BASE_ATTRIBUTE_H

#include "mpi.h"

typedef struct hitopo_base_attribute_t {
    int keyval; /* begins as MPI_KEYVAL_INVALID */
    /* The communicator is freed, or the attribute is deleted or set anew. */
    void (*forget)(MPI_Comm comm, void *value);
    /* A duplicate's value, or NULL: it gets none. NULL: no duplicate gets any. */
    void *(*copy)(const void *value);
} hitopo_base_attribute_t;

/* Both local and thread safe. OMPI_SUCCESS or OMPI_ERR_OUT_OF_RESOURCE; the value, or NULL. */
int ompi_hitopo_base_attribute_set(hitopo_base_attribute_t *attribute, MPI_Comm comm, void *value);
void *ompi_hitopo_base_attribute_get(hitopo_base_attribute_t *attribute, MPI_Comm comm);

/* Local. Where comm has it. */
void ompi_hitopo_base_attribute_delete(hitopo_base_attribute_t *attribute, MPI_Comm comm);

/* No communicator gets it any more until it is set again; those that have it keep it. Local. */
void ompi_hitopo_base_attribute_end(hitopo_base_attribute_t *attribute);

#endif
