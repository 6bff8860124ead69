/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The same for processes whose Open MPI does not find the hook: a library to link (-lmpi_hitopo) or to
 * preload, whose MPI_Init calls the next one. Both names of each function are ours, so that C, Fortran
 * (which calls PMPI_), Python and profilers all arrive.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "ompi_config.h"

#include <dlfcn.h>
#include <stdbool.h>

#include "mpi.h"

#include "ompi/mca/hook/base/base.h"
#include "ompi/mca/hook/hook.h"

#include "ompi/mca/hitopo/base/hitopo_base_glue.h"

static ompi_hook_base_component_t finalize_hook = {
    .hookm_version = {OMPI_HOOK_BASE_VERSION_1_0_0, .mca_component_name = "hitopo_library"},
    .hookm_mpi_finalize_top = hitopo_base_stop,
};

/* A profiler's MPI_Init may call PMPI_Init, which is ours again: only the outermost call acts. */
static int depth = 0;

static void enter(void)
{
    if (0 == depth++) {
        hitopo_base_announce();
    }
}

static int leave(int rc)
{
    if (0 == --depth && MPI_SUCCESS == rc) {
        (void) ompi_hook_base_register_callbacks(&finalize_hook);
        hitopo_base_start();
    }
    return rc;
}

/* ISO C has no cast from an object pointer to a function pointer. */
typedef union next_t {
    void *address;
    int (*init)(int *, char ***);
    int (*init_thread)(int *, char ***, int, int *);
} next_t;

static int init_next(const char *name, int *argc, char ***argv)
{
    next_t next = {dlsym(RTLD_NEXT, name)};

    if (NULL == next.address) {
        return MPI_ERR_OTHER;
    }
    enter();
    return leave(next.init(argc, argv));
}

static int init_thread_next(const char *name, int *argc, char ***argv, int required, int *provided)
{
    next_t next = {dlsym(RTLD_NEXT, name)};

    if (NULL == next.address) {
        return MPI_ERR_OTHER;
    }
    enter();
    return leave(next.init_thread(argc, argv, required, provided));
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
