/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The collectives that coll/hitopo serves, each in its three forms.
 */
#ifndef TEST_MPI_COLL_CALLS_H
#define TEST_MPI_COLL_CALLS_H

#include <mpi.h>
#include <string.h>

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

/* Open MPI 5.0 has MPI 4's persistent collectives, and says MPI 3.1. */
#if MPI_VERSION >= 4 || OMPI_MAJOR_VERSION >= 5
#define HAS_PERSISTENT 1
#define OF_MPI_4(...) MPI_##__VA_ARGS__
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define HAS_PERSISTENT 1
#define OF_MPI_4(...) MPIX_##__VA_ARGS__
#else
#define HAS_PERSISTENT 0
#define OF_MPI_4(...) MPI_ERR_REQUEST
#endif

enum {
    BCAST,
    REDUCE,
    ALLREDUCE,
    BARRIER,
    ALLGATHER,
    ALLGATHERV,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    ALLTOALL,
    ALLTOALLV,
    ALLTOALLW,
    NUM_COLLECTIVES
};
static const char *const names[] = {"bcast",     "reduce",     "allreduce",      "barrier",
                                    "allgather", "allgatherv", "reduce_scatter", "reduce_scatter_block",
                                    "alltoall",  "alltoallv",  "alltoallw"};

typedef enum { BLOCKING, NONBLOCKING, PERSISTENT, NUM_FORMS } form_t;

/* The arguments of any collective. Where there is one buffer, it is `receive`. */
typedef struct {
    const void *send;
    void *receive;
    int send_count, receive_count, root;
    MPI_Datatype send_type, receive_type;
    MPI_Op op;
    const int *send_counts, *send_begins, *counts, *begins; /* counts, begins: of what is received */
    const MPI_Datatype *send_types, *types;
} arguments_t;

static inline int is_reduction(int collective)
{
    return REDUCE == collective || ALLREDUCE == collective || REDUCE_SCATTER == collective
           || REDUCE_SCATTER_BLOCK == collective;
}

/* request: of what does not block. */
static inline int perform(int collective, form_t form, const arguments_t *with, MPI_Comm comm, MPI_Request *request)
{
#define CALL(Name, name, ...)                                       \
    (BLOCKING == form      ? MPI_##Name(__VA_ARGS__ comm)           \
     : NONBLOCKING == form ? MPI_I##name(__VA_ARGS__ comm, request) \
                           : OF_MPI_4(Name##_init(__VA_ARGS__ comm, MPI_INFO_NULL, request)))
    switch (collective) {
    case BCAST:
        return CALL(Bcast, bcast, with->receive, with->receive_count, with->receive_type, with->root, );
    case REDUCE:
        return CALL(Reduce, reduce, with->send, with->receive, with->send_count, with->send_type, with->op,
                    with->root, );
    case ALLREDUCE:
        return CALL(Allreduce, allreduce, with->send, with->receive, with->send_count, with->send_type, with->op, );
    case BARRIER:
        return CALL(Barrier, barrier, );
    case ALLGATHER:
        return CALL(Allgather, allgather, with->send, with->send_count, with->send_type, with->receive,
                    with->receive_count, with->receive_type, );
    case ALLGATHERV:
        return CALL(Allgatherv, allgatherv, with->send, with->send_count, with->send_type, with->receive, with->counts,
                    with->begins, with->receive_type, );
    case REDUCE_SCATTER:
        return CALL(Reduce_scatter, reduce_scatter, with->send, with->receive, with->counts, with->send_type,
                    with->op, );
    case REDUCE_SCATTER_BLOCK:
        return CALL(Reduce_scatter_block, reduce_scatter_block, with->send, with->receive, with->send_count,
                    with->send_type, with->op, );
    case ALLTOALL:
        return CALL(Alltoall, alltoall, with->send, with->send_count, with->send_type, with->receive,
                    with->receive_count, with->receive_type, );
    case ALLTOALLV:
        return CALL(Alltoallv, alltoallv, with->send, with->send_counts, with->send_begins, with->send_type,
                    with->receive, with->counts, with->begins, with->receive_type, );
    default:
        return CALL(Alltoallw, alltoallw, with->send, with->send_counts, with->send_begins, with->send_types,
                    with->receive, with->counts, with->begins, with->types, );
    }
#undef CALL
}

/* NUM_COLLECTIVES if none has that name. */
static inline int collective_of(const char *name)
{
    int collective = 0;

    while (collective < NUM_COLLECTIVES && 0 != strcmp(names[collective], name)) {
        ++collective;
    }
    return collective;
}

#endif
