/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Hardware communicators, and registered ones: what HiTopo adds to MPI. Built into Open MPI, <mpi-ext.h>
 * includes this; with any other, include it by itself and link with -lmpi_hitopo (pkg-config hitopo). Man
 * pages: MPIX_Comm_split_type(3), MPIX_Comm_split_roots(3), MPIX_Comm_split_hierarchy(3),
 * MPI_Get_hw_resource_info(3), MPIX_Get_hw_topology_info(3), MPIX_Comm_register(3).
 *
 * Functions return MPI_SUCCESS or an error class, which goes through the communicator's error handler
 * first, but for those of registered communicators. Those named "local" never communicate; where a
 * communicator has no address table (ompi_hitopo_load) they know nothing, and say so. Strings that they
 * give are constants of the library, never to be freed: resource types are URIs such as "hwloc://L3Cache"
 * and "hitopo://Switch".
 */
#ifndef MPIEXT_HITOPO_C_H
#define MPIEXT_HITOPO_C_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- of the MPI standard, where mpi.h lacks it ---- */

/* They are enumerators where mpi.h has them: test the version. The values are Open MPI 6's. */
#if OMPI_MAJOR_VERSION < 5
#define MPI_COMM_TYPE_HW_UNGUIDED 12
#define MPI_COMM_TYPE_HW_GUIDED 13
#endif
#if OMPI_MAJOR_VERSION < 6
#define MPI_COMM_TYPE_RESOURCE_GUIDED 14

/*
 * A new info object, the caller's to free: one key for each of the eight levels and each resource type
 * of this node's machine; "true" where this process is restricted to one instance of it, so that a
 * guided split by that key gives it a communicator, else "false". Reads the binding at the call. Local.
 * Source: MPI 5.0, 9.1.2.
 */
int MPI_Get_hw_resource_info(MPI_Info *hw_info);
int PMPI_Get_hw_resource_info(MPI_Info *hw_info);
#endif

#if OMPI_MAJOR_VERSION < 5
/*
 * The value of `key`, cut to *buflen - 1 characters and NUL-terminated (*buflen 0: untouched); *buflen
 * becomes what the whole value needs with its NUL. *flag: whether there is one. Local. Source: MPI 4.0, 10.
 */
int MPI_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag);
int PMPI_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag);
#endif

/* ---- splitting ---- */

/* More split types. Outside of Open MPI's values and those of the standard's ABI. */
#define MPI_COMM_TYPE_HW_DOMAIN 1001         /* guided by info key MPI_HW_DOMAIN_TYPE; unguided without */
#define MPI_COMM_TYPE_PHYSICAL_TOPOLOGY 1002 /* unguided; reads no info */
#define MPI_COMM_TYPE_ADDRESS_SPACE 1003     /* each process alone */

/* MPI_Comm_split_type, under HSplit's name. Collective over comm. Source: HSplit, 1.1. */
int MPIX_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm);
int PMPIX_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm);

/*
 * A split and its roots communicator: *rootscomm joins the rank 0s of the new communicators, in the order
 * of their ranks in comm; MPI_COMM_NULL at all others. comm's rank 0 sorts before every key: it is rank 0
 * of its new communicator and of the roots communicator. Where it got none, the lowest remaining rank
 * leads. comm: an intracommunicator (else MPI_ERR_COMM at all processes). A NULL for a result at one process:
 * MPI_ERR_ARG at all. Collective over comm.
 */
int MPIX_Comm_split_roots(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm,
                          MPI_Comm *rootscomm);
int PMPIX_Comm_split_roots(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm,
                           MPI_Comm *rootscomm);

/*
 * The whole hierarchy of comm at once: step 0 is the unguided split of comm, step i + 1 that of
 * newcomms[i], until a process gets none. Same groups, ranks and types as from the loop with key = rank.
 *
 * max_steps   entries of each array
 * newcomms    newcomms[i]: this process's communicator of step i, MPI_COMM_NULL from *num_steps on
 * rootscomms  rootscomms[i]: joins the rank 0s of the children of newcomms[i - 1] (of comm for i = 0), as
 *             of MPIX_Comm_split_roots; MPI_COMM_NULL at a process that is none of them
 * types       types[i]: the resource type of newcomms[i], "" from *num_steps on; or NULL
 * num_steps   how many steps this process has; more than max_steps if the arrays are too short: they hold
 *             the outermost
 *
 * max_steps must be equal at all processes, and no result but types NULL at any (else MPI_ERR_ARG at all); the
 * number of steps need not be equal.
 * comm: an intracommunicator. The communicators are the caller's to free. Collective over comm.
 */
int MPIX_Comm_split_hierarchy(MPI_Comm comm, int max_steps, MPI_Comm newcomms[], MPI_Comm rootscomms[],
                              const char *types[], int *num_steps);
int PMPIX_Comm_split_hierarchy(MPI_Comm comm, int max_steps, MPI_Comm newcomms[], MPI_Comm rootscomms[],
                               const char *types[], int *num_steps);

/* ---- questions; all local ---- */

