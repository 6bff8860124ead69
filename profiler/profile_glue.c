/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The profiler's MCA variables and messages.
 */
#include "ompi_config.h"

#include "mpi.h"

#include "opal/mca/base/mca_base_var.h"
#include "opal/util/output.h"

#include "ompi/group/group.h"
#include "ompi/proc/proc.h"

#include "profiler/profile_glue.h"

static char *report;
static int max_communicators;
static int max_snapshots;
static int max_peers;
static int every;
static bool pairs;
static hitopo_profile_settings_t settings;

const hitopo_profile_settings_t *hitopo_profile_register(void)
{
    report = "hitopo-profile.%t.%h.%j.%p.json";
    max_communicators = 1024;
    max_snapshots = 100;
    max_peers = 10000;
    every = 0;
    pairs = false;
    (void) mca_base_var_register("ompi", "hitopo", "prof", "report",
                                 "The file that the profiler writes: %t stands for the time of MPI_Init in UTC, %h for "
                                 "the host of rank 0, %j for "
                                 "the job, %p for the process id of rank 0, %% for %; empty: none",
                                 MCA_BASE_VAR_TYPE_STRING, NULL, 0, 0, OPAL_INFO_LVL_3, MCA_BASE_VAR_SCOPE_READONLY,
                                 &report);
    (void) mca_base_var_register("ompi", "hitopo", "prof", "max_communicators",
                                 "How many registered communicators the profiler counts for; further ones are left out",
                                 MCA_BASE_VAR_TYPE_INT, NULL, 0, 0, OPAL_INFO_LVL_5, MCA_BASE_VAR_SCOPE_READONLY,
                                 &max_communicators);
    (void) mca_base_var_register(
        "ompi", "hitopo", "prof", "max_snapshots",
        "How many snapshots (MPI_Pcontrol(2)) a process keeps for MPI_Finalize to write; further ones are left out",
        MCA_BASE_VAR_TYPE_INT, NULL, 0, 0, OPAL_INFO_LVL_5, MCA_BASE_VAR_SCOPE_READONLY, &max_snapshots);
    (void) mca_base_var_register("ompi", "hitopo", "prof", "max_peers",
                                 "The largest number of processes of a job whose report has the bytes to each peer; "
                                 "the report of a larger job has sums for each lane. -1: any",
                                 MCA_BASE_VAR_TYPE_INT, NULL, 0, 0, OPAL_INFO_LVL_5, MCA_BASE_VAR_SCOPE_READONLY,
                                 &max_peers);
    (void) mca_base_var_register(
        "ompi", "hitopo", "prof", "every",
        "After how many seconds each process writes what it has counted so far by itself, in its next MPI call, and "
        "after SIGTERM: for jobs that do not come to MPI_Finalize. The files lie in a folder named like the report, "
        "with "
        ".parts instead of .json. -1: after SIGTERM only; 0: never",
        MCA_BASE_VAR_TYPE_INT, NULL, 0, 0, OPAL_INFO_LVL_3, MCA_BASE_VAR_SCOPE_READONLY, &every);
    (void) mca_base_var_register("ompi", "hitopo", "prof", "pairs",
                                 "Whether the profiler counts messages and bytes for each pair of processes over all "
                                 "communicators, registered or not, for hitopo order",
                                 MCA_BASE_VAR_TYPE_BOOL, NULL, 0, 0, OPAL_INFO_LVL_3, MCA_BASE_VAR_SCOPE_READONLY,
                                 &pairs);
    settings.report = report;
    settings.max_communicators = 0 > max_communicators ? 0 : (size_t) max_communicators;
    settings.max_peers = max_peers;
    settings.every_s = every;
    settings.counts_pairs = pairs;
    settings.max_snapshots = 0 > max_snapshots ? 0 : (size_t) max_snapshots;
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
