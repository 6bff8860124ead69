/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions of mpiext_hitopo_c.h for Fortran, as mpif.h and the modules hitopo and hitopo_f08 call
 * them: everything by reference, the lengths of character arguments after all others, and a null pointer
 * for an ierror of mpi_f08 that is left out. Like Open MPI's own Fortran they call PMPI_.
 *
 * Lengths are int, as in Open MPI: callers that pass eight bytes leave the four that count in the same
 * register or stack slot.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "ompi_config.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "ompi/mpiext/hitopo/c/mpiext_hitopo_c.h"

/* The four usual manglings of a name. */
#define FORTRAN_NAMES(lower, UPPER, function) \
    FORTRAN_NAME(lower, function);            \
    FORTRAN_NAME(lower##_, function);         \
    FORTRAN_NAME(lower##__, function);        \
    FORTRAN_NAME(UPPER, function)
#define FORTRAN_NAME(name, function) \
    extern __typeof__(function) name __attribute__((alias(#function), visibility("default")))

/* A tool behind us that has the name gets the call, as by HITOPO_MPI_NAME, and calls the one with p. */
#define FORTRAN_NAMES_OR_TOOL(lower, UPPER, function, parameters, arguments)                          \
    void function##_##lower parameters                                                                \
    {                                                                                                 \
        static __typeof__(function) *_Atomic first;                                                   \
                                                                                                      \
        if (NULL == first) {                                                                          \
            __typeof__(function) *const tool = (__typeof__(function) *) dlsym(RTLD_NEXT, #lower "_"); \
            first = NULL == tool ? function : tool;                                                   \
        }                                                                                             \
        first arguments;                                                                              \
    }                                                                                                 \
    FORTRAN_NAMES(lower, UPPER, function##_##lower)

/* Begins a function by its names of mpif.h and use mpi, those of mpi_f08, and those that tools call. */
#define FORTRAN_FUNCTION(lower, UPPER, function, parameters, arguments)               \
    void function parameters;                                                         \
    FORTRAN_NAMES(p##lower, P##UPPER, function);                                      \
    FORTRAN_NAMES(p##lower##_f08, P##UPPER##_F08, function);                          \
    FORTRAN_NAMES_OR_TOOL(lower, UPPER, function, parameters, arguments);             \
    FORTRAN_NAMES_OR_TOOL(lower##_f08, UPPER##_F08, function, parameters, arguments); \
    void function parameters

static int min(int a, int b)
{
    return a < b ? a : b;
}

static int give_error(MPI_Fint *ierror, int rc)
{
    if (NULL != ierror) {
        *ierror = rc;
    }
    return MPI_SUCCESS == rc;
}

/* Copies a string, cut or padded with blanks, as in a Fortran assignment. */
static void give_string(char *to, int to_length, const char *from)
{
    const int num_chars = min(to_length, (int) strlen(from));

    memcpy(to, from, num_chars);
    memset(to + num_chars, ' ', to_length - num_chars);
}

static int out_of_memory(MPI_Comm comm)
{
    PMPI_Comm_call_errhandler(comm, MPI_ERR_NO_MEM);
    return MPI_ERR_NO_MEM;
}

/* ---- splitting ---- */

FORTRAN_FUNCTION(mpix_comm_split_type, MPIX_COMM_SPLIT_TYPE, hitopo_split_type_f,
                 (MPI_Fint * comm, MPI_Fint *split_type, MPI_Fint *key, MPI_Fint *info, MPI_Fint *newcomm,
                  MPI_Fint *ierror),
                 (comm, split_type, key, info, newcomm, ierror))
{
    MPI_Comm c_newcomm;
    int rc = PMPIX_Comm_split_type(PMPI_Comm_f2c(*comm), *split_type, *key, PMPI_Info_f2c(*info), &c_newcomm);

    if (give_error(ierror, rc)) {
        *newcomm = PMPI_Comm_c2f(c_newcomm);
    }
}

FORTRAN_FUNCTION(mpix_comm_split_roots, MPIX_COMM_SPLIT_ROOTS, hitopo_split_roots_f,
                 (MPI_Fint * comm, MPI_Fint *split_type, MPI_Fint *key, MPI_Fint *info, MPI_Fint *newcomm,
                  MPI_Fint *rootscomm, MPI_Fint *ierror),
                 (comm, split_type, key, info, newcomm, rootscomm, ierror))
{
    MPI_Comm c_newcomm, c_rootscomm;
    int rc =
        PMPIX_Comm_split_roots(PMPI_Comm_f2c(*comm), *split_type, *key, PMPI_Info_f2c(*info), &c_newcomm, &c_rootscomm);

    if (give_error(ierror, rc)) {
        *newcomm = PMPI_Comm_c2f(c_newcomm);
        *rootscomm = PMPI_Comm_c2f(c_rootscomm);
    }
}

FORTRAN_FUNCTION(mpix_comm_split_hierarchy, MPIX_COMM_SPLIT_HIERARCHY, hitopo_split_hierarchy_f,
                 (MPI_Fint * comm, MPI_Fint *max_steps, MPI_Fint *newcomms, MPI_Fint *rootscomms, char *types,
                  MPI_Fint *num_steps, MPI_Fint *ierror, int type_length),
                 (comm, max_steps, newcomms, rootscomms, types, num_steps, ierror, type_length))
{
    const size_t num_entries = *max_steps > 0 ? (size_t) *max_steps : 0;
    MPI_Comm c_comm = PMPI_Comm_f2c(*comm);
    /* One entry more: of no bytes malloc may give NULL. */
    MPI_Comm *c_newcomms = malloc((num_entries + 1) * sizeof(*c_newcomms));
    MPI_Comm *c_rootscomms = malloc((num_entries + 1) * sizeof(*c_rootscomms));
    const char **c_types = malloc((num_entries + 1) * sizeof(*c_types));
    int c_num_steps, rc;

    if (NULL == c_newcomms || NULL == c_rootscomms || NULL == c_types) {
        rc = out_of_memory(c_comm);
    } else {
        rc = PMPIX_Comm_split_hierarchy(c_comm, *max_steps, c_newcomms, c_rootscomms, c_types, &c_num_steps);
    }
    if (give_error(ierror, rc)) {
        *num_steps = c_num_steps;
        for (size_t i = 0; i < num_entries; ++i) {
            newcomms[i] = PMPI_Comm_c2f(c_newcomms[i]);
            rootscomms[i] = PMPI_Comm_c2f(c_rootscomms[i]);
            give_string(types + i * type_length, type_length, c_types[i]);
        }
    }
    free(c_newcomms);
    free(c_rootscomms);
    free(c_types);
}

/* ---- questions ---- */

FORTRAN_FUNCTION(mpix_get_hw_topology_info, MPIX_GET_HW_TOPOLOGY_INFO, hitopo_topology_info_f,
                 (MPI_Fint * numlevels, MPI_Fint *info, MPI_Fint *ierror), (numlevels, info, ierror))
{
    int c_numlevels;

    if (give_error(ierror, PMPIX_Get_hw_topology_info(&c_numlevels, PMPI_Info_f2c(*info)))) {
        *numlevels = c_numlevels;
    }
}

FORTRAN_FUNCTION(mpix_get_hw_domain_info, MPIX_GET_HW_DOMAIN_INFO, hitopo_domain_info_f,
                 (MPI_Fint * comm, MPI_Fint *num_subcomms, MPI_Fint *rank, char *type, MPI_Fint *info, MPI_Fint *ierror,
                  int type_length),
                 (comm, num_subcomms, rank, type, info, ierror, type_length))
{
    int c_num_subcomms, c_rank;
    char *c_type;
    int rc = PMPIX_Get_hw_domain_info(PMPI_Comm_f2c(*comm), &c_num_subcomms, &c_rank, &c_type, PMPI_Info_f2c(*info));

    if (give_error(ierror, rc)) {
        *num_subcomms = c_num_subcomms;
        *rank = c_rank;
        give_string(type, type_length, c_type);
    }
}

/* A Fortran INTEGER may be longer than an int. NULL without memory. The caller frees. */
static int *copy_ranks(MPI_Fint size, const MPI_Fint *ranks)
{
    const size_t num_ranks = size > 0 ? (size_t) size : 0;
    int *copy = malloc((num_ranks + 1) * sizeof(*copy));

    for (size_t i = 0; NULL != copy && i < num_ranks; ++i) {
        copy[i] = ranks[i];
    }
    return copy;
}

FORTRAN_FUNCTION(mpix_get_min_hw_domain, MPIX_GET_MIN_HW_DOMAIN, hitopo_min_domain_f,
                 (MPI_Fint * comm, MPI_Fint *size, MPI_Fint *ranks, char *type, MPI_Fint *ierror, int type_length),
                 (comm, size, ranks, type, ierror, type_length))
{
    MPI_Comm c_comm = PMPI_Comm_f2c(*comm);
    int *c_ranks = copy_ranks(*size, ranks);
    char *c_type;
    int rc = NULL == c_ranks ? out_of_memory(c_comm) : PMPIX_Get_min_hw_domain(c_comm, *size, c_ranks, &c_type);

    if (give_error(ierror, rc)) {
        give_string(type, type_length, c_type);
    }
    free(c_ranks);
}

FORTRAN_FUNCTION(mpix_get_min_hierarchy, MPIX_GET_MIN_HIERARCHY, hitopo_min_hierarchy_f,
                 (MPI_Fint * comm, MPI_Fint *size, MPI_Fint *ranks, MPI_Fint *info, MPI_Fint *ierror),
                 (comm, size, ranks, info, ierror))
{
    MPI_Comm c_comm = PMPI_Comm_f2c(*comm);
    int *c_ranks = copy_ranks(*size, ranks);

    give_error(ierror, NULL == c_ranks ? out_of_memory(c_comm)
                                       : PMPIX_Get_min_hierarchy(c_comm, *size, c_ranks, PMPI_Info_f2c(*info)));
    free(c_ranks);
}

FORTRAN_FUNCTION(mpix_get_hw_domain_neighbours, MPIX_GET_HW_DOMAIN_NEIGHBOURS, hitopo_neighbours_f,
                 (MPI_Fint * comm, MPI_Fint *hops, MPI_Fint *metric, MPI_Fint *newgroup, MPI_Fint *ierror),
                 (comm, hops, metric, newgroup, ierror))
{
    MPI_Group c_newgroup;

    if (give_error(ierror, PMPIX_Get_hw_domain_neighbours(PMPI_Comm_f2c(*comm), *hops, *metric, &c_newgroup))) {
        *newgroup = PMPI_Group_c2f(c_newgroup);
    }
}

/* ---- registered communicators ---- */

/* The name lacks the blanks that fill the variable. A name of blanks is none. */
FORTRAN_FUNCTION(mpix_comm_register, MPIX_COMM_REGISTER, hitopo_register_f,
                 (MPI_Fint * comm, char *name, MPI_Fint *ierror, int name_length), (comm, name, ierror, name_length))
{
    while (name_length > 0 && ' ' == name[name_length - 1]) {
        --name_length;
    }
    char *c_name = strndup(name, name_length);

    give_error(ierror, NULL == c_name ? MPI_ERR_NO_MEM : PMPIX_Comm_register(PMPI_Comm_f2c(*comm), c_name));
    free(c_name);
}

FORTRAN_FUNCTION(mpix_comm_unregister, MPIX_COMM_UNREGISTER, hitopo_unregister_f, (MPI_Fint * comm, MPI_Fint *ierror),
                 (comm, ierror))
{
    give_error(ierror, PMPIX_Comm_unregister(PMPI_Comm_f2c(*comm)));
}

FORTRAN_FUNCTION(mpix_comm_is_registered, MPIX_COMM_IS_REGISTERED, hitopo_is_registered_f,
                 (MPI_Fint * comm, ompi_fortran_logical_t *flag, MPI_Fint *ierror), (comm, flag, ierror))
{
    *flag = PMPIX_Comm_is_registered(PMPI_Comm_f2c(*comm)) ? OMPI_FORTRAN_VALUE_TRUE : 0;
    give_error(ierror, MPI_SUCCESS);
}

/* ---- of the MPI standard, where Open MPI lacks it ---- */

#if OMPI_MAJOR_VERSION < 6
FORTRAN_FUNCTION(mpi_get_hw_resource_info, MPI_GET_HW_RESOURCE_INFO, hitopo_resource_info_f,
                 (MPI_Fint * hw_info, MPI_Fint *ierror), (hw_info, ierror))
{
    MPI_Info c_info;

    if (give_error(ierror, PMPI_Get_hw_resource_info(&c_info))) {
        *hw_info = PMPI_Info_c2f(c_info);
    }
}
#endif

#if OMPI_MAJOR_VERSION < 5
/* The key without blanks around it; one that is too long stays so, for C to refuse. */
static void take_key(char c_key[MPI_MAX_INFO_KEY + 2], const char *key, int length)
{
    while (length > 0 && ' ' == key[0]) {
        ++key;
        --length;
    }
    while (length > 0 && ' ' == key[length - 1]) {
        --length;
    }
    length = min(length, MPI_MAX_INFO_KEY + 1);
    memcpy(c_key, key, length);
    c_key[length] = '\0';
}

/* buflen counts characters; in C, a NUL too. */
FORTRAN_FUNCTION(mpi_info_get_string, MPI_INFO_GET_STRING, hitopo_info_get_string_f,
                 (MPI_Fint * info, char *key, MPI_Fint *buflen, char *value, ompi_fortran_logical_t *flag,
                  MPI_Fint *ierror, int key_length, int value_length),
                 (info, key, buflen, value, flag, ierror, key_length, value_length))
{
    char c_key[MPI_MAX_INFO_KEY + 2], c_value[MPI_MAX_INFO_VAL + 1];
    const int room = min(min(*buflen, value_length), MPI_MAX_INFO_VAL);
    int c_buflen = room > 0 ? room + 1 : room, c_flag;

    take_key(c_key, key, key_length);
    if (!give_error(ierror, PMPI_Info_get_string(PMPI_Info_f2c(*info), c_key, &c_buflen, c_value, &c_flag))) {
        return;
    }
    *flag = c_flag ? OMPI_FORTRAN_VALUE_TRUE : 0;
    if (c_flag && room > 0) {
        give_string(value, value_length, c_value);
    }
    if (c_flag) {
        *buflen = c_buflen - 1;
    }
}
#endif
