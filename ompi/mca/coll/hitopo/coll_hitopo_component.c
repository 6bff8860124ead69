/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The component coll/hitopo: its variables, which must be equal in all processes.
 */
#include "ompi/mca/coll/hitopo/coll_hitopo_call.h"

#include <stdio.h>
#include <stdlib.h>

#include "ompi/constants.h"
#include "ompi/mca/coll/base/base.h"
#include "opal/mca/base/mca_base_var.h"
#include "opal/util/output.h"

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/base/hitopo_base_api.h"
#include "ompi/mca/hitopo/hitopo.h"

#if OMPI_MAJOR_VERSION < 5
#define COLL_VERSION MCA_COLL_BASE_VERSION_2_0_0
#elif OMPI_MAJOR_VERSION < 6
#define COLL_VERSION MCA_COLL_BASE_VERSION_2_4_0
#else
#define COLL_VERSION MCA_COLL_BASE_VERSION_3_0_0
#endif

/* The settings that all processes have in common, by their keys. The first is also that of the layer, and its value is
 * the version: processes of another one form other trees. */
static const char *const keys[] = {"coll",
                                   "coll_hitopo_priority",
                                   "coll_hitopo_leaders",
                                   "coll_hitopo_share",
                                   "coll_hitopo_serve",
                                   "coll_hitopo_links"};
/* Not among them: where one process must not exchange, none does. */
static const char exchange_key[] = "coll_hitopo_exchange";
enum { TREES_VERSION = 13, NUM_KEYS = sizeof(keys) / sizeof(keys[0]) };

static int priority;
static bool is_useless = false; /* from MPI_Init's end on: nothing is served in this job */
hitopo_coll_settings_t hitopo_coll_settings;
bool hitopo_coll_runs_in_all_processes = false;

static int register_variables(void);
static int init_query(bool enable_progress_threads, bool enable_mpi_threads);
static mca_coll_base_module_t *query(ompi_communicator_t *comm, int *module_priority);

mca_coll_base_component_t mca_coll_hitopo_component = {
    .collm_version = {COLL_VERSION, .mca_component_name = "hitopo", MCA_BASE_MAKE_VERSION(component, 0, 2, 0),
                      .mca_register_component_params = register_variables},
    .collm_data = {.param_field = MCA_BASE_METADATA_PARAM_CHECKPOINT},
    .collm_init_query = init_query,
    .collm_comm_query = query,
};
#ifdef MCA_BASE_COMPONENT_INIT
MCA_BASE_COMPONENT_INIT(ompi, coll, hitopo)
#endif

static int register_int(const char *name, const char *help, int value, int least, int *variable)
{
    return ompi_hitopo_base_register_int("coll", "hitopo", name, help, OPAL_INFO_LVL_5, value, least, variable);
}

/* Programs can write it (MPI_T_cvar_write), all processes alike and before the same collectives; communicators that are
 * made afterwards go by it. */
static void register_text(const char *name, const char *help, const char **variable)
{
    (void) mca_base_component_var_register(&mca_coll_hitopo_component.collm_version, name, help,
                                           MCA_BASE_VAR_TYPE_STRING, NULL, 0, MCA_BASE_VAR_FLAG_SETTABLE,
                                           OPAL_INFO_LVL_4, MCA_BASE_VAR_SCOPE_ALL_EQ, variable);
}

static int register_variables(void)
{
    hitopo_coll_settings.links = hitopo_coll_settings.serve = NULL;
    (void) register_int("priority",
                        "Priority of the component coll/hitopo, which runs collectives by the address table; below 0: "
                        "off. The component of the next priority runs all other collectives",
                        40, INT_MIN, &priority);
    (void) register_int("leaders", "Number of processes of a group that take turns as its leader", 16, 1,
                        &hitopo_coll_settings.num_leaders);
    (void) register_int("share",
                        "Number of processes of the largest node from which on short messages (up to 2 KiB of bcast, "
                        "reduce, allreduce, barrier) pass through shared memory within a node; 0: never",
                        4, 0, &hitopo_coll_settings.least_sharing);
    (void)
        register_int("exchange",
                     "1: leaders of nodes or switches may exchange short sums, which takes fewer hops and more "
                     "messages; 0: they do not; -1: unless processes share cores (mpi_yield_when_idle is true in one)",
                     -1, -1, &hitopo_coll_settings.exchange);
    (void) register_int("verbose",
                        "1: rank 0 of each communicator prints the algorithm and the estimated time of the first call "
                        "of each function and length (by powers of 2); 2: of each call",
                        0, INT_MIN, &hitopo_coll_settings.verbose);
    register_text("serve",
                  "Collectives and lengths that coll/hitopo handles, as a list such as "
                  "allreduce:0-,bcast:0-2048/8192-,ibarrier in bytes of the message, or of all blocks of a process; or "
                  "all. ibcast, ireduce and so on are nonblocking and persistent ones. The component of the next "
                  "priority handles all other calls. `hitopo tune` measures it (default: "
                  "docs/collectives.md)",
                  &hitopo_coll_settings.serve);
    register_text("links",
                  "Performance of the links of each level, as a list of level:latency in microseconds:MB/s in each "
                  "direction:microseconds per message, such as switch:2:12000:0.5,process:0.5:6000:0.3. `hitopo tune` "
                  "measures it (default: docs/collectives.md)",
                  &hitopo_coll_settings.links);
    return OMPI_SUCCESS;
}

