/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The counters of one communicator as arrays, for MPI_T performance variables (profile_pvars.c).
 */
#ifndef PROFILER_COUNT_COUNTERS_H
#define PROFILER_COUNT_COUNTERS_H

#include <stddef.h>

#include "ompi/mca/hitopo/support/noexcept.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ompi_communicator_t;

typedef enum hitopo_profile_counter_t {
    /* An entry for each function, in the order of hitopo_profile_functions. */
    HITOPO_PROFILE_CALLS,
    HITOPO_PROFILE_CALL_BYTES,
    HITOPO_PROFILE_CALL_TIME, /* nanoseconds */
    /* For each rank; of an intercommunicator, the remote group's. */
    HITOPO_PROFILE_PEER_MESSAGES,
    HITOPO_PROFILE_PEER_BYTES,
    HITOPO_PROFILE_PEER_TIME,
    HITOPO_PROFILE_PEER_FETCHES,
    HITOPO_PROFILE_PEER_FETCHED_BYTES,
    /* For each lane: messages and fetches, flat algorithms of collectives, and what coll/hitopo sent. */
    HITOPO_PROFILE_LANE_BYTES,
    HITOPO_PROFILE_LANE_COLLECTIVE_BYTES,
    HITOPO_PROFILE_LANE_SERVED_MESSAGES,
    HITOPO_PROFILE_LANE_SERVED_BYTES,
    HITOPO_PROFILE_NUM_COUNTERS
} hitopo_profile_counter_t;

/* How many entries the counter has for comm; writes their values unless `values` is NULL: 0 where comm
 * was never registered. Local; thread safe. */
size_t hitopo_profile_read(struct ompi_communicator_t *comm, hitopo_profile_counter_t counter,
                           unsigned long long *values) HITOPO_NOEXCEPT;

/* The names of functions, and of lanes, in blanks. Constants of the library. */
const char *hitopo_profile_functions(void) HITOPO_NOEXCEPT;
const char *hitopo_profile_lanes(void) HITOPO_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif
