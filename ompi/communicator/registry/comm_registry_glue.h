/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The wall between the registry's C++ and Open MPI's internals, as base/framework/hitopo_base_glue.h is for the
 * framework: hitopo_glue_* are written in C, hitopo_registry_* in C++. They return OMPI_SUCCESS or an
 * OMPI_ERR_* code unless they say otherwise.
 */
#ifndef OMPI_COMM_REGISTRY_GLUE_H
#define OMPI_COMM_REGISTRY_GLUE_H

#include <stdbool.h>
#include <stddef.h>

#include "ompi/mca/hitopo/support/noexcept.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ompi_communicator_t;

/* Has hitopo_registry_forget called when comm is freed, not when a duplicate of it is. */
int hitopo_glue_watch_registered(struct ompi_communicator_t *comm, void *registration);
/* The registration that a live comm is watched with, or NULL. */
void *hitopo_glue_watched_registration(struct ompi_communicator_t *comm);
/* Calls hitopo_registry_forget now. comm is live. */
void hitopo_glue_unwatch_registered(struct ompi_communicator_t *comm);
/* No communicator is watched any more; watching one begins anew. */
void hitopo_glue_stop_watching_registered(void);

/* The name of a live comm, cut to `capacity`. */
void hitopo_glue_copy_comm_name(struct ompi_communicator_t *comm, char *name, size_t capacity);

/* comm, watched with that registration, is being freed. */
void hitopo_registry_forget(struct ompi_communicator_t *comm, const void *registration) HITOPO_NOEXCEPT;

/* In MPI_Finalize, and at the end of the last MPI session: all registrations end; idempotent. */
void hitopo_registry_stop(void) HITOPO_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
