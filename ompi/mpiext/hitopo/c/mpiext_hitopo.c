/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The extension's functions in C. Each is a PMPI_ function, and has its MPI_ name by HITOPO_MPI_NAME, so that tools can
 * stand between. Those of the standard are libmpi_abi's in a program of MPI's standard ABI.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "ompi_config.h"

#include <string.h>

#include "ompi/communicator/comm_hwsplit.h"
#include "ompi/communicator/registry/registered.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_abi.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_next.h"
#include "ompi/mpiext/hitopo/c/mpiext_hitopo_c.h"

/* Constants that splits have under names of their own. */
#define HAS_SPLIT_TYPE(prefix, name) \
    _Static_assert((int) prefix##_##name == (int) HITOPO_COMM_TYPE_##name, "comm_hwsplit.h")
HAS_SPLIT_TYPE(MPI_COMM_TYPE, HW_UNGUIDED);
HAS_SPLIT_TYPE(MPI_COMM_TYPE, HW_GUIDED);
HAS_SPLIT_TYPE(MPI_COMM_TYPE, RESOURCE_GUIDED);
HAS_SPLIT_TYPE(MPIX_COMM_TYPE, HW_DOMAIN);
HAS_SPLIT_TYPE(MPIX_COMM_TYPE, PHYSICAL_TOPOLOGY);
HAS_SPLIT_TYPE(MPIX_COMM_TYPE, ADDRESS_SPACE);

OMPI_DECLSPEC int PMPIX_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    return PMPI_Comm_split_type(comm, split_type, key, info, newcomm);
}
HITOPO_MPI_NAME(MPIX_Comm_split_type, (MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm),
                (comm, split_type, key, info, newcomm))

/* An MPI_Info begins with its opal_info_t. */
static int own_split_type(MPI_Comm comm, int split_type, int key, struct opal_info_t *info, MPI_Comm *newcomm)
{
    return PMPI_Comm_split_type(comm, split_type, key, (MPI_Info) info, newcomm);
}

OMPI_DECLSPEC int PMPIX_Comm_split_roots(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm,
                                         MPI_Comm *rootscomm)
{
    return ompi_hitopo_split_roots(comm, split_type, key, info, newcomm, rootscomm, own_split_type);
}
HITOPO_MPI_NAME(MPIX_Comm_split_roots,
                (MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm, MPI_Comm *rootscomm),
                (comm, split_type, key, info, newcomm, rootscomm))

OMPI_DECLSPEC int PMPIX_Comm_split_hierarchy(MPI_Comm comm, int max_steps, MPI_Comm newcomms[], MPI_Comm rootscomms[],
                                             const char *types[], int *num_steps)
{
    return ompi_hitopo_split_hierarchy(comm, max_steps, newcomms, rootscomms, types, num_steps);
}
HITOPO_MPI_NAME(MPIX_Comm_split_hierarchy,
                (MPI_Comm comm, int max_steps, MPI_Comm newcomms[], MPI_Comm rootscomms[], const char *types[],
                 int *num_steps),
                (comm, max_steps, newcomms, rootscomms, types, num_steps))

OMPI_DECLSPEC int PMPIX_Get_hw_topology_info(int *numlevels, MPI_Info info)
{
    return ompi_hitopo_hw_topology_info(numlevels, info);
}
HITOPO_MPI_NAME(MPIX_Get_hw_topology_info, (int *numlevels, MPI_Info info), (numlevels, info))

/* HSplit's char ** points to constants. */
OMPI_DECLSPEC int PMPIX_Get_hw_domain_info(MPI_Comm comm, int *num_subcomms, int *rank, char **type, MPI_Info info)
{
    (void) info;
    return ompi_hitopo_hw_domain_info(comm, num_subcomms, rank, (const char **) type);
}
HITOPO_MPI_NAME(MPIX_Get_hw_domain_info, (MPI_Comm comm, int *num_subcomms, int *rank, char **type, MPI_Info info),
                (comm, num_subcomms, rank, type, info))

