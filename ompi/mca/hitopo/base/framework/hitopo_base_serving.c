/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The listener to served collectives and to orders.
 */
#include "ompi/mca/hitopo/base/framework/hitopo_base_serving.h"

static const hitopo_base_listener_t *current;

static const hitopo_base_listener_t *listener(void)
{
    return __atomic_load_n(&current, __ATOMIC_ACQUIRE);
}

void ompi_hitopo_base_listen(const hitopo_base_listener_t *next)
{
    __atomic_store_n(&current, next, __ATOMIC_RELEASE);
}

void *ompi_hitopo_base_serve(struct ompi_communicator_t *comm, const char *function)
{
    const hitopo_base_listener_t *to = listener();

    return NULL == to ? NULL : to->serve(comm, function);
}

/* The listener may be gone by now: then the call is none any more. */
void ompi_hitopo_base_sent(void *call, int peer, size_t bytes)
{
    const hitopo_base_listener_t *to = NULL == call ? NULL : listener();

    if (NULL != to) {
        to->sent(call, peer, bytes);
    }
}

void *ompi_hitopo_base_goes_on(void *call)
{
    const hitopo_base_listener_t *to = NULL == call ? NULL : listener();

    return NULL == to ? NULL : to->goes_on(call);
}

void ompi_hitopo_base_ended(void *call)
{
    const hitopo_base_listener_t *to = NULL == call ? NULL : listener();

    if (NULL != to) {
        to->ended(call);
    }
}

void ompi_hitopo_base_ordered(const hitopo_base_order_t *order)
{
    const hitopo_base_listener_t *to = listener();

    if (NULL != to) {
        to->ordered(order);
    }
}
