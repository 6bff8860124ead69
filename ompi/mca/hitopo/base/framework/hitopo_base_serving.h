/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Reports of components of Open MPI to a layer above that wants them (the profiler): coll/hitopo's messages for the
 * collectives that it serves, and the gains of topo/hitopo's orders. Neither side knows the other; each may be absent.
 */
#ifndef OMPI_MCA_HITOPO_BASE_SERVING_H
#define OMPI_MCA_HITOPO_BASE_SERVING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ompi/mca/hitopo/support/noexcept.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ompi_communicator_t;

enum { HITOPO_BASE_NUM_LEVELS = 8, HITOPO_BASE_NAME_BYTES = 32 };

/* The gain of an order of a grid's or graph's processes. Numbers are pairs of neighbours, or with weights the sum of
 * theirs, each direction by itself. */
typedef struct hitopo_base_order_t {
    const char *function;                   /* that the program called: "MPI_Cart_create" */
    int size;                               /* number of processes that are ordered; 0: not known */
    char candidate[HITOPO_BASE_NAME_BYTES]; /* "k-d tree"; "identity" where ranks stay since nothing is gained */
    bool is_weighted;
    bool is_applied;                    /* processes got these ranks */
    int num_levels;                     /* of the levels that divide the processes, outermost first */
    int levels[HITOPO_BASE_NUM_LEVELS]; /* as numbers of an address are */
    uint64_t before[HITOPO_BASE_NUM_LEVELS], after[HITOPO_BASE_NUM_LEVELS]; /* that cross each one */
} hitopo_base_order_t;

/* Functions are called in the thread that called MPI, if not stated otherwise, also by several at a time. */
typedef struct hitopo_base_listener_t {
    /* A call of `function` ("MPI_Bcast") that arrived on comm is served from now on. Answers what `sent` gets for it;
     * NULL: it gets nothing. A call that is handed on is not reported, but the calls that others then make are: of
     * another function or communicator, perhaps, than the program called. */
    void *(*serve)(struct ompi_communicator_t *comm, const char *function);
    /* A message of that call was posted, to this rank of its communicator. */
    void (*sent)(void *call, int peer, size_t bytes);
    /* That call goes on when its function returns, which it does next. Answers what `sent` and `ended` get for it from
     * now on, in any thread, but one at a time; NULL: they get nothing. */
    void *(*goes_on)(void *call);
    void (*ended)(void *call);
    /* The program asked for a grid or graph with reorder = 1; at rank 0 of the communicator that it is made of. */
    void (*ordered)(const hitopo_base_order_t *order);
} hitopo_base_listener_t;

#pragma GCC visibility push(default)

/* Sets the only listener, which lives on; NULL: none. Local; thread safe. */
void ompi_hitopo_base_listen(const hitopo_base_listener_t *listener) HITOPO_NOEXCEPT;

/* For the components: the listener's functions; NULL and nothing if there is no listener. */
void *ompi_hitopo_base_serve(struct ompi_communicator_t *comm, const char *function) HITOPO_NOEXCEPT;
void ompi_hitopo_base_sent(void *call, int peer, size_t bytes) HITOPO_NOEXCEPT;
void *ompi_hitopo_base_goes_on(void *call) HITOPO_NOEXCEPT;
void ompi_hitopo_base_ended(void *call) HITOPO_NOEXCEPT;
void ompi_hitopo_base_ordered(const hitopo_base_order_t *order) HITOPO_NOEXCEPT;

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
