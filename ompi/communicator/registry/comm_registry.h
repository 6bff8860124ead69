/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Registered communicators: those that a program wants to see in its profile. What the functions of the
 * extension (ompi/mpiext/hitopo/c, MPIX_Comm_register) call, and what the profiler (profiler) reads.
 * All is local and never communicates; all is thread safe.
 *
 * A registration is an attribute of its communicator that duplicates do not inherit, so it means the
 * communicator itself (MPI_IDENT), lives as long, and is the same one when registered again.
 */
#ifndef OMPI_COMM_REGISTRY_H
#define OMPI_COMM_REGISTRY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ompi_communicator_t;

#pragma GCC visibility push(default) /* for layers above */

/*
 * Contracts: MPIX_Comm_register(3). Unlike other MPI functions they call no error handler, which would end
 * most programs: a NULL or freed comm is MPI_ERR_COMM, or 0 from is_registered; outside of MPI_Init and
 * MPI_Finalize MPI_ERR_OTHER; to unregister what is not registered MPI_ERR_ARG.
 */
int ompi_hitopo_comm_register(struct ompi_communicator_t *comm, const char *name);
int ompi_hitopo_comm_unregister(struct ompi_communicator_t *comm);
int ompi_hitopo_comm_is_registered(struct ompi_communicator_t *comm);

/* ---- for the profiler ---- */

/* One communicator's. At one address until the communicator is freed. */
typedef struct ompi_hitopo_registration_t {
    int is_registered;
    void *profile; /* the profiler's; NULL at first */
} ompi_hitopo_registration_t;

/* Grows with each registration, its end, and each registration that is freed: as long as it stays, what was
 * learnt of a communicator stays true. Read it with acquire order. */
extern uint32_t ompi_hitopo_registry_generation;

/* comm's, made where it has none yet (not registered then, but for MPI_COMM_WORLD where
 * hitopo_base_register_world says so). NULL for an invalid comm or where memory is short. */
ompi_hitopo_registration_t *ompi_hitopo_registration(struct ompi_communicator_t *comm);

/* The last name that it was registered with, or "", cut to capacity - 1 bytes. */
void ompi_hitopo_registration_name(ompi_hitopo_registration_t *registration, char *name, size_t capacity);

/* Has `freed` called for each registration that is about to be freed, in the thread that frees its
 * communicator, or MPI_Finalize's. (Of one that was made while its communicator was being freed, by a delete
 * function: in the first that asks for that handle.) At most one observer; NULL takes it away. */
void ompi_hitopo_registry_observe(void (*freed)(ompi_hitopo_registration_t *registration));

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
