/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For preloads: each allgather and allgatherv of Open MPI's (all algorithms of coll/tuned), with something before and
 * after it. MPI_Init calls none but HiTopo's.
 */
#ifndef TEST_MPI_TABLE_SHIMS_ALLGATHERS_H
#define TEST_MPI_TABLE_SHIMS_ALLGATHERS_H

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* To be defined by who includes this. moment: "allgather" or "allgatherv"; result: what the function gave. */
static void before(const char *moment);
static int after(const char *moment, int result);

/* Whether the environment variable `at` names this moment, and `rank` this process. */
static int is_here(const char *moment, const char *at, const char *rank)
{
    const char *own = getenv("OMPI_COMM_WORLD_RANK");

    at = getenv(at);
    rank = getenv(rank);
    return NULL != at && NULL != rank && NULL != own && 0 == strcmp(at, moment) && 0 == strcmp(rank, own);
}

typedef struct ompi_datatype_t datatype_t;
typedef struct ompi_communicator_t comm_t;
typedef struct mca_coll_base_module_t module_t;

#define WRAP(moment, name, parameters, ...)           \
    int name parameters;                              \
    int name parameters                               \
    {                                                 \
        union {                                       \
            void *address;                            \
            int(*call) parameters;                    \
        } next = {dlsym(RTLD_NEXT, #name)};           \
        before(moment);                               \
        return after(moment, next.call(__VA_ARGS__)); \
    }
#define ALLGATHER(name)                                                                                   \
    WRAP("allgather", ompi_coll_base_allgather_intra_##name,                                              \
         (const void *send, int num_sent, datatype_t *sent, void *receive, int num, datatype_t *received, \
          comm_t *comm, module_t *module),                                                                \
         send, num_sent, sent, receive, num, received, comm, module)
#define ALLGATHERV(name)                                                                                    \
    WRAP("allgatherv", ompi_coll_base_allgatherv_intra_##name,                                              \
         (const void *send, int num, datatype_t *sent, void *receive, const int *counts, const int *places, \
          datatype_t *received, comm_t *comm, module_t *module),                                            \
         send, num, sent, receive, counts, places, received, comm, module)

ALLGATHER(basic_linear)
ALLGATHER(bruck)
ALLGATHER(neighborexchange)
ALLGATHER(recursivedoubling)
ALLGATHER(ring)
ALLGATHER(two_procs)
ALLGATHERV(basic_default)
ALLGATHERV(bruck)
ALLGATHERV(neighborexchange)
ALLGATHERV(ring)
ALLGATHERV(two_procs)

#endif
