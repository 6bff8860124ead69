/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Splitting communicators by the address tree, in plain types: the functions that the MPI functions of the library and
 * of the extension (ompi/mpiext/hitopo/c) call. Their contracts are those functions'; all return MPI_SUCCESS or an MPI
 * error class, after comm's error handler. Handles are Open MPI's: an MPI_Comm is a struct ompi_communicator_t *, and
 * so on.
 */
#ifndef OMPI_COMM_HWSPLIT_H
#define OMPI_COMM_HWSPLIT_H

#ifdef __cplusplus
extern "C" {
#endif

struct opal_info_t;
struct ompi_communicator_t;
struct ompi_info_t;
struct ompi_group_t;

/* Split types that mpi.h may lack: the standard's, with Open MPI 6's values, and ours. The extension
 * (ompi/mpiext/hitopo) gives them MPI's names, and has the compiler compare the values. */
enum {
    HITOPO_COMM_TYPE_HW_UNGUIDED = 12,
    HITOPO_COMM_TYPE_HW_GUIDED = 13,
    HITOPO_COMM_TYPE_RESOURCE_GUIDED = 14,
    HITOPO_COMM_TYPE_HW_DOMAIN = 1001,
    HITOPO_COMM_TYPE_PHYSICAL_TOPOLOGY = 1002,
    HITOPO_COMM_TYPE_ADDRESS_SPACE = 1003,
};

#pragma GCC visibility push(default) /* in tree, libmpi calls them in libopen_mpi */

/* Before ompi_hitopo_base_announce, in each process: has ompi_hitopo_base_stop end the attributes of splits and the
 * registry; idempotent. Local. */
void ompi_hitopo_join_communicators(void);

/* Open MPI's own split, for communicators that HiTopo has no tree of, and for split types and resource types that it
 * does not know. Calls comm's error handler, unless its caller does not. info: as the caller has it, its first member.
 */
typedef int (*ompi_hitopo_split_type_fn_t)(struct ompi_communicator_t *comm, int split_type, int key,
                                           struct opal_info_t *info, struct ompi_communicator_t **newcomm);

/* For callers within Open MPI (in tree, ompi_comm_split_type): calls no error handler, and may return an OMPI_ERR_*
 * code. comm and info are valid; info may be NULL. */
int ompi_hitopo_comm_split_type(struct ompi_communicator_t *comm, int split_type, int key, struct opal_info_t *info,
                                struct ompi_communicator_t **newcomm, ompi_hitopo_split_type_fn_t next);

int ompi_hitopo_split_type(struct ompi_communicator_t *comm, int split_type, int key, struct ompi_info_t *info,
                           struct ompi_communicator_t **newcomm, ompi_hitopo_split_type_fn_t next);
int ompi_hitopo_split_roots(struct ompi_communicator_t *comm, int split_type, int key, struct ompi_info_t *info,
                            struct ompi_communicator_t **newcomm, struct ompi_communicator_t **rootscomm,
                            ompi_hitopo_split_type_fn_t next);
int ompi_hitopo_split_hierarchy(struct ompi_communicator_t *comm, int max_steps, struct ompi_communicator_t **newcomms,
                                struct ompi_communicator_t **rootscomms, const char **types, int *num_steps);

int ompi_hitopo_hw_resource_info(struct ompi_info_t **hw_info);
int ompi_hitopo_hw_topology_info(int *numlevels, struct ompi_info_t *info);
int ompi_hitopo_hw_domain_info(struct ompi_communicator_t *comm, int *num_subcomms, int *rank, const char **type);
int ompi_hitopo_min_hw_domain(struct ompi_communicator_t *comm, int size, const int *ranks, const char **type);
int ompi_hitopo_min_hierarchy(struct ompi_communicator_t *comm, int size, const int *ranks, struct ompi_info_t *info);
int ompi_hitopo_hw_neighbours(struct ompi_communicator_t *comm, int hops, int metric, struct ompi_group_t **newgroup);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
