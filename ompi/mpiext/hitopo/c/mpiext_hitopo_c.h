/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * HiTopo's extension of MPI: hardware communicators and registered communicators. If Open MPI was built with HiTopo,
 * <mpi-ext.h> includes this header. Otherwise include this header and link with -lmpi_hitopo (pkg-config hitopo).
 * Man pages: MPIX_Comm_split_type(3), MPIX_Comm_split_roots(3), MPIX_Comm_split_hierarchy(3),
 * MPI_Get_hw_resource_info(3), MPIX_Get_hw_topology_info(3), MPIX_Comm_register(3).
 *
 * Every function returns MPI_SUCCESS or an error class. On an error it first calls the error handler of the
 * communicator; the functions of registered communicators call none. Every function has a PMPI twin with the same
 * contract. Local functions never communicate. If the communicator has no address table (ompi_hitopo_load), they return
 * the values for an unknown type that are given below. Returned strings are constants of the library: do not free them.
 * Resource types are URIs such as "hwloc://L3Cache" and "hitopo://Switch".
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

/**
 * Returns the resource types that this process is restricted to. Each call reads the binding of the process again.
 * Local. Source: MPI 5.0, 9.1.2.
 *
 * @param hw_info  a new info object, which the caller frees. It has a key for each of the eight levels, and for each
 *                 resource type of this node's machine. A value is "true" if this process is restricted to one instance
 *                 of the type, else "false". If it is "true", a guided split by the key gives this process a
 *                 communicator.
 *
 * @return MPI_SUCCESS; MPI_ERR_ARG if hw_info is NULL; MPI_ERR_NO_MEM if memory ran out
 */
int MPI_Get_hw_resource_info(MPI_Info *hw_info);
int PMPI_Get_hw_resource_info(MPI_Info *hw_info);
#endif

#if OMPI_MAJOR_VERSION < 5
/**
 * Returns a value of an info object. Local. Source: MPI 4.0, 10.
 *
 * @param info  the info object
 * @param key  the key
 * @param buflen  in: the bytes of `value`; out: the bytes that the whole value needs, with its NUL
 * @param value  the value, truncated to *buflen - 1 characters and NUL-terminated; unchanged if *buflen is 0
 * @param flag  1 if info has the key, else 0
 *
 * @return MPI_SUCCESS, or the error class of MPI_Info_get: MPI_ERR_INFO if info is not an info object,
 *         MPI_ERR_INFO_KEY if the key is empty or too long, MPI_ERR_ARG if a pointer is NULL
 */
int MPI_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag);
int PMPI_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag);
#endif

/* ---- splitting ---- */

/* Additional split types. Neither Open MPI nor the ABI of the MPI standard uses these values. */
#define MPIX_COMM_TYPE_HW_DOMAIN 1001         /* guided by the info key MPI_HW_DOMAIN_TYPE; unguided without it */
#define MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY 1002 /* unguided; reads no info */
#define MPIX_COMM_TYPE_ADDRESS_SPACE 1003     /* a communicator for each process */

/**
 * Splits comm into the processes that share an instance of a resource type. MPI_Comm_split_type has the same contract.
 * Collective over comm. Source: HSplit, 1.1.
 *
 * @param comm  an intra- or intercommunicator
 * @param split_type  one of the types above, of MPI, or of Open MPI (OMPI_COMM_TYPE_*); equal in all processes, except
 *                    that any process may pass MPI_UNDEFINED
 * @param key  the order of ranks in the new communicator; equal keys keep the order of comm
 * @param info  the resource type of a guided split, by mpi_hw_resource_type or MPI_HW_DOMAIN_TYPE. An unguided split
 *              sets mpi_hw_resource_type to the resource type of newcomm. May be MPI_INFO_NULL.
 * @param newcomm  this process's new communicator, which the caller frees; MPI_COMM_NULL if the process is restricted
 *                 to no instance, or passed MPI_UNDEFINED or no known type
 *
 * @return MPI_SUCCESS; in all processes MPI_ERR_ARG if the split types differ or are unknown, or if newcomm is NULL in
 *         one of them; in all processes MPI_ERR_INFO if info objects have both mpi_hw_resource_type and mpi_pset_name;
 *         in this process MPI_ERR_COMM if comm is not a communicator
 */
int MPIX_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm);
int PMPIX_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm);

