/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Hardware communicators, and registered ones: what HiTopo adds to MPI. Built into Open MPI, <mpi-ext.h>
 * includes this; with any other, include it by itself and link with -lmpi_hitopo (pkg-config hitopo). Man
 * pages: MPIX_Comm_split_type(3), MPIX_Comm_split_roots(3), MPIX_Comm_split_hierarchy(3),
 * MPI_Get_hw_resource_info(3), MPIX_Get_hw_topology_info(3), MPIX_Comm_register(3).
 *
 * All functions return MPI_SUCCESS or an error class, and call the communicator's error handler first, except those of
 * registered communicators. Every function has its PMPI twin, with the same contract. Local functions never
 * communicate; without an address table of the communicator (ompi_hitopo_load) they return the values for "not known"
 * below. Strings that they return are constants of the library, never to be freed. Resource types are URIs such as
 * "hwloc://L3Cache" and "hitopo://Switch".
 */
#ifndef MPIEXT_HITOPO_C_H
#define MPIEXT_HITOPO_C_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what mpi.h of older versions lacks of the MPI standard ---- */

/* mpi.h has these as enumerators, so test the version. The values are Open MPI 6's. */
#if OMPI_MAJOR_VERSION < 5
#define MPI_COMM_TYPE_HW_UNGUIDED 12
#define MPI_COMM_TYPE_HW_GUIDED 13
#endif
#if OMPI_MAJOR_VERSION < 6
#define MPI_COMM_TYPE_RESOURCE_GUIDED 14

/**
 * Returns the resource types that this process is restricted to. Reads its binding at the call. Local. Source: MPI 5.0,
 * 9.1.2.
 *
 * @param hw_info  a new info object, which the caller frees, with a key for each of the eight levels and each resource
 *                 type of this node's machine. The value is "true" if this process is restricted to one instance, so
 *                 that a guided split by that key gives it a communicator, else "false".
 *
 * @return MPI_SUCCESS; MPI_ERR_ARG if hw_info is NULL; MPI_ERR_NO_MEM
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
 * @param value  the value, cut to *buflen - 1 characters and NUL-terminated; unchanged if *buflen is 0
 * @param flag  whether the key has a value
 *
 * @return MPI_SUCCESS, or the error class of MPI_Info_get
 */
int MPI_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag);
int PMPI_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag);
#endif

/* ---- splitting ---- */

/* Further split types. Neither Open MPI nor the standard's ABI uses these values. */
#define MPI_COMM_TYPE_HW_DOMAIN 1001         /* guided by the info key MPI_HW_DOMAIN_TYPE; unguided without it */
#define MPI_COMM_TYPE_PHYSICAL_TOPOLOGY 1002 /* unguided; reads no info */
#define MPI_COMM_TYPE_ADDRESS_SPACE 1003     /* each process alone */

/**
 * MPI_Comm_split_type under HSplit's name, with the same parameters and errors. Collective over comm. Source: HSplit,
 * 1.1.
 */
int MPIX_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm);
int PMPIX_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm);

/**
 * Splits comm, and joins the first processes of the new communicators in a roots communicator. Collective over comm.
 *
 * @param comm  an intracommunicator
 * @param split_type, key, info  as for MPI_Comm_split_type; but comm's rank 0 comes before every key, so that it is
 * rank 0 of its new communicator and of the roots communicator. If it gets no communicator, the lowest rank that gets
 * one takes its place.
 * @param newcomm  this process's new communicator, which the caller frees; or MPI_COMM_NULL
 * @param rootscomm  at each rank 0 of a new communicator the roots communicator, which the caller frees, in the order
 * of ranks in comm; MPI_COMM_NULL at all others
 *
 * @return MPI_SUCCESS; at all processes MPI_ERR_COMM if comm is an intercommunicator, and MPI_ERR_ARG if a result is
 * NULL at one of them; else as MPI_Comm_split_type
 */
int MPIX_Comm_split_roots(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm,
                          MPI_Comm *rootscomm);
int PMPIX_Comm_split_roots(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm,
                           MPI_Comm *rootscomm);

/**
 * Makes all communicators of comm's hierarchy at once: step 0 is the unguided split of comm, step i + 1 that of
 * newcomms[i], until a process gets none. Groups, ranks and types are those of the loop with key = rank. Collective
 * over comm.
 *
 * @param comm  an intracommunicator
 * @param max_steps  the number of entries of each array; equal at all processes
 * @param newcomms  newcomms[i]: this process's communicator of step i; MPI_COMM_NULL from *num_steps on
 * @param rootscomms  rootscomms[i]: joins the rank 0s of the children of newcomms[i - 1] (of comm for i = 0), as in
 *                    MPIX_Comm_split_roots; MPI_COMM_NULL at a process that is none of them
 * @param types  types[i]: the resource type of newcomms[i], "" from *num_steps on; or NULL
 * @param num_steps  the number of steps of this process, which need not be equal at all. It is larger than max_steps if
 * the arrays are too short: they then have the outermost steps.
 *
 * The caller frees the communicators.
 *
 * @return MPI_SUCCESS; at all processes MPI_ERR_COMM if comm is an intercommunicator, and MPI_ERR_ARG if max_steps is
 * negative or differs, or a result other than types is NULL at one of them; else as MPI_Comm_split_type
 */
int MPIX_Comm_split_hierarchy(MPI_Comm comm, int max_steps, MPI_Comm newcomms[], MPI_Comm rootscomms[],
                              const char *types[], int *num_steps);
int PMPIX_Comm_split_hierarchy(MPI_Comm comm, int max_steps, MPI_Comm newcomms[], MPI_Comm rootscomms[],
                               const char *types[], int *num_steps);

