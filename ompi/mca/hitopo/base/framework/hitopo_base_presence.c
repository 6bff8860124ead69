/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Values that travel with MPI_Init's own fence, as PMIx keys. The first ones show which processes of the job run
 * HiTopo, before any collective of ours could hang for one that does not: all look at the same set after the fence, and
 * no answer depends on time. Others have findings of the job's first process for all.
 */
#include "ompi_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmix.h>

#include "ompi/constants.h"
#if OMPI_MAJOR_VERSION >= 5
#include "opal/mca/pmix/pmix-internal.h"
#include "opal/util/proc.h"
#else
#include "opal/mca/pmix/pmix.h"
#endif

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"
#include "ompi/mca/hitopo/hitopo.h"

/* The announcements of this process: of HiTopo and a few layers. */
static char announced[6][PMIX_MAX_KEYLEN + 1];
static int num_announced = 0;

static bool is_connected = false;
static bool is_ours = false; /* PMIx, to finalize */
static pmix_proc_t self;

static bool is_set(const char *variable)
{
    return NULL != getenv(variable);
}

/* Whether a launcher started this process, as Open MPI finds out. From 5.0 on, it asks PMIx, and nothing else. Before,
 * variables of mpirun and other launchers show it (check_launch_environment in orte/mca/schizo); it does not look at
 * PMIX_ ones, which a serial program that a process of a job starts inherits. */
static bool is_launched(void)
{
#if OMPI_MAJOR_VERSION >= 5
    return true;
#else
    return is_set("OMPI_MCA_orte_local_daemon_uri") || is_set("JSM_JSRUN_PORT") || is_set("FLUX_JOB_ID")
           || (is_set("SLURM_JOBID") && is_set("SLURM_NODELIST") && is_set("SLURM_STEP_ID"));
#endif
}

extern char **environ;

/* Each version of PMIx's protocol has a variable of its own: PMIX_SERVER_URI41, .. */
static bool has_address(void)
{
    static const char prefix[] = "PMIX_SERVER_URI";
    char **variable = environ;

    while (NULL != *variable && 0 != strncmp(*variable, prefix, sizeof(prefix) - 1)) {
        ++variable;
    }
    return NULL != *variable;
}

/* A process that no launcher started must not become PMIx's own singleton before Open MPI decides: without a server
 * PMIx_Init succeeds from PMIx 7 on. */
static bool has_server(void)
{
    return is_set("PMIX_NAMESPACE") && is_set("PMIX_RANK") && has_address() && is_launched();
}

/* Connects before Open MPI does, or beside it. From 5.0 on, MPI_Init takes a PMIx that is up for its own: it asks
 * nothing and finalizes it, and would fail without its own name (docs/upstream.md). */
static bool connect_first(void)
{
    bool is_up = PMIx_Initialized();

    if (PMIX_SUCCESS != PMIx_Init(&self, NULL, 0)) {
        return false;
    }
    is_ours = OMPI_MAJOR_VERSION < 5 || is_up;
#if OMPI_MAJOR_VERSION >= 5
    if (!is_up) {
        opal_process_info.myprocid = self;
    }
#endif
    return true;
}

/* The key of HiTopo itself where `layer` is NULL. */
static const char *key_of(const char *layer, char key[PMIX_MAX_KEYLEN + 1])
{
    snprintf(key, PMIX_MAX_KEYLEN + 1, "hitopo.%s", NULL == layer ? "version" : layer);
    return key;
}

static bool put(const char *key, uint32_t version)
{
    pmix_value_t value = {.type = PMIX_UINT32, .data.uint32 = version};

    return PMIX_SUCCESS == PMIx_Put(PMIX_GLOBAL, key, &value); /* MPI_Init commits it with its own */
}

static bool connect_once(void)
{
    is_connected = is_connected || (has_server() && connect_first());
    return is_connected;
}

void hitopo_glue_announce(const char *layer, uint32_t version)
{
    const int max_announced = sizeof(announced) / sizeof(announced[0]);

    if (num_announced < max_announced && !hitopo_glue_has_announced(layer) && connect_once()
        && put(key_of(layer, announced[num_announced]), version)) {
        ++num_announced;
    }
}

bool hitopo_glue_has_announced(const char *layer)
{
    char key[PMIX_MAX_KEYLEN + 1];
    bool found = false;

    (void) key_of(layer, key);
    for (int i = 0; i < num_announced && !found; ++i) {
        found = 0 == strcmp(announced[i], key);
    }
    return found;
}

bool hitopo_glue_can_tell(void)
{
    return connect_once();
}

static bool get_with(const char *how, const pmix_proc_t *process, const char *key, pmix_value_t **value)
{
    pmix_info_t info;
    bool yes = true;

    PMIX_INFO_LOAD(&info, how, &yes, PMIX_BOOL);
    int rc = PMIx_Get(process, key, &info, 1, value);
    PMIX_INFO_DESTRUCT(&info);
    return PMIX_SUCCESS == rc && NULL != *value;
}

/* Without this, PMIx's server waits 2 s for a process of its own node that may yet put the key (docs/upstream.md, 14).
 * It has the keys of its own node's processes, and those of others that came with the fence. */
static bool get_at_once(const pmix_proc_t *process, const char *key, pmix_value_t **value)
{
    return get_with(PMIX_IMMEDIATE, process, key, value);
}

