/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * HiTopo's extension of MPI: hardware communicators and registered communicators. If Open MPI was built with HiTopo,
 * <mpi-ext.h> includes this header. Otherwise include this header and link with -lmpi_hitopo (pkg-config hitopo).
 *
 * The man pages have the whole contract of each function, MPIX_Comm_split_type(3) and so on: all arguments, errors and
 * examples.
 *
 * Every function returns MPI_SUCCESS or an error class; MPI_ERR_NO_MEM if memory ran out. On an error it first calls
 * the error handler of the communicator; the functions of registered communicators call none. Every function has a PMPI
 * twin with the same contract. Local functions never communicate. If the communicator has no address table
 * (ompi_hitopo_load), they return the values for an unknown type. Returned strings are constants of the library: do not
 * free them. The caller frees communicators, groups and info objects that it gets. Resource types are URIs such as
 * "hwloc://L3Cache" and "hitopo://Switch".
 */
#ifndef MPIEXT_HITOPO_C_H
#define MPIEXT_HITOPO_C_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- functions and constants of the MPI standard that mpi.h of older Open MPI lacks ---- */

/* mpi.h defines these as enumerators, so only the version can be tested. The values are those of Open MPI 6. */
#if OMPI_MAJOR_VERSION < 5
#define MPI_COMM_TYPE_HW_UNGUIDED 12
#define MPI_COMM_TYPE_HW_GUIDED 13
#endif
#if OMPI_MAJOR_VERSION < 6
#define MPI_COMM_TYPE_RESOURCE_GUIDED 14

/* Returns a new info object with a key for each resource type, whose value is "true" if this process is restricted to
 * one instance of the type, else "false". Local. Source: MPI 5.0, 9.1.2. See MPI_Get_hw_resource_info(3). */
int MPI_Get_hw_resource_info(MPI_Info *hw_info);
int PMPI_Get_hw_resource_info(MPI_Info *hw_info);
#endif

#if OMPI_MAJOR_VERSION < 5
/* Returns a value of an info object. buflen: in the bytes of `value`, out those that the whole value needs, with its
 * NUL. Local. Source: MPI 4.0, 10. See MPI_Get_hw_resource_info(3). */
int MPI_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag);
int PMPI_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag);
#endif

/* ---- splitting ---- */

/* Additional split types. Neither Open MPI nor the ABI of the MPI standard uses these values. */
#define MPIX_COMM_TYPE_HW_DOMAIN 1001         /* guided by the info key MPI_HW_DOMAIN_TYPE; unguided without it */
#define MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY 1002 /* unguided; reads no info */
#define MPIX_COMM_TYPE_ADDRESS_SPACE 1003     /* a communicator for each process */

/* Splits comm into the processes that share an instance of a resource type, of split_type or named by info, as
 * MPI_Comm_split_type does. MPI_COMM_NULL in a process that is restricted to no instance. An unguided split sets the
 * key mpi_hw_resource_type of info. Collective over comm. Source: HSplit, 1.1. See MPIX_Comm_split_type(3). */
int MPIX_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm);
int PMPIX_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm);

/* The same, and a roots communicator of the processes with rank 0 in a new communicator, MPI_COMM_NULL in all others.
 * Rank 0 of comm has rank 0 in both. Collective over the intracommunicator comm. See MPIX_Comm_split_roots(3). */
int MPIX_Comm_split_roots(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm,
                          MPI_Comm *rootscomm);
int PMPIX_Comm_split_roots(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm,
                           MPI_Comm *rootscomm);

/* Creates all communicators of the hierarchy of comm: step 0 is the unguided split of comm, and step i + 1 is the
 * unguided split of newcomms[i]; rootscomms[i] as in MPIX_Comm_split_roots. Arrays have max_steps entries, equal in all
 * processes; types may be NULL. num_steps: of this process, and may be larger than max_steps. Collective over the
 * intracommunicator comm. See MPIX_Comm_split_hierarchy(3). */
int MPIX_Comm_split_hierarchy(MPI_Comm comm, int max_steps, MPI_Comm newcomms[], MPI_Comm rootscomms[],
                              const char *types[], int *num_steps);
int PMPIX_Comm_split_hierarchy(MPI_Comm comm, int max_steps, MPI_Comm newcomms[], MPI_Comm rootscomms[],
                               const char *types[], int *num_steps);

/* ---- queries; all local ---- */

