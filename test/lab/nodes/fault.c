/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A preload that stops rank FAULT_RANK at a moment of HiTopo's exchange, FAULT_AT: "roll-call" (at its second
 * look-up), "allgather" or "allgatherv". There it makes the file FAULT_FILE.reached, which
 * holds its process number and its parent's, and waits for FAULT_FILE.go.
 *
 * MPI_Init calls no other allgather, and no other part looks HiTopo's key up.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int is_here(const char *moment)
{
    const char *at = getenv("FAULT_AT"), *rank = getenv("FAULT_RANK"), *own = getenv("OMPI_COMM_WORLD_RANK");

    return NULL != at && NULL != rank && NULL != own && 0 == strcmp(at, moment) && 0 == strcmp(rank, own);
}

static void stop(const char *moment)
{
    const struct timespec nap = {0, 10000000};
    char making[1024], reached[1024], go[1024];

    if (!is_here(moment)) {
        return;
    }
    snprintf(making, sizeof(making), "%s.making", getenv("FAULT_FILE"));
    snprintf(reached, sizeof(reached), "%s.reached", getenv("FAULT_FILE"));
    snprintf(go, sizeof(go), "%s.go", getenv("FAULT_FILE"));
    FILE *file = fopen(making, "w");
    if (NULL != file) {
        fprintf(file, "%ld %ld\n", (long) getpid(), (long) getppid());
        fclose(file);
        (void) rename(making, reached);
    }
    while (0 != access(go, F_OK)) {
        (void) nanosleep(&nap, NULL);
    }
}

typedef struct ompi_datatype_t datatype_t;
typedef struct ompi_communicator_t comm_t;
typedef struct mca_coll_base_module_t module_t;

typedef union next_t {
    void *address;
    int (*get)(const void *, const char *, const void *, size_t, void **);
    int (*allgather)(const void *, int, datatype_t *, void *, int, datatype_t *, comm_t *, module_t *);
    int (*allgatherv)(const void *, int, datatype_t *, void *, const int *, const int *, datatype_t *, comm_t *,
                      module_t *);
} next_t;

/* As in pmix.h, which is a package of its own. */
int PMIx_Get(const void *process, const char *key, const void *info, size_t num_info, void **value);
int PMIx_Get(const void *process, const char *key, const void *info, size_t num_info, void **value)
{
    static int num_calls = 0;
    next_t next = {dlsym(RTLD_NEXT, "PMIx_Get")};

    if (NULL != key && 0 == strcmp(key, "hitopo.version") && 2 == ++num_calls) {
        stop("roll-call");
    }
    return next.get(process, key, info, num_info, value);
}

/* All algorithms that coll/tuned has. */
#define ALLGATHER(name)                                                                                      \
    int name(const void *send, int num_sent, datatype_t *sent, void *receive, int num, datatype_t *received, \
             comm_t *comm, module_t *module);                                                                \
    int name(const void *send, int num_sent, datatype_t *sent, void *receive, int num, datatype_t *received, \
             comm_t *comm, module_t *module)                                                                 \
    {                                                                                                        \
        next_t next = {dlsym(RTLD_NEXT, #name)};                                                             \
        stop("allgather");                                                                                   \
        return next.allgather(send, num_sent, sent, receive, num, received, comm, module);                   \
    }
#define ALLGATHERV(name)                                                                                       \
    int name(const void *send, int num, datatype_t *sent, void *receive, const int *counts, const int *places, \
             datatype_t *received, comm_t *comm, module_t *module);                                            \
    int name(const void *send, int num, datatype_t *sent, void *receive, const int *counts, const int *places, \
             datatype_t *received, comm_t *comm, module_t *module)                                             \
    {                                                                                                          \
        next_t next = {dlsym(RTLD_NEXT, #name)};                                                               \
        stop("allgatherv");                                                                                    \
        return next.allgatherv(send, num, sent, receive, counts, places, received, comm, module);              \
    }

ALLGATHER(ompi_coll_base_allgather_intra_basic_linear)
ALLGATHER(ompi_coll_base_allgather_intra_bruck)
ALLGATHER(ompi_coll_base_allgather_intra_neighborexchange)
ALLGATHER(ompi_coll_base_allgather_intra_recursivedoubling)
ALLGATHER(ompi_coll_base_allgather_intra_ring)
ALLGATHER(ompi_coll_base_allgather_intra_two_procs)
ALLGATHERV(ompi_coll_base_allgatherv_intra_basic_default)
ALLGATHERV(ompi_coll_base_allgatherv_intra_bruck)
ALLGATHERV(ompi_coll_base_allgatherv_intra_neighborexchange)
ALLGATHERV(ompi_coll_base_allgatherv_intra_ring)
ALLGATHERV(ompi_coll_base_allgatherv_intra_two_procs)
