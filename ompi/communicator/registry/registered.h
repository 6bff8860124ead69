/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Registered communicators: those that a program names for its profile. The functions of the extension
 * (ompi/mpiext/hitopo/c, MPIX_Comm_register) call these. The profiler (profiler), which keeps the names, stands before
 * the extension's functions.
 *
 * A registration is an attribute that duplicates do not inherit, so it means the communicator itself (MPI_IDENT), and
 * lives as long. All is local and never communicates; all is thread safe.
 */
#ifndef OMPI_COMM_REGISTERED_H
#define OMPI_COMM_REGISTERED_H

#include "ompi/mca/hitopo/support/noexcept.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ompi_communicator_t;

#pragma GCC visibility push(default) /* for layers above */

/*
 * Contracts: MPIX_Comm_register(3). Unlike other MPI functions they call no error handler, which would end
 * most programs: a NULL or freed comm is MPI_ERR_COMM, or 0 from is_registered; outside of MPI_Init and MPI_Finalize
 * MPI_ERR_OTHER; to unregister another communicator MPI_ERR_ARG.
 */
int ompi_hitopo_comm_register(struct ompi_communicator_t *comm);
int ompi_hitopo_comm_unregister(struct ompi_communicator_t *comm);
int ompi_hitopo_comm_is_registered(struct ompi_communicator_t *comm);

#pragma GCC visibility pop

/* In MPI_Finalize, and at the end of the last MPI session; idempotent. */
void hitopo_registry_stop(void) HITOPO_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
