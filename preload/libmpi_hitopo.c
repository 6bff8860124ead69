/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The hook for processes whose Open MPI does not find it: a library to link (-lmpi_hitopo) or to preload, whose
 * functions call the next ones. Both names of each function are ours, so that C, Fortran (which calls PMPI_), Python
 * and tools before and behind us all arrive.
 *
 * MPI_Comm_split_type is HiTopo's own; its next definition serves communicators without a table. MPI_Cart_map and
 * MPI_Graph_map ask topo/hitopo. In a program of MPI's standard ABI all of them only call the next ones, which are
 * libmpi_abi's: it is the program's own library, and ours brings libmpi after it.
 *
 * MPI_Finalize is wrapped too: a callback of ompi_hook_base_register_callbacks would do, but Open MPI
 * never frees its list of them (docs/upstream.md).
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "ompi_config.h"

#include <stdio.h>
#include <string.h>

#include "mpi.h"

#include "opal/util/info.h"

#if OMPI_MAJOR_VERSION >= 5
#include "ompi/instance/instance.h"
#endif

#include "ompi/communicator/comm_hwsplit.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_abi.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_next.h"
#include "ompi/mca/hitopo/base/framework/hitopo_base_topo_map.h"

/* Libraries that a program is linked with come before those that this library needs, and these before the needs of the
 * program's other libraries. A libmpi_abi of these would never be called. */
__attribute__((constructor)) static void look_at_order(void)
{
    Dl_info first;

    if (ompi_hitopo_base_find_abi() && 0 != dladdr(dlsym(RTLD_DEFAULT, "PMPI_Comm_rank"), &first)
        && NULL != strstr(first.dli_fname, "/libmpi.so")) {
        fputs("HiTopo: only a library of this program is linked with libmpi_abi, and HiTopo loads libmpi before it.\n"
              "The program would fail: start it without HiTopo (--tune, LD_PRELOAD), or link the program itself with\n"
              "libmpi_abi.\n",
              stderr);
    }
}

/* A profiler's MPI_Init may call PMPI_Init, which is ours again: only the outermost call acts. */
static _Thread_local int depth = 0;

static void enter_init(void)
{
    if (0 == depth++) {
        ompi_hitopo_join_communicators();
        ompi_hitopo_base_announce();
    }
}

static int leave_init(int rc)
{
    if (0 == --depth && MPI_SUCCESS == rc) {
        ompi_hitopo_base_start();
    }
    return rc;
}

OMPI_DECLSPEC int MPI_Init(int *argc, char ***argv)
{
    enter_init();
    return leave_init(HITOPO_NEXT(MPI_Init)(argc, argv));
}

OMPI_DECLSPEC int PMPI_Init(int *argc, char ***argv)
{
    enter_init();
    return leave_init(HITOPO_NEXT(PMPI_Init)(argc, argv));
}

OMPI_DECLSPEC int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    enter_init();
    return leave_init(HITOPO_NEXT(MPI_Init_thread)(argc, argv, required, provided));
}

OMPI_DECLSPEC int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    enter_init();
    return leave_init(HITOPO_NEXT(PMPI_Init_thread)(argc, argv, required, provided));
}

OMPI_DECLSPEC int MPI_Finalize(void)
{
    ompi_hitopo_base_finalize();
    return HITOPO_NEXT(MPI_Finalize)();
}

OMPI_DECLSPEC int PMPI_Finalize(void)
{
    ompi_hitopo_base_finalize();
    return HITOPO_NEXT(PMPI_Finalize)();
}

#if OMPI_MAJOR_VERSION >= 5

/* MPI sessions: the announcement of a process travels with the fence of its first one. The first call that needs an
 * address does the rest. */
static void enter_session(void)
{
    ompi_hitopo_join_communicators();
    ompi_hitopo_base_announce();
}

static void leave_session(void)
{
    if (1 == ompi_instance_count) {
        ompi_hitopo_base_stop_without_world();
    }
}

OMPI_DECLSPEC int MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session)
{
    enter_session();
    return HITOPO_NEXT(MPI_Session_init)(info, errhandler, session);
}

OMPI_DECLSPEC int PMPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session)
{
    enter_session();
    return HITOPO_NEXT(PMPI_Session_init)(info, errhandler, session);
}

OMPI_DECLSPEC int MPI_Session_finalize(MPI_Session *session)
{
    leave_session();
    return HITOPO_NEXT(MPI_Session_finalize)(session);
}

OMPI_DECLSPEC int PMPI_Session_finalize(MPI_Session *session)
{
    leave_session();
    return HITOPO_NEXT(PMPI_Session_finalize)(session);
}

#endif

/* An MPI_Info begins with its opal_info_t. */
static int own_split_type(MPI_Comm comm, int split_type, int key, opal_info_t *info, MPI_Comm *newcomm)
{
    return HITOPO_NEXT(PMPI_Comm_split_type)(comm, split_type, key, (MPI_Info) info, newcomm);
}

OMPI_DECLSPEC int PMPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    return ompi_hitopo_base_has_abi() ? HITOPO_NEXT(PMPI_Comm_split_type)(comm, split_type, key, info, newcomm)
                                      : ompi_hitopo_split_type(comm, split_type, key, info, newcomm, own_split_type);
}
HITOPO_MPI_NAME(MPI_Comm_split_type, (MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm),
                (comm, split_type, key, info, newcomm))

/* The next one has looked at the arguments, and served communicators that have a topology. */
OMPI_DECLSPEC int PMPI_Cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank)
{
    int rc = HITOPO_NEXT(PMPI_Cart_map)(comm, ndims, dims, periods, newrank);

    if (MPI_SUCCESS == rc && !ompi_hitopo_base_has_abi()) {
        (void) ompi_hitopo_base_cart_map(comm, ndims, dims, periods, newrank);
    }
    return rc;
}
HITOPO_MPI_NAME(MPI_Cart_map, (MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank),
                (comm, ndims, dims, periods, newrank))

OMPI_DECLSPEC int PMPI_Graph_map(MPI_Comm comm, int nnodes, const int index[], const int edges[], int *newrank)
{
    int rc = HITOPO_NEXT(PMPI_Graph_map)(comm, nnodes, index, edges, newrank);

    if (MPI_SUCCESS == rc && !ompi_hitopo_base_has_abi()) {
        (void) ompi_hitopo_base_graph_map(comm, nnodes, index, edges, newrank);
    }
    return rc;
}
HITOPO_MPI_NAME(MPI_Graph_map, (MPI_Comm comm, int nnodes, const int index[], const int edges[], int *newrank),
                (comm, nnodes, index, edges, newrank))
