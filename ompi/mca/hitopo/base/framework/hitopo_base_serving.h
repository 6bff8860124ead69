/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What a component of Open MPI that serves collectives by the table (coll/hitopo) sends for them, told to a layer above
 * that wants to know (the profiler). Neither knows the other, and each may be absent.
 */
#ifndef OMPI_MCA_HITOPO_BASE_SERVING_H
#define OMPI_MCA_HITOPO_BASE_SERVING_H

#include <stddef.h>

#include "ompi/mca/hitopo/support/noexcept.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ompi_communicator_t;

/* Both are called in the thread that called MPI, also by several at a time. */
typedef struct hitopo_base_listener_t {
    /* A call of `function` ("MPI_Bcast") that arrived on comm is served from now on. Answers what `sent` gets for it;
     * NULL: it gets nothing. What is handed on to others is not told, but what they then call is, which can be of
     * another function or communicator than the program called. */
    void *(*serve)(struct ompi_communicator_t *comm, const char *function);
    /* A message of that call was posted, to this rank of its communicator. */
    void (*sent)(void *call, int peer, size_t bytes);
} hitopo_base_listener_t;

#pragma GCC visibility push(default)

/* From now on that one, which lives on, or nobody (NULL). At most one. Local; thread safe. */
void hitopo_base_listen(const hitopo_base_listener_t *listener) HITOPO_NOEXCEPT;

/* For the component: its listener's functions; NULL and nothing where nobody listens. */
void *hitopo_base_serve(struct ompi_communicator_t *comm, const char *function) HITOPO_NOEXCEPT;
void hitopo_base_sent(void *call, int peer, size_t bytes) HITOPO_NOEXCEPT;

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
