/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Attributes of a communicator, with a function to call when it is freed.
 */
#ifndef OMPI_MCA_HITOPO_BASE_FRAMEWORK_HITOPO_BASE_ATTRIBUTE_H
#define OMPI_MCA_HITOPO_BASE_FRAMEWORK_HITOPO_BASE_ATTRIBUTE_H

#ifdef __cplusplus
extern "C" {
#endif

struct ompi_communicator_t;

typedef struct hitopo_base_attribute_t {
    int keyval; /* begins as HITOPO_BASE_NO_KEYVAL */
    /* The communicator is freed, or the attribute is deleted or set anew. */
    void (*forget)(struct ompi_communicator_t *comm, void *value);
    /* A duplicate's value, or NULL: it gets none. NULL: no duplicate gets any. */
    void *(*copy)(const void *value);
} hitopo_base_attribute_t;
#define HITOPO_BASE_NO_KEYVAL (-1) /* Open MPI's MPI_KEYVAL_INVALID */

/* Both local and thread safe. OMPI_SUCCESS or OMPI_ERR_OUT_OF_RESOURCE; the value, or NULL. */
int ompi_hitopo_base_attribute_set(hitopo_base_attribute_t *attribute, struct ompi_communicator_t *comm, void *value);
void *ompi_hitopo_base_attribute_get(hitopo_base_attribute_t *attribute, struct ompi_communicator_t *comm);

/* Deletes the attribute where comm has it. Local. */
void ompi_hitopo_base_attribute_delete(hitopo_base_attribute_t *attribute, struct ompi_communicator_t *comm);

/* No communicator gets it any more until it is set again; those that have it keep it. Local. */
void ompi_hitopo_base_attribute_end(hitopo_base_attribute_t *attribute);

#ifdef __cplusplus
}
#endif

#endif