/* Returns the number of resource types of the job, and in info, if it is not MPI_INFO_NULL, the keys MPI_HW_LEVEL0,
 * MPI_HW_LEVEL1, .. with their URIs, outermost first. Source: HSplit, 2.1. See MPIX_Get_hw_topology_info(3). */
int MPIX_Get_hw_topology_info(int *numlevels, MPI_Info info);
int PMPIX_Get_hw_topology_info(int *numlevels, MPI_Info info);

/* Describes the split that created comm or the original of this duplicate: the number of its communicators, that of
 * comm among them, and the type of comm; else 1, 0 and "Unknown". info is not read. Source: HSplit, 2.2. See
 * MPIX_Get_hw_domain_info(3). */
int MPIX_Get_hw_domain_info(MPI_Comm comm, int *num_subcomms, int *rank, char **type, MPI_Info info);
int PMPIX_Get_hw_domain_info(MPI_Comm comm, int *num_subcomms, int *rank, char **type, MPI_Info info);

/* Returns the deepest resource type with a domain that contains all of the given ranks of comm: "Invalid" if the caller
 * is not one of them, "Unknown" if there is none. Source: HSplit, 2.3. See MPIX_Get_min_hw_domain(3). */
int MPIX_Get_min_hw_domain(MPI_Comm comm, int size, int *ranks, char **type);
int PMPIX_Get_min_hw_domain(MPI_Comm comm, int size, int *ranks, char **type);

/* Sets the key MPI_HIER_LEVEL of info to that type. Source: the MPI Forum's slides of 2017. */
int MPIX_Get_min_hierarchy(MPI_Comm comm, int size, int *ranks, MPI_Info info);
int PMPIX_Get_min_hierarchy(MPI_Comm comm, int size, int *ranks, MPI_Info info);

/* Metrics of MPIX_Get_hw_domain_neighbours: each is a list of resource types. */
#define MPIX_HW_METRIC_COMPUTE 1 /* PU, Core, L1Cache .. L5Cache, Package */
#define MPIX_HW_METRIC_MEMORY 2  /* NUMANode, Package, L2NUMA, Machine */
#define MPIX_HW_METRIC_NETWORK 3 /* Node, Switch, Island, Cluster */
/* Returns the processes within a number of hops of the caller, in the order of their ranks in comm. Each hop goes to
 * the next larger domain of the caller among the types of the metric; 0 hops return the caller alone. Source:
 * HSplit, 1.2. See MPIX_Get_hw_domain_neighbours(3). */
int MPIX_Get_hw_domain_neighbours(MPI_Comm comm, int hops, int metric, MPI_Group *newgroup);
int PMPIX_Get_hw_domain_neighbours(MPI_Comm comm, int hops, int metric, MPI_Group *newgroup);

/* ---- registered communicators, which profiles have by name; all functions are local and thread safe ---- */

/* Registers a communicator under a name, which is copied; NULL or "" stands for that of MPI_Comm_get_name. A second
 * call changes the name. A duplicate is not registered. See MPIX_Comm_register(3). */
int MPIX_Comm_register(MPI_Comm comm, const char *name);
int PMPIX_Comm_register(MPI_Comm comm, const char *name);

/* Ends the registration of a communicator, as MPI_Comm_free and MPI_Finalize do. MPI_ERR_ARG if there is none. */
int MPIX_Comm_unregister(MPI_Comm comm);
int PMPIX_Comm_unregister(MPI_Comm comm);

/* Returns 1 if comm is a registered communicator, else 0. comm: any value, also a freed communicator. */
int MPIX_Comm_is_registered(MPI_Comm comm);
int PMPIX_Comm_is_registered(MPI_Comm comm);

/* HSplit's and the slides' own names of their proposals for MPI, until the release after this one. */
#define MPI_COMM_TYPE_HW_DOMAIN MPIX_COMM_TYPE_HW_DOMAIN
#define MPI_COMM_TYPE_PHYSICAL_TOPOLOGY MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY
#define MPI_COMM_TYPE_ADDRESS_SPACE MPIX_COMM_TYPE_ADDRESS_SPACE
#define MPI_Get_min_hierarchy MPIX_Get_min_hierarchy

/* The functions of registered communicators under their original names. A program that uses these names for something
 * else defines MPIX_HITOPO_NO_SHORT_NAMES. No library defines these names, because that would reserve them in all
 * programs. Source: `Register a communicator', 2011. */
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