/* Whether this process shares its core with others, so that each message costs a turn of theirs. */
static bool yields(void)
{
    const bool *value = NULL;
    const int index = mca_base_var_find("ompi", "mpi", NULL, "yield_when_idle");

    return 0 <= index && OPAL_SUCCESS == mca_base_var_get_value(index, &value, NULL, NULL) && NULL != value && *value;
}

static void tell_wrong_setting(void)
{
    char *wrong = hitopo_coll_wrong_setting(&hitopo_coll_settings);

    if (NULL != wrong) {
        ompi_hitopo_base_help_from(HITOPO_COLL_HELP, "malformed", wrong, "", "");
    }
    free(wrong);
}

/* Called at MPI_Init's end, where all processes have HiTopo's tree; until then nothing is served. A job on one small
 * node, which all its processes see alike, needs no message. */
static const char *start(void)
{
    ompi_communicator_t *world = &ompi_mpi_comm_world.comm;
    const bool is_on_one_node = 0 == (ompi_hitopo_get_divided_levels(world) >> HITOPO_LEVEL_NODE & 1);
    const int least = hitopo_coll_settings.least_sharing;
    const bool shares = 0 < least && least <= ompi_comm_size(world);

    hitopo_coll_runs_in_all_processes =
        (!is_on_one_node || shares) && ompi_hitopo_base_layer_agrees(keys, NUM_KEYS, HITOPO_COLL_HELP);
    if (hitopo_coll_runs_in_all_processes && 0 == ompi_comm_rank(world)) {
        tell_wrong_setting();
    }
    hitopo_coll_settings.exchange = hitopo_coll_settings.exchange && ompi_hitopo_base_is_common(exchange_key);
    if (hitopo_coll_runs_in_all_processes) {
        hitopo_coll_open_memory(world);
    } else { /* handing all calls on would only cost */
        is_useless = true;
        hitopo_coll_leave(world);
    }
    return hitopo_coll_runs_in_all_processes ? "coll/hitopo" : NULL;
}

static void stop(void)
{
    hitopo_coll_runs_in_all_processes = is_useless = false;
    hitopo_coll_leave_memory();
}

void hitopo_coll_print(const hitopo_coll_messages_t *messages, const char *what, const char *how)
{
    opal_output(0, "coll:hitopo: %s on %s: %s", what, ((const hitopo_coll_call_t *) messages)->comm->c_name, how);
}

/* Processes with other settings must not be served together. */
static int announce(void)
{
    const int values[NUM_KEYS] = {TREES_VERSION,
                                  priority,
                                  hitopo_coll_settings.num_leaders,
                                  hitopo_coll_settings.least_sharing,
                                  hitopo_coll_digest(hitopo_coll_settings.serve),
                                  hitopo_coll_digest(hitopo_coll_settings.links)};
    char word[16];
    int rc;

    if (hitopo_coll_settings.exchange < 0) {
        hitopo_coll_settings.exchange = !yields();
    }
    rc = ompi_hitopo_base_set_common(exchange_key, hitopo_coll_settings.exchange ? "1" : "0");
    for (int i = 0; i < NUM_KEYS && OMPI_SUCCESS == rc; ++i) {
        snprintf(word, sizeof(word), "%d", values[i]);
        rc = ompi_hitopo_base_set_common(keys[i], word);
    }
    return rc;
}

/* Open MPI 5.0 has opened components before it knows whether processes yield. */
static int init_query(bool enable_progress_threads, bool enable_mpi_threads)
{
    (void) enable_progress_threads;
    (void) enable_mpi_threads;
    if (0 <= priority && OMPI_SUCCESS == ompi_hitopo_base_at_start(start)
        && OMPI_SUCCESS == ompi_hitopo_base_at_stop(stop)) {
        (void) announce();
    }
    return OMPI_SUCCESS;
}

static mca_coll_base_module_t *query(ompi_communicator_t *comm, int *module_priority)
{
    if (priority < 0 || is_useless || OMPI_COMM_IS_INTER(comm) || 1 == ompi_comm_size(comm)) {
        return NULL;
    }
    *module_priority = priority;
    return hitopo_coll_new_module(comm);
}
