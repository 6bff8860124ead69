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
#pragma GCC visibility push(default)

struct ompi_communicator_t;

int32_t *ompi_hitopo_get_addr(struct ompi_communicator_t *comm, int process_rank);
int ompi_hitopo_read_addr(struct ompi_communicator_t *comm, int process_rank, int32_t addr[8]);
int32_t **ompi_hitopo_get_addrs(struct ompi_communicator_t *comm);
unsigned ompi_hitopo_get_known_levels(struct ompi_communicator_t *comm);
int ompi_hitopo_load(struct ompi_communicator_t *comm);

/* Bit l is set where those processes of comm that know level l have several values. 0 without a table. Local; thread
 * safe. */
unsigned ompi_hitopo_get_divided_levels(struct ompi_communicator_t *comm);

/* How many tables, and communicators that hold one, are alive in this process. Local. Both are 0
 * after MPI_Finalize. */
void ompi_hitopo_count_live(int *num_tables, int *num_holders);

/*
 * For tests: makes this process one of another machine, then exchanges the addresses of MPI_COMM_WORLD
 * anew; all tables change. Each argument sets an MCA variable of this process: hitopo_hwloc_topology,
 * hitopo_hwloc_binding, hitopo_file_path; NULL leaves it as it is, "" unsets it. Collective over
 * MPI_COMM_WORLD. Returns as ompi_hitopo_load.
 */
int ompi_hitopo_simulate(const char *topology, const char *binding, const char *map_path);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