/* A value that came with the job, not from a process: it is here or nowhere. */
static pmix_value_t *get_of_job(pmix_rank_t rank, const char *key)
{
    pmix_proc_t process = self;
    pmix_value_t *value = NULL;

    process.rank = rank;
    return get_with(PMIX_OPTIONAL, &process, key, &value) ? value : NULL;
}

static char *take_string(pmix_value_t *value)
{
    char *text = NULL;

    if (NULL == value) {
        return NULL;
    }
    if (PMIX_STRING == value->type && NULL != value->data.string) {
        text = strdup(value->data.string);
    }
    PMIX_VALUE_RELEASE(value);
    return text;
}

/* Asks the server of the other node, which answers at once: but that of 5.0.7 only if it is to refresh a key that no
 * process has (docs/upstream.md, 49). */
static bool get_of_other_node(const pmix_proc_t *process, const char *key, pmix_value_t **value)
{
#ifdef PMIX_GET_REFRESH_CACHE
    return get_with(PMIX_GET_REFRESH_CACHE, process, key, value);
#else
    return PMIX_SUCCESS == PMIx_Get(process, key, NULL, 0, value) && NULL != *value;
#endif
}

static bool is_of_own_node(const pmix_proc_t *process)
{
    char *own = take_string(get_of_job(self.rank, PMIX_HOSTNAME));
    char *its = take_string(get_of_job(process->rank, PMIX_HOSTNAME));
    bool is_it = NULL != own && NULL != its && 0 == strcmp(own, its);

    free(own);
    free(its);
    return is_it;
}

/* Gets a value of a process of this job. A fence may bring nothing to other nodes: that of mpirun 5.0.7 never does. */
static bool get_of_process(const pmix_proc_t *process, const char *key, pmix_value_t **value)
{
    const bool is_brought = 5 != OMPI_MAJOR_VERSION && opal_pmix_collect_all_data;

    return get_at_once(process, key, value)
           || (!is_brought && !is_of_own_node(process) && get_of_other_node(process, key, value));
}

static bool is_version(pmix_value_t *value, uint32_t version)
{
    bool is_same = PMIX_UINT32 == value->type && (0 == version || version == value->data.uint32);

    PMIX_VALUE_RELEASE(value);
    return is_same;
}

bool hitopo_glue_is_present(const char *layer, uint32_t version, int rank)
{
    pmix_proc_t process = self;
    pmix_value_t *value = NULL;
    char key[PMIX_MAX_KEYLEN + 1];

    if (!is_connected) {
        return false;
    }
    process.rank = (pmix_rank_t) rank;
    return get_of_process(&process, key_of(layer, key), &value) && is_version(value, version);
}

/* mpirun 4.1 names the namespace of a job by its number. */
static bool find_namespace(uint32_t job, pmix_nspace_t name)
{
#if OMPI_MAJOR_VERSION < 5
    snprintf(name, sizeof(pmix_nspace_t), "%u", job);
    return true;
#else
    return OPAL_SUCCESS == opal_pmix_convert_jobid(name, job);
#endif
}

/* The fence of another job may have collected nothing, and this node's server then has to ask that of the other node,
 * which answers at once. */
bool hitopo_glue_is_foreigner_present(uint32_t version, uint32_t job, uint32_t rank, bool is_on_own_node)
{
    pmix_proc_t process = self;
    pmix_value_t *value = NULL;
    char key[PMIX_MAX_KEYLEN + 1];

    process.rank = rank;
    if (!is_connected || !find_namespace(job, process.nspace)) {
        return false;
    }
    if (get_at_once(&process, key_of(NULL, key), &value)) {
        return is_version(value, version);
    }
    return !is_on_own_node && get_of_other_node(&process, key, &value) && is_version(value, version);
}

char *hitopo_glue_local_peers(void)
{
    return connect_once() ? take_string(get_of_job(PMIX_RANK_WILDCARD, PMIX_LOCAL_PEERS)) : NULL;
}

int hitopo_glue_local_rank(void)
{
    pmix_value_t *value = connect_once() ? get_of_job(self.rank, PMIX_LOCAL_RANK) : NULL;

    if (NULL == value) {
        return -1;
    }
    const int rank = PMIX_UINT16 == value->type ? value->data.uint16 : -1;
    PMIX_VALUE_RELEASE(value);
    return rank;
}

char *ompi_hitopo_base_nodes(void)
{
    return connect_once() ? take_string(get_of_job(PMIX_RANK_WILDCARD, PMIX_NODE_LIST)) : NULL;
}

bool ompi_hitopo_base_is_first_process(void)
{
    return is_connected && 0 == self.rank;
}

void ompi_hitopo_base_publish(const char *name, const char *text)
{
    pmix_value_t value = {.type = PMIX_STRING, .data.string = (char *) text}; /* PMIx copies it */

    if (is_connected) {
        (void) PMIx_Put(PMIX_GLOBAL, name, &value); /* committed like the presence key */
    }
}

char *ompi_hitopo_base_published(const char *name)
{
    pmix_proc_t first = self;
    pmix_value_t *value = NULL;

    first.rank = 0;
    if (!is_connected) {
        return NULL;
    }
    return get_of_process(&first, name, &value) ? take_string(value) : NULL;
}

void hitopo_glue_share_connection(void)
{
    if (is_connected && is_ours) {
        is_ours = false;
        (void) PMIx_Finalize(NULL, 0);
    }
}

void hitopo_glue_retire(void)
{
    hitopo_glue_share_connection();
    is_connected = false;
    num_announced = 0;
}