/*
 * The resource types of the job, outermost first: *numlevels of them; those that somebody knows of the
 * levels down to the node, and the types of the machines. info: MPI_INFO_NULL, or gets keys
 * MPI_HW_LEVEL0, MPI_HW_LEVEL1, .. with the types' URIs. Both keys and values serve as value of
 * MPI_HW_DOMAIN_TYPE and mpi_hw_resource_type. Source: HSplit, 2.1.
 */
int MPIX_Get_hw_topology_info(int *numlevels, MPI_Info info);
int PMPIX_Get_hw_topology_info(int *numlevels, MPI_Info info);

/*
 * The number of communicators of the split that made comm, comm's place among them by their lowest
 * rank in the parent, and its resource type. For any other communicator: 1, 0, "Unknown". info is not
 * read; MPI_INFO_NULL will do. Source: HSplit, 2.2.
 */
int MPIX_Get_hw_domain_info(MPI_Comm comm, int *num_subcomms, int *rank, char **type, MPI_Info info);
int PMPIX_Get_hw_domain_info(MPI_Comm comm, int *num_subcomms, int *rank, char **type, MPI_Info info);

/*
 * The deepest resource type with one domain that holds all of ranks[0..size-1] of comm; "Invalid" if the
 * caller is none of them (so for size 0 too), "Unknown" if there is no such type. A rank out of range:
 * MPI_ERR_RANK; a negative size: MPI_ERR_ARG. Source: HSplit, 2.3.
 */
int MPIX_Get_min_hw_domain(MPI_Comm comm, int size, int *ranks, char **type);
int PMPIX_Get_min_hw_domain(MPI_Comm comm, int size, int *ranks, char **type);

/* The same as value of info key MPI_HIER_LEVEL. Source: the Forum's slides of 2017. */
int MPI_Get_min_hierarchy(MPI_Comm comm, int size, int *ranks, MPI_Info info);
int PMPI_Get_min_hierarchy(MPI_Comm comm, int size, int *ranks, MPI_Info info);

/*
 * The processes of comm within `hops` of the caller, in their order, as a group that is the caller's to
 * free. The caller walks outward through those of the metric's resource types that it is restricted to,
 * one a hop; 0 hops: itself alone; more hops than types: the last one's domain. MPI_GROUP_EMPTY without a
 * table. MPI_ERR_ARG: hops is negative, or metric none of these. Source: HSplit, 1.2.
 */
#define MPIX_HW_METRIC_COMPUTE 1 /* PU, Core, L1Cache .. L5Cache, Package */
#define MPIX_HW_METRIC_MEMORY 2  /* NUMANode, Package, L2NUMA, Machine */
#define MPIX_HW_METRIC_NETWORK 3 /* Node, Switch, Island, Cluster */
int MPIX_Get_hw_domain_neighbours(MPI_Comm comm, int hops, int metric, MPI_Group *newgroup);
int PMPIX_Get_hw_domain_neighbours(MPI_Comm comm, int hops, int metric, MPI_Group *newgroup);

/* ---- registered communicators: those that a profile shows; all is local and thread safe ---- */

/*
 * Registers comm under a name, which is copied: `name`, or where that is NULL or "" comm's own
 * (MPI_Comm_get_name). Names may repeat. Again: the same registration under its new name. It is comm's
 * only: a duplicate is not registered. It ends with MPIX_Comm_unregister, with comm, or with MPI_Finalize.
 * MPI_COMM_WORLD is registered as "MPI_COMM_WORLD" from the start, unless MCA variable
 * hitopo_base_register_world is false. Registered again after MPIX_Comm_unregister, comm goes on where it
 * stopped.
 *
 * MPI_ERR_COMM: comm is NULL, MPI_COMM_NULL or freed; MPI_ERR_OTHER: before MPI_Init or after
 * MPI_Finalize; MPI_ERR_ARG: comm, to unregister, is not registered; MPI_ERR_NO_MEM. No error handler is
 * called. MPIX_Comm_is_registered returns 1 or 0, for what is no communicator 0.
 */
int MPIX_Comm_register(MPI_Comm comm, const char *name);
int PMPIX_Comm_register(MPI_Comm comm, const char *name);
int MPIX_Comm_unregister(MPI_Comm comm);
int PMPIX_Comm_unregister(MPI_Comm comm);
int MPIX_Comm_is_registered(MPI_Comm comm);
int PMPIX_Comm_is_registered(MPI_Comm comm);

/* The same as their origin called them, for programs whose own names these are not: those define
 * MPIX_HITOPO_NO_SHORT_NAMES. In no library, which would take these names from everybody. Source: `Register
 * a communicator', 2011. */
#ifndef MPIX_HITOPO_NO_SHORT_NAMES
static __inline__ int Comm_register(MPI_Comm comm, char *name)
{
    return MPIX_Comm_register(comm, name);
}
static __inline__ int Comm_unregister(MPI_Comm comm)
{
    return MPIX_Comm_unregister(comm);
}
static __inline__ int Comm_is_registered(MPI_Comm comm)
{
    return MPIX_Comm_is_registered(comm);
}
#endif

#ifdef __cplusplus
}
#endif

#endif
