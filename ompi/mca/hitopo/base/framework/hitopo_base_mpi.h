/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Functions that Open MPI hides from components built out of its tree, and gives programs as functions of MPI. In tree
 * HiTopo may not call those: from 6.1 on it lies in libopen_mpi, below libmpi (Open MPI's
 * config/ompi_check_layering.sh).
 */
#ifndef OMPI_MCA_HITOPO_BASE_FRAMEWORK_HITOPO_BASE_MPI_H
#define OMPI_MCA_HITOPO_BASE_FRAMEWORK_HITOPO_BASE_MPI_H

#include "ompi_config.h"

#include "mpi.h"

/* Made by Open MPI's configure. */
#if __has_include("ompi/mca/hitopo/base/static-components.h")
#define HITOPO_IN_TREE 1
#else
#define HITOPO_IN_TREE 0
#endif

#if HITOPO_IN_TREE

#include "ompi/attribute/attribute.h"
#include "ompi/communicator/communicator.h"
#include "ompi/group/group.h"
#include "ompi/op/op.h"

static inline int hitopo_mpi_create_keyval(MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *forget,
                                           int *keyval, void *extra)
{
    ompi_attribute_fn_ptr_union_t copy_fn = {.attr_communicator_copy_fn = copy};
    ompi_attribute_fn_ptr_union_t forget_fn = {.attr_communicator_delete_fn = forget};

    return ompi_attr_create_keyval(COMM_ATTR, copy_fn, forget_fn, keyval, extra, 0, NULL);
}

static inline int hitopo_mpi_free_keyval(int *keyval)
{
    return ompi_attr_free_keyval(COMM_ATTR, keyval, false);
}

static inline int hitopo_mpi_set_attr(MPI_Comm comm, int keyval, void *value)
{
    return ompi_attr_set_c(COMM_ATTR, comm, &comm->c_keyhash, keyval, value, false);
}

static inline int hitopo_mpi_get_attr(MPI_Comm comm, int keyval, void **value, int *is_there)
{
    return ompi_attr_get_c(comm->c_keyhash, keyval, value, is_there);
}

static inline int hitopo_mpi_delete_attr(MPI_Comm comm, int keyval)
{
    return ompi_attr_delete(COMM_ATTR, comm, comm->c_keyhash, keyval, false);
}

static inline int hitopo_mpi_group_incl(MPI_Group group, int size, const int *ranks, MPI_Group *made)
{
    return ompi_group_incl(group, size, ranks, made);
}

static inline bool hitopo_mpi_is_commutative(MPI_Op op)
{
    return ompi_op_is_commute(op);
}

#else

#include <stdbool.h>

static inline int hitopo_mpi_create_keyval(MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *forget,
                                           int *keyval, void *extra)
{
    return PMPI_Comm_create_keyval(copy, forget, keyval, extra);
}

static inline int hitopo_mpi_free_keyval(int *keyval)
{
    return PMPI_Comm_free_keyval(keyval);
}

static inline int hitopo_mpi_set_attr(MPI_Comm comm, int keyval, void *value)
{
    return PMPI_Comm_set_attr(comm, keyval, value);
}

static inline int hitopo_mpi_get_attr(MPI_Comm comm, int keyval, void **value, int *is_there)
{
    return PMPI_Comm_get_attr(comm, keyval, value, is_there);
}

static inline int hitopo_mpi_delete_attr(MPI_Comm comm, int keyval)
{
    return PMPI_Comm_delete_attr(comm, keyval);
}

static inline int hitopo_mpi_group_incl(MPI_Group group, int size, const int *ranks, MPI_Group *made)
{
    return PMPI_Group_incl(group, size, ranks, made);
}

static inline bool hitopo_mpi_is_commutative(MPI_Op op)
{
    int commutes = 0;

    return MPI_SUCCESS == PMPI_Op_commutative(op, &commutes) && 0 != commutes;
}

#endif

#endif
