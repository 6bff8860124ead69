/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions of hitopo.h in plain types, for C++ and for callers without Open MPI's internal
 * headers: an MPI_Comm of Open MPI is a struct ompi_communicator_t *. Contracts: hitopo.h.
 */
#ifndef OMPI_MCA_HITOPO_BASE_API_H
#define OMPI_MCA_HITOPO_BASE_API_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ompi_communicator_t;

int32_t *ompi_hitopo_get_addr(struct ompi_communicator_t *comm, int process_rank);
int32_t **ompi_hitopo_get_addrs(struct ompi_communicator_t *comm);
int ompi_hitopo_load(struct ompi_communicator_t *comm);

/* How many tables, and communicators that hold one, are alive in this process. Local. Both are 0
 * after MPI_Finalize. */
void ompi_hitopo_count_live(int *num_tables, int *num_holders);

#ifdef __cplusplus
}
#endif

#endif