/**
 * Splits comm, and creates a roots communicator of the processes with rank 0 in a new communicator. Collective over
 * comm.
 *
 * @param comm  an intracommunicator
 * @param split_type, key, info  as for MPIX_Comm_split_type. Rank 0 of comm ignores its key: it has rank 0 in its new
 *                               communicator and in the roots communicator. If it gets no communicator, the lowest
 *                               rank that gets one takes its place.
 * @param newcomm  this process's new communicator, which the caller frees; or MPI_COMM_NULL
 * @param rootscomm  in a process with rank 0 in newcomm: the roots communicator, which the caller frees, in the order
 *                   of ranks in comm; in all other processes MPI_COMM_NULL
 *
 * @return MPI_SUCCESS; in all processes MPI_ERR_COMM if comm is an intercommunicator, and MPI_ERR_ARG if newcomm or
 *         rootscomm is NULL in one of them; other errors as MPIX_Comm_split_type
 */
int MPIX_Comm_split_roots(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm,
                          MPI_Comm *rootscomm);
int PMPIX_Comm_split_roots(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm,
                           MPI_Comm *rootscomm);

/**
 * Creates all communicators of the hierarchy of comm. Step 0 is the unguided split of comm, and step i + 1 is the
 * unguided split of newcomms[i]. The steps of a process end when a split gives it no communicator. Groups, ranks and
 * types are the same as of a loop over MPI_Comm_split_type with the rank as key. Collective over comm.
 *
 * @param comm  an intracommunicator
 * @param max_steps  the number of entries of each array; equal in all processes
 * @param newcomms  newcomms[i]: this process's communicator of step i, which the caller frees; MPI_COMM_NULL for
 *                  i >= *num_steps
 * @param rootscomms  rootscomms[i]: the processes with rank 0 in a communicator that step i made from newcomms[i - 1]
 *                    (from comm for i = 0), as in MPIX_Comm_split_roots; the caller frees it. MPI_COMM_NULL in all
 *                    other processes.
 * @param types  NULL, or types[i]: the resource type of newcomms[i], "" for i >= *num_steps
 * @param num_steps  the number of steps of this process, which may differ between processes. If it is larger than
 *                   max_steps, the arrays have the outermost steps only.
 *
 * @return MPI_SUCCESS; in all processes MPI_ERR_COMM if comm is an intercommunicator, and MPI_ERR_ARG if max_steps is
 *         negative or differs, or if newcomms, rootscomms or num_steps is NULL in one of them (the arrays may be NULL
 * if max_steps is 0); other errors as MPIX_Comm_split_type
 */
int MPIX_Comm_split_hierarchy(MPI_Comm comm, int max_steps, MPI_Comm newcomms[], MPI_Comm rootscomms[],
                              const char *types[], int *num_steps);
int PMPIX_Comm_split_hierarchy(MPI_Comm comm, int max_steps, MPI_Comm newcomms[], MPI_Comm rootscomms[],
                               const char *types[], int *num_steps);

/* ---- queries; all local ---- */

/**
 * Returns the resource types of the job, outermost first: the levels from cluster to node that at least one process
 * knows, and the types of the machines. Local. Source: HSplit, 2.1.
 *
 * @param numlevels  the number of types; 0 without an address table of MPI_COMM_WORLD
 * @param info  MPI_INFO_NULL, or an info object that gets the keys MPI_HW_LEVEL0, MPI_HW_LEVEL1, .. with the URIs of
 *              the types. Both the keys and the URIs are valid values of MPI_HW_DOMAIN_TYPE and mpi_hw_resource_type.
 *
 * @return MPI_SUCCESS; MPI_ERR_ARG if numlevels is NULL; MPI_ERR_COMM before MPI_Init or after MPI_Finalize;
 *         MPI_ERR_NO_MEM if memory ran out
 */
int MPIX_Get_hw_topology_info(int *numlevels, MPI_Info info);
int PMPIX_Get_hw_topology_info(int *numlevels, MPI_Info info);

/**
 * Describes a communicator of a split, and the split that created it. A duplicate has the values of the original.
 * Local. Source: HSplit, 2.2.
 *
 * @param comm  a communicator
 * @param num_subcomms  the number of communicators that the split created; 1 if no split of HiTopo created comm
 * @param rank  the number of comm among them, from 0, sorted by the lowest rank of their members in the parent; else 0
 * @param type  the resource type of comm; else "Unknown"
 * @param info  not read; may be MPI_INFO_NULL
 *
 * @return MPI_SUCCESS; MPI_ERR_COMM if comm is not a communicator; MPI_ERR_ARG if num_subcomms, rank or type is NULL
 */
int MPIX_Get_hw_domain_info(MPI_Comm comm, int *num_subcomms, int *rank, char **type, MPI_Info info);
int PMPIX_Get_hw_domain_info(MPI_Comm comm, int *num_subcomms, int *rank, char **type, MPI_Info info);