/* ---- queries; all local ---- */

/**
 * Returns the resource types of the job, outermost first: the levels down to the node that some process knows, and the
 * types of the machines. Local. Source: HSplit, 2.1.
 *
 * @param numlevels  the number of types
 * @param info  MPI_INFO_NULL, or an info object that gets the keys MPI_HW_LEVEL0, MPI_HW_LEVEL1, .. with the URIs of
 * the types. Keys and values can both be values of MPI_HW_DOMAIN_TYPE and mpi_hw_resource_type.
 *
 * @return MPI_SUCCESS; MPI_ERR_ARG if numlevels is NULL; MPI_ERR_COMM outside of MPI_Init; MPI_ERR_NO_MEM
 */
int MPIX_Get_hw_topology_info(int *numlevels, MPI_Info info);
int PMPIX_Get_hw_topology_info(int *numlevels, MPI_Info info);

/**
 * Returns the origin of a communicator that a split made, or a duplicate of one. Local. Source: HSplit, 2.2.
 *
 * @param comm  a communicator
 * @param num_subcomms  the number of communicators of that split; 1 for any other communicator
 * @param rank  the position of comm among them, by their lowest rank in the parent; else 0
 * @param type  the resource type of comm; else "Unknown"
 * @param info  not read; may be MPI_INFO_NULL
 *
 * @return MPI_SUCCESS; MPI_ERR_COMM; MPI_ERR_ARG if a result is NULL
 */
int MPIX_Get_hw_domain_info(MPI_Comm comm, int *num_subcomms, int *rank, char **type, MPI_Info info);
int PMPIX_Get_hw_domain_info(MPI_Comm comm, int *num_subcomms, int *rank, char **type, MPI_Info info);

/**
 * Returns the deepest resource type that has one instance with all of the given ranks. Local. Source: HSplit, 2.3.
 *
 * @param comm  a communicator
 * @param size  the number of ranks
 * @param ranks  ranks of comm
 * @param type  the resource type; "Invalid" if the caller is none of the ranks (so for size 0, too); "Unknown" if there
 * is no such type
 *
 * @return MPI_SUCCESS; MPI_ERR_COMM; MPI_ERR_RANK if a rank is out of range; MPI_ERR_ARG if size is negative or a
 * pointer is NULL; MPI_ERR_NO_MEM
 */
int MPIX_Get_min_hw_domain(MPI_Comm comm, int size, int *ranks, char **type);
int PMPIX_Get_min_hw_domain(MPI_Comm comm, int size, int *ranks, char **type);

/**
 * MPIX_Get_min_hw_domain, with the type as the value of the info key MPI_HIER_LEVEL; MPI_ERR_INFO if info is none.
 * Local. Source: the MPI Forum's slides of 2017.
 */
int MPI_Get_min_hierarchy(MPI_Comm comm, int size, int *ranks, MPI_Info info);
int PMPI_Get_min_hierarchy(MPI_Comm comm, int size, int *ranks, MPI_Info info);

/* Metrics of MPIX_Get_hw_domain_neighbours: lists of resource types. */
#define MPIX_HW_METRIC_COMPUTE 1 /* PU, Core, L1Cache .. L5Cache, Package */
#define MPIX_HW_METRIC_MEMORY 2  /* NUMANode, Package, L2NUMA, Machine */
#define MPIX_HW_METRIC_NETWORK 3 /* Node, Switch, Island, Cluster */
/**
 * Returns the processes of comm within a number of hops of the caller. Each hop leads outward to the next of the
 * metric's resource types that the caller is restricted to. Local. Source: HSplit, 1.2.
 *
 * @param comm  a communicator
 * @param hops  0: the caller alone; more than there are types: the instance of the last one
 * @param metric  one of the three above
 * @param newgroup  the processes in the order of their ranks, which the caller frees; MPI_GROUP_EMPTY without a table
 *
 * @return MPI_SUCCESS; MPI_ERR_COMM; MPI_ERR_ARG if hops is negative, metric is another or newgroup is NULL;
 * MPI_ERR_NO_MEM
 */
int MPIX_Get_hw_domain_neighbours(MPI_Comm comm, int hops, int metric, MPI_Group *newgroup);
int PMPIX_Get_hw_domain_neighbours(MPI_Comm comm, int hops, int metric, MPI_Group *newgroup);

/* ---- registered communicators, which profiles show; all functions are local and thread safe ---- */

/**
 * Registers a communicator under a name. A second call gives the same registration another name. A duplicate of comm is
 * not registered. The registration ends with MPIX_Comm_unregister, with comm, or with MPI_Finalize; if comm is
 * registered again, its counts go on. MPI_COMM_WORLD is registered from the start, unless the MCA variable
 * hitopo_base_register_world is false. Local; thread safe; calls no error handler.
 *
 * @param comm  a communicator
 * @param name  copied; NULL or "": comm's own name (MPI_Comm_get_name). Names may repeat.
 *
 * @return MPI_SUCCESS; MPI_ERR_COMM if comm is NULL, MPI_COMM_NULL or freed; MPI_ERR_OTHER before MPI_Init or after
 *         MPI_Finalize; MPI_ERR_NO_MEM
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
 * @param comm  anything
 *
 * @return 1 if comm is a registered communicator, else 0
 */
int MPIX_Comm_is_registered(MPI_Comm comm);
int PMPIX_Comm_is_registered(MPI_Comm comm);

/* The same under their original names. A program that uses these names for something else defines
 * MPIX_HITOPO_NO_SHORT_NAMES. They are in no library, since that would take the names from all programs. Source:
 * `Register a communicator', 2011. */
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
