/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The counters as MPI_T performance variables hitopo_prof_*, bound to a communicator. Their class is generic: they
 * tell the whole since MPI_Init, as the report does, while Open MPI gives those of the classes for counters as
 * differences since a handle was made.
 */
#include "ompi_config.h"

#include <stdio.h>

#include "opal/constants.h"
#include "opal/mca/base/mca_base_pvar.h"

#include "profiler/count/counters.h"
#include "profiler/profile_glue.h"

static int read_counter(const struct mca_base_pvar_t *pvar, void *value, void *comm)
{
    (void) hitopo_profile_read(comm, (hitopo_profile_counter_t) (intptr_t) pvar->ctx, value);
    return OPAL_SUCCESS;
}

static int count_entries(struct mca_base_pvar_t *pvar, mca_base_pvar_event_t event, void *comm, int *count)
{
    if (MCA_BASE_PVAR_HANDLE_BIND == event) {
        *count = (int) hitopo_profile_read(comm, (hitopo_profile_counter_t) (intptr_t) pvar->ctx, NULL);
    }
    return OPAL_SUCCESS;
}

static void register_counter(hitopo_profile_counter_t counter, const char *name, const char *what)
{
    (void) mca_base_pvar_register("ompi", "hitopo", "prof", name, what, OPAL_INFO_LVL_4, MCA_BASE_PVAR_CLASS_GENERIC,
                                  MCA_BASE_VAR_TYPE_UNSIGNED_LONG_LONG, NULL, MCA_BASE_VAR_BIND_MPI_COMM,
                                  MCA_BASE_PVAR_FLAG_READONLY | MCA_BASE_PVAR_FLAG_CONTINUOUS, read_counter, NULL,
                                  count_entries, (void *) (intptr_t) counter);
}

void hitopo_profile_register_pvars(void)
{
    static const struct {
        const char *name, *what;
    } by_function[] = {{"calls", "Calls"}, {"call_bytes", "Bytes"}, {"call_time", "Nanoseconds"}},
      by_peer[] = {{"peer_messages", "Messages to each rank"},
                   {"peer_bytes", "Bytes of messages to each rank"},
                   {"peer_time", "Nanoseconds in calls that send to each rank"},
                   {"peer_fetches", "One-sided calls that fetch from each rank"},
                   {"peer_fetched_bytes", "Bytes that they fetched"}},
      by_lane[] = {{"lane_bytes", "Bytes of messages and one-sided calls"},
                   {"lane_collective_bytes", "Bytes that flat algorithms of collectives would send"},
                   {"lane_served_messages", "Messages for collectives that coll/hitopo served"},
                   {"lane_served_bytes", "Bytes of these"}};
    char what[8192]; /* copied */
    int counter = 0;

    for (size_t i = 0; i < sizeof(by_function) / sizeof(by_function[0]); ++i) {
        snprintf(what, sizeof(what), "%s of each function: %s", by_function[i].what, hitopo_profile_functions());
        register_counter(counter++, by_function[i].name, what);
    }
    for (size_t i = 0; i < sizeof(by_peer) / sizeof(by_peer[0]); ++i) {
        register_counter(counter++, by_peer[i].name, by_peer[i].what);
    }
    for (size_t i = 0; i < sizeof(by_lane) / sizeof(by_lane[0]); ++i) {
        snprintf(what, sizeof(what), "%s across each lane: %s", by_lane[i].what, hitopo_profile_lanes());
        register_counter(counter++, by_lane[i].name, what);
    }
}
