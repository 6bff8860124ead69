/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The profiler's MCA variables, performance variables and messages.
 */
#include "ompi_config.h"

#include "mpi.h"

#include "opal/constants.h"
#include "opal/mca/base/mca_base_pvar.h"
#include "opal/mca/base/mca_base_var.h"
#include "opal/util/output.h"

#include "ompi/group/group.h"
#include "ompi/mca/hitopo/hitopo.h"
#include "ompi/proc/proc.h"

#include "profiler/count/counters.h"
#include "profiler/profile_glue.h"

static char *report;
static int max_communicators;
static int max_snapshots;
static int max_peers;
static int every;
static bool pairs;
static hitopo_profile_settings_t settings;

static void add_variable(const char *name, mca_base_var_type_t type, mca_base_var_info_lvl_t level, void *value,
                         const char *help)
{
    (void) mca_base_var_register("ompi", "hitopo", "prof", name, help, type, NULL, 0, 0, level,
                                 MCA_BASE_VAR_SCOPE_READONLY, value);
}

static void add_int(const char *name, mca_base_var_info_lvl_t level, int usual, int least, int *value, const char *help)
{
    (void) ompi_hitopo_base_register_int("hitopo", "prof", name, help, level, usual, least, value);
}

const hitopo_profile_settings_t *hitopo_profile_register(void)
{
    report = "hitopo-profile.%t.%h.%j.%p.json";
    pairs = false;
    add_variable("report", MCA_BASE_VAR_TYPE_STRING, OPAL_INFO_LVL_3, &report,
                 "The file that the profiler writes: %t stands for the time of MPI_Init in UTC, %h for the host of "
                 "rank 0, %j for the job, %p for the process id of rank 0, %% for %; empty: none");
    add_int("max_communicators", OPAL_INFO_LVL_5, 1024, 0, &max_communicators,
            "How many registered communicators the profiler counts for; further ones are left out");
    add_int(
        "max_snapshots", OPAL_INFO_LVL_5, 100, 0, &max_snapshots,
        "How many snapshots (MPI_Pcontrol(2)) a process keeps for MPI_Finalize to write; further ones are left out");
    add_int("max_peers", OPAL_INFO_LVL_5, 10000, -1, &max_peers,
            "The largest number of processes of a job whose report has the bytes to each peer; the report of a "
            "larger job has sums for each lane. -1: any");
    add_int("every", OPAL_INFO_LVL_3, 0, -1, &every,
            "After how many seconds each process writes what it has counted so far by itself, in its next MPI "
            "call, and after SIGTERM: for jobs that do not come to MPI_Finalize. The files lie in a folder named "
            "like the report, with .parts instead of .json. -1: after SIGTERM only; 0: never");
    add_variable("pairs", MCA_BASE_VAR_TYPE_BOOL, OPAL_INFO_LVL_3, &pairs,
                 "Whether the profiler counts messages and bytes for each pair of processes over all communicators, "
                 "registered or not, for hitopo order");
    settings.report = report;
    settings.max_communicators = (size_t) max_communicators;
    settings.max_peers = max_peers;
    settings.every_s = every;
    settings.counts_pairs = pairs;
    settings.max_snapshots = (size_t) max_snapshots;
    return &settings;
}

const hitopo_profile_settings_t *hitopo_profile_settings(void)
{
    return &settings;
}

void hitopo_profile_world_ranks(struct ompi_group_t *group, const int *ranks, int num, int *world_ranks)
{
    const opal_process_name_t self = ompi_proc_local()->super.proc_name;
    int size = 0;

    (void) PMPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < num; ++i) {
        const opal_process_name_t name = ompi_group_get_proc_name(group, ranks[i]);
        world_ranks[i] = name.jobid == self.jobid && name.vpid < (uint32_t) size ? (int) name.vpid : MPI_UNDEFINED;
    }
}

void hitopo_profile_warn(const char *text)
{
    opal_output(0, "HiTopo's profiler: %s", text);
}

static int read_counter(const struct mca_base_pvar_t *pvar, void *value, void *comm)
{
    return 0 > hitopo_profile_read(comm, (int) (intptr_t) pvar->ctx, value) ? OPAL_ERR_NOT_AVAILABLE : OPAL_SUCCESS;
}

/* An error would crash MPI_T_pvar_handle_alloc (docs/upstream.md, 66). */
static int count_entries(struct mca_base_pvar_t *pvar, mca_base_pvar_event_t event, void *comm, int *count)
{
    if (MCA_BASE_PVAR_HANDLE_BIND == event) {
        const int num_entries = hitopo_profile_read(comm, (int) (intptr_t) pvar->ctx, NULL);
        *count = 0 > num_entries ? 0 : num_entries;
    }
    return OPAL_SUCCESS;
}

/* Their class is generic: they tell the whole since MPI_Init, as the report does, while Open MPI gives those of the
 * classes for counters as differences since a handle was made. */
void hitopo_profile_register_counter(int counter, const char *name, const char *what)
{
    (void) mca_base_pvar_register("ompi", "hitopo", "prof", name, what, OPAL_INFO_LVL_4, MCA_BASE_PVAR_CLASS_GENERIC,
                                  MCA_BASE_VAR_TYPE_UNSIGNED_LONG_LONG, NULL, MCA_BASE_VAR_BIND_MPI_COMM,
                                  MCA_BASE_PVAR_FLAG_READONLY | MCA_BASE_PVAR_FLAG_CONTINUOUS, read_counter, NULL,
                                  count_entries, (void *) (intptr_t) counter);
}
