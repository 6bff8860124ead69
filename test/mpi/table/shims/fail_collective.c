/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A preload in which every allgather, or allgatherv (FAIL_AT), of Open MPI's gives an error at rank FAIL_RANK after it
 * was carried out, as where the last messages are lost. MPI_Init calls none but HiTopo's.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef struct ompi_datatype_t datatype_t;
typedef struct ompi_communicator_t comm_t;
typedef struct mca_coll_base_module_t module_t;

static int result_at(const char *moment, int result)
{
    const char *at = getenv("FAIL_AT"), *rank = getenv("FAIL_RANK"), *own = getenv("OMPI_COMM_WORLD_RANK");
    const int is_here = NULL != at && NULL != rank && NULL != own && 0 == strcmp(at, moment) && 0 == strcmp(rank, own);

    return is_here ? -1 : result; /* OMPI_ERROR */
}

/* The algorithms of coll/tuned for four processes and few bytes, and for two. */
#define ALLGATHER(name)                                                                                       \
    int name(const void *send, int num_sent, datatype_t *sent, void *receive, int num, datatype_t *received,  \
             comm_t *comm, module_t *module);                                                                 \
    int name(const void *send, int num_sent, datatype_t *sent, void *receive, int num, datatype_t *received,  \
             comm_t *comm, module_t *module)                                                                  \
    {                                                                                                         \
        union {                                                                                               \
            void *address;                                                                                    \
            int (*call)(const void *, int, datatype_t *, void *, int, datatype_t *, comm_t *, module_t *);    \
        } next = {dlsym(RTLD_NEXT, #name)};                                                                   \
        return result_at("allgather", next.call(send, num_sent, sent, receive, num, received, comm, module)); \
    }
#define ALLGATHERV(name)                                                                                             \
    int name(const void *send, int num, datatype_t *sent, void *receive, const int *counts, const int *places,       \
             datatype_t *received, comm_t *comm, module_t *module);                                                  \
    int name(const void *send, int num, datatype_t *sent, void *receive, const int *counts, const int *places,       \
             datatype_t *received, comm_t *comm, module_t *module)                                                   \
    {                                                                                                                \
        union {                                                                                                      \
            void *address;                                                                                           \
            int (*call)(const void *, int, datatype_t *, void *, const int *, const int *, datatype_t *, comm_t *,   \
                        module_t *);                                                                                 \
        } next = {dlsym(RTLD_NEXT, #name)};                                                                          \
        return result_at("allgatherv", next.call(send, num, sent, receive, counts, places, received, comm, module)); \
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