/**
 * Returns the deepest resource type with a domain that contains all of the given ranks. Local. Source: HSplit, 2.3.
 *
 * @param comm  a communicator
 * @param size  the number of ranks
 * @param ranks  ranks of comm
 * @param type  the resource type; "Invalid" if the caller is not one of the ranks, or size is 0; "Unknown" if no type
 *              has such a domain, or comm has no address table
 *
 * @return MPI_SUCCESS; MPI_ERR_COMM if comm is not a communicator; MPI_ERR_RANK if a rank is out of range; MPI_ERR_ARG
 *         if size is negative or a pointer is NULL; MPI_ERR_NO_MEM if memory ran out
 */
int MPIX_Get_min_hw_domain(MPI_Comm comm, int size, int *ranks, char **type);
int PMPIX_Get_min_hw_domain(MPI_Comm comm, int size, int *ranks, char **type);

/**
 * Sets an info key to the type that MPIX_Get_min_hw_domain returns. Local. Source: the MPI Forum's slides of 2017.
 *
 * @param comm, size, ranks  as for MPIX_Get_min_hw_domain
 * @param info  an info object, whose key MPI_HIER_LEVEL is set
 *
 * @return as MPIX_Get_min_hw_domain; MPI_ERR_INFO if info is not an info object
 */
int MPIX_Get_min_hierarchy(MPI_Comm comm, int size, int *ranks, MPI_Info info);
int PMPIX_Get_min_hierarchy(MPI_Comm comm, int size, int *ranks, MPI_Info info);

/* Metrics of MPIX_Get_hw_domain_neighbours: each is a list of resource types. */
#define MPIX_HW_METRIC_COMPUTE 1 /* PU, Core, L1Cache .. L5Cache, Package */
#define MPIX_HW_METRIC_MEMORY 2  /* NUMANode, Package, L2NUMA, Machine */
#define MPIX_HW_METRIC_NETWORK 3 /* Node, Switch, Island, Cluster */
/**
 * Returns the processes of comm within a number of hops of the caller. Each hop goes to the next larger domain of the
 * caller among the resource types of the metric. Local. Source: HSplit, 1.2.
 *
 * @param comm  a communicator
 * @param hops  the number of hops; 0 returns the caller alone; more hops than types return the domain of the last type
 * @param metric  MPIX_HW_METRIC_COMPUTE, MPIX_HW_METRIC_MEMORY or MPIX_HW_METRIC_NETWORK
 * @param newgroup  the processes in the order of their ranks in comm, the caller among them; the caller frees the
 *                  group. MPI_GROUP_EMPTY without an address table.
 *
 * @return MPI_SUCCESS; MPI_ERR_COMM if comm is not a communicator; MPI_ERR_ARG if hops is negative, metric is unknown
 * or newgroup is NULL; MPI_ERR_NO_MEM if memory ran out
 */
int MPIX_Get_hw_domain_neighbours(MPI_Comm comm, int hops, int metric, MPI_Group *newgroup);
int PMPIX_Get_hw_domain_neighbours(MPI_Comm comm, int hops, int metric, MPI_Group *newgroup);

/* ---- registered communicators, which profiles have by name; all functions are local and thread safe ---- */

/**
 * Registers a communicator under a name. A second call changes the name. A duplicate of comm is not registered. The
 * registration ends with MPIX_Comm_unregister, when comm is freed, or in MPI_Finalize. Calls before and after it are
 * counted as those of an unnamed communicator. Local; thread safe; calls no error handler.
 *
 * @param comm  an intra- or intercommunicator
 * @param name  the name in reports, of any length; copied. Communicators of one name and size are counted together.
 * NULL or "" stands for the name of comm (MPI_Comm_get_name).
 *
 * @return MPI_SUCCESS; MPI_ERR_COMM if comm is NULL, MPI_COMM_NULL or freed; MPI_ERR_OTHER before MPI_Init or after
 *         MPI_Finalize; MPI_ERR_NO_MEM if memory ran out
 */
int MPIX_Comm_register(MPI_Comm comm, const char *name);
int PMPIX_Comm_register(MPI_Comm comm, const char *name);

/**
 * Ends the registration of a communicator. Local; thread safe; calls no error handler.
 *
 * @param comm  a registered communicator
 *
 * @return as MPIX_Comm_register; MPI_ERR_ARG if comm is not registered
 */
int MPIX_Comm_unregister(MPI_Comm comm);
int PMPIX_Comm_unregister(MPI_Comm comm);

/**
 * Returns whether a communicator is registered. Local; thread safe; calls no error handler.
 *
 * @param comm  any value, also NULL, MPI_COMM_NULL or a freed communicator
 *
 * @return 1 if comm is a registered communicator, else 0
 */
int MPIX_Comm_is_registered(MPI_Comm comm);
int PMPIX_Comm_is_registered(MPI_Comm comm);

/* HSplit's and the slides' own names of what they propose for MPI, until the release after this one. */
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
