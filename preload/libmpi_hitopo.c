/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The same for processes whose Open MPI does not find the hook: a library to link (-lmpi_hitopo) or to
 * preload, whose functions call the next ones. Both names of each function are ours, so that C, Fortran
 * (which calls PMPI_), Python and profilers all arrive.
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

#include <dlfcn.h>
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
#include "ompi/mca/hitopo/base/framework/hitopo_base_topo_map.h"

/* What a program is linked with comes before what this library needs, and that before what the program's other
 * libraries need. A libmpi_abi of these would never be called. */
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

/* ISO C has no cast from an object pointer to a function pointer. */
typedef union next_t {
    void *address;
    int (*init)(int *, char ***);
    int (*init_thread)(int *, char ***, int, int *);
    int (*finalize)(void);
#if OMPI_MAJOR_VERSION >= 5
    int (*session_init)(MPI_Info, MPI_Errhandler, MPI_Session *);
    int (*session_finalize)(MPI_Session *);
#endif
    int (*split_type)(MPI_Comm, int, int, MPI_Info, MPI_Comm *);
    int (*map)(MPI_Comm, int, const int *, const int *, int *);
} next_t;

static int init_next(const char *name, int *argc, char ***argv)
{
    next_t next = {dlsym(RTLD_NEXT, name)};

    if (NULL == next.address) {
        return MPI_ERR_OTHER;
    }
    enter_init();
    return leave_init(next.init(argc, argv));
}

static int init_thread_next(const char *name, int *argc, char ***argv, int required, int *provided)
{
    next_t next = {dlsym(RTLD_NEXT, name)};

    if (NULL == next.address) {
        return MPI_ERR_OTHER;
    }
    enter_init();
    return leave_init(next.init_thread(argc, argv, required, provided));
}

static int finalize_next(const char *name)
{
    next_t next = {dlsym(RTLD_NEXT, name)};

    if (NULL == next.address) {
        return MPI_ERR_OTHER;
    }
    ompi_hitopo_base_finalize();
    return next.finalize();
}

OMPI_DECLSPEC int MPI_Init(int *argc, char ***argv)
{
    return init_next("MPI_Init", argc, argv);
}

OMPI_DECLSPEC int PMPI_Init(int *argc, char ***argv)
{
    return init_next("PMPI_Init", argc, argv);
}

OMPI_DECLSPEC int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return init_thread_next("MPI_Init_thread", argc, argv, required, provided);
}

OMPI_DECLSPEC int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return init_thread_next("PMPI_Init_thread", argc, argv, required, provided);
}

OMPI_DECLSPEC int MPI_Finalize(void)
{
    return finalize_next("MPI_Finalize");
}

OMPI_DECLSPEC int PMPI_Finalize(void)
{
    return finalize_next("PMPI_Finalize");
}

#if OMPI_MAJOR_VERSION >= 5

/* MPI sessions: what a process says of itself travels with the fence of its first one. The first call
 * that needs an address does the rest. */
static int session_init_next(const char *name, MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session)
{
    next_t next = {dlsym(RTLD_NEXT, name)};

    if (NULL == next.address) {
        return MPI_ERR_OTHER;
    }
    ompi_hitopo_join_communicators();
    ompi_hitopo_base_announce();
    return next.session_init(info, errhandler, session);
}

static int session_finalize_next(const char *name, MPI_Session *session)
{
    next_t next = {dlsym(RTLD_NEXT, name)};

    if (NULL == next.address) {
        return MPI_ERR_OTHER;
    }
    if (1 == ompi_instance_count) {
        ompi_hitopo_base_stop_without_world();
    }
    return next.session_finalize(session);
}

OMPI_DECLSPEC int MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session)
{
    return session_init_next("MPI_Session_init", info, errhandler, session);
}

OMPI_DECLSPEC int PMPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session)
{
    return session_init_next("PMPI_Session_init", info, errhandler, session);
}

OMPI_DECLSPEC int MPI_Session_finalize(MPI_Session *session)
{
    return session_finalize_next("MPI_Session_finalize", session);
}

OMPI_DECLSPEC int PMPI_Session_finalize(MPI_Session *session)
{
    return session_finalize_next("PMPI_Session_finalize", session);
}

#endif

static int split_type_next(const char *name, MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    next_t next = {dlsym(RTLD_NEXT, name)};

    return NULL == next.address ? MPI_ERR_OTHER : next.split_type(comm, split_type, key, info, newcomm);
}

/* An MPI_Info begins with its opal_info_t. */
static int own_split_type(MPI_Comm comm, int split_type, int key, opal_info_t *info, MPI_Comm *newcomm)
{
    return split_type_next("PMPI_Comm_split_type", comm, split_type, key, (MPI_Info) info, newcomm);
}

static int split(const char *name, MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    return ompi_hitopo_base_has_abi() ? split_type_next(name, comm, split_type, key, info, newcomm)
                                      : ompi_hitopo_split_type(comm, split_type, key, info, newcomm, own_split_type);
}

OMPI_DECLSPEC int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    return split("MPI_Comm_split_type", comm, split_type, key, info, newcomm);
}

OMPI_DECLSPEC int PMPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    return split("PMPI_Comm_split_type", comm, split_type, key, info, newcomm);
}

/* The next one has looked at the arguments, and served communicators that have a topology. */
static int cart_map_next(const char *name, MPI_Comm comm, int ndims, const int dims[], const int periods[],
                         int *newrank)
{
    next_t next = {dlsym(RTLD_NEXT, name)};
    int rc = NULL == next.address ? MPI_ERR_OTHER : next.map(comm, ndims, dims, periods, newrank);

    if (MPI_SUCCESS == rc && !ompi_hitopo_base_has_abi()) {
        (void) ompi_hitopo_base_cart_map(comm, ndims, dims, periods, newrank);
    }
    return rc;
}

static int graph_map_next(const char *name, MPI_Comm comm, int nnodes, const int index[], const int edges[],
                          int *newrank)
{
    next_t next = {dlsym(RTLD_NEXT, name)};
    int rc = NULL == next.address ? MPI_ERR_OTHER : next.map(comm, nnodes, index, edges, newrank);

    if (MPI_SUCCESS == rc && !ompi_hitopo_base_has_abi()) {
        (void) ompi_hitopo_base_graph_map(comm, nnodes, index, edges, newrank);
    }
    return rc;
}

OMPI_DECLSPEC int MPI_Cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank)
{
    return cart_map_next("MPI_Cart_map", comm, ndims, dims, periods, newrank);
}

OMPI_DECLSPEC int PMPI_Cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank)
{
    return cart_map_next("PMPI_Cart_map", comm, ndims, dims, periods, newrank);
}

OMPI_DECLSPEC int MPI_Graph_map(MPI_Comm comm, int nnodes, const int index[], const int edges[], int *newrank)
{
    return graph_map_next("MPI_Graph_map", comm, nnodes, index, edges, newrank);
}

OMPI_DECLSPEC int PMPI_Graph_map(MPI_Comm comm, int nnodes, const int index[], const int edges[], int *newrank)
{
    return graph_map_next("PMPI_Graph_map", comm, nnodes, index, edges, newrank);
}
