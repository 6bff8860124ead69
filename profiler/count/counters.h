/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The counters of one communicator as arrays, for MPI_T performance variables hitopo_prof_* (profiler/profile_glue.h).
 */
#ifndef PROFILER_COUNT_COUNTERS_H
#define PROFILER_COUNT_COUNTERS_H

#include "ompi/mca/hitopo/support/noexcept.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ompi_communicator_t;

/* Registers them all. Once, after MPI_Init. Local. */
void hitopo_profile_register_counters(void) HITOPO_NOEXCEPT;

/* How many entries the counter of that number has for comm; writes their values unless `values` is NULL: 0 for no
 * communicator. Negative, and nothing is looked at, in a thread that may call MPI_T but not MPI while others do:
 * without MPI_THREAD_MULTIPLE any but that of MPI_Init, with MPI_THREAD_SERIALIZED all. Local. */
int hitopo_profile_read(struct ompi_communicator_t *comm, int counter, unsigned long long *values) HITOPO_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