OMPI_DECLSPEC int PMPIX_Get_min_hw_domain(MPI_Comm comm, int size, int *ranks, char **type)
{
    return ompi_hitopo_min_hw_domain(comm, size, ranks, (const char **) type);
}
HITOPO_MPI_NAME(MPIX_Get_min_hw_domain, (MPI_Comm comm, int size, int *ranks, char **type), (comm, size, ranks, type))

OMPI_DECLSPEC int PMPIX_Get_min_hierarchy(MPI_Comm comm, int size, int *ranks, MPI_Info info)
{
    return ompi_hitopo_min_hierarchy(comm, size, ranks, info);
}
HITOPO_MPI_NAME(MPIX_Get_min_hierarchy, (MPI_Comm comm, int size, int *ranks, MPI_Info info), (comm, size, ranks, info))

OMPI_DECLSPEC int PMPIX_Get_hw_domain_neighbours(MPI_Comm comm, int hops, int metric, MPI_Group *newgroup)
{
    return ompi_hitopo_hw_neighbours(comm, hops, metric, newgroup);
}
HITOPO_MPI_NAME(MPIX_Get_hw_domain_neighbours, (MPI_Comm comm, int hops, int metric, MPI_Group *newgroup),
                (comm, hops, metric, newgroup))

/* ---- registered communicators ---- */

OMPI_DECLSPEC int PMPIX_Comm_register(MPI_Comm comm, const char *name)
{
    (void) name; /* the profiler reads it, which stands before this function */
    return ompi_hitopo_comm_register(comm);
}
HITOPO_MPI_NAME(MPIX_Comm_register, (MPI_Comm comm, const char *name), (comm, name))

OMPI_DECLSPEC int PMPIX_Comm_unregister(MPI_Comm comm)
{
    return ompi_hitopo_comm_unregister(comm);
}
HITOPO_MPI_NAME(MPIX_Comm_unregister, (MPI_Comm comm), (comm))

OMPI_DECLSPEC int PMPIX_Comm_is_registered(MPI_Comm comm)
{
    return ompi_hitopo_comm_is_registered(comm);
}
HITOPO_MPI_NAME(MPIX_Comm_is_registered, (MPI_Comm comm), (comm))

/* ---- of the standard ---- */

/* It may come before MPI_Init. Open MPI's own, where it has one and HiTopo is in its tree, calls HiTopo's. */
#if !HITOPO_IN_TREE || OMPI_MAJOR_VERSION < 6
OMPI_DECLSPEC int PMPI_Get_hw_resource_info(MPI_Info *hw_info)
{
    if (ompi_hitopo_base_find_abi()) {
        __typeof__(PMPI_Get_hw_resource_info) *const next = HITOPO_NEXT(PMPI_Get_hw_resource_info);
        return NULL == next ? MPI_ERR_OTHER : next(hw_info);
    }
    return ompi_hitopo_hw_resource_info(hw_info);
}
HITOPO_MPI_NAME(MPI_Get_hw_resource_info, (MPI_Info * hw_info), (hw_info))
#endif

#if OMPI_MAJOR_VERSION < 5
OMPI_DECLSPEC int PMPI_Info_get_string(MPI_Info info, const char *key, int *buflen, char *value, int *flag)
{
    char whole[MPI_MAX_INFO_VAL + 1];
    int length = 0;

    if (ompi_hitopo_base_stays_out()) {
        __typeof__(PMPI_Info_get_string) *const next = HITOPO_NEXT(PMPI_Info_get_string);
        return NULL == next ? MPI_ERR_OTHER : next(info, key, buflen, value, flag);
    }
    int rc = PMPI_Info_get_valuelen(info, key, &length, flag);

    if (MPI_SUCCESS != rc || !*flag) {
        return rc;
    }
    if (0 < *buflen) {
        rc = PMPI_Info_get(info, key, MPI_MAX_INFO_VAL, whole, flag);
        int kept = length < *buflen ? length : *buflen - 1;
        memcpy(value, whole, (size_t) kept);
        value[kept] = '\0';
    }
    *buflen = length + 1;
    return rc;
}
HITOPO_MPI_NAME(MPI_Info_get_string, (MPI_Info info, const char *key, int *buflen, char *value, int *flag),
                (info, key, buflen, value, flag))
#endif
