/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions of hitopo.h with plain types, for C++ and for callers without Open MPI's internal headers. An MPI_Comm
 * of Open MPI is a struct ompi_communicator_t *. hitopo.h has the contracts of the first five functions.
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

/**
 * Returns the levels at which the processes of comm have several values. Local; thread safe.
 *
 * @param comm  an intra- or intercommunicator
 *
 * @return a bit mask: bit l is set if at least two values of level l are known in comm; 0 without a table
 */
unsigned ompi_hitopo_get_divided_levels(struct ompi_communicator_t *comm);

/**
 * Returns the number of live tables, and of communicators that hold a table, in this process. Local.
 *
 * @param num_tables, num_holders  the two numbers; both are 0 after MPI_Finalize
 */
void ompi_hitopo_count_live(int *num_tables, int *num_holders);

/**
 * Simulates another machine in this process, then exchanges the addresses of MPI_COMM_WORLD again and replaces all
 * tables. For tests. Each argument sets an MCA variable of this process; NULL keeps the value, and "" unsets it.
 * Collective over MPI_COMM_WORLD.
 *
 * @param topology  hitopo_hwloc_topology
 * @param binding  hitopo_hwloc_binding
 * @param map_path  hitopo_file_path
 *
 * @return as ompi_hitopo_load
 */
int ompi_hitopo_simulate(const char *topology, const char *binding, const char *map_path);

/* ---- HiTopo's data as JSON documents, between MPI_Init and MPI_Finalize ----
 *
 * All are local. Each returns a NUL-terminated document in UTF-8, of the schema in docs/json.md, which the caller frees
 * by free(); NULL if memory ran out. Bytes of names that are not valid UTF-8 are replaced by U+FFFD. */

/**
 * Returns the address table of MPI_COMM_WORLD. The document is the same in all processes.
 *
 * @param reason  NULL, or set if the function returns NULL since there is no table: one line with the reason, for
 *                example that HiTopo is off, or not all processes run it. A constant of the library.
 */
char *ompi_hitopo_describe_table(const char **reason);

/** Returns the raw values and reasons of all components in this process, and its binding. */
char *ompi_hitopo_describe_process(void);

/** Returns the GPUs and network interfaces of this node. Nodes with equal devices have equal documents. The component
 * hwloc loads the node's hardware anew, which takes milliseconds, on large nodes tens of them. */
char *ompi_hitopo_describe_devices(void);

/** Returns the components with their versions, and all MCA variables with their values in this process. */
char *ompi_hitopo_describe_framework(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
