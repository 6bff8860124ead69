/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What travels with MPI_Init's own fence, as PMIx keys. First, which processes of the job run HiTopo,
 * before any collective of ours could hang for one that does not: all look at the same set after the
 * fence. An absent key answers at once, and never depends on time. Then, what the job's first process
 * found out for all.
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
#endif

#include "ompi/mca/hitopo/base/hitopo_base_glue.h"
#include "ompi/mca/hitopo/hitopo.h"

static const char presence_key[] = "hitopo.version";
static const char profiler_key[] = "hitopo.profiler";

static bool is_connected = false;
static bool is_ours = false; /* PMIx, to finalize */
static pmix_proc_t self;

/* A process that no launcher started must not become PMIx's own singleton before Open MPI decides. */
static bool has_server(void)
{
    return NULL != getenv("PMIX_NAMESPACE") && NULL != getenv("PMIX_RANK");
}

/* Before Open MPI does, or beside it. From 5.0 on, MPI_Init takes a PMIx that is up for its own: it asks
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

static void put(const char *key, uint32_t version)
{
    pmix_value_t value;

    memset(&value, 0, sizeof(value));
    value.type = PMIX_UINT32;
    value.data.uint32 = version;
    (void) PMIx_Put(PMIX_GLOBAL, key, &value); /* MPI_Init commits it with its own */
}

static bool connect_once(void)
{
    is_connected = is_connected || (has_server() && connect_first());
    return is_connected;
}

void hitopo_glue_announce(uint32_t version)
{
    if (connect_once()) {
        put(presence_key, version);
    }
}

void hitopo_glue_announce_profiler(uint32_t version)
{
    if (connect_once()) {
        put(profiler_key, version);
    }
}

bool hitopo_glue_can_tell(void)
{
    return is_connected;
}

static bool announced(const char *key, const pmix_proc_t *process, uint32_t version)
{
    pmix_value_t *value = NULL;

    if (!is_connected || PMIX_SUCCESS != PMIx_Get(process, key, NULL, 0, &value) || NULL == value) {
        return false;
    }
    bool is_same = PMIX_UINT32 == value->type && version == value->data.uint32;
    PMIX_VALUE_RELEASE(value);
    return is_same;
}

static bool is_rank_present(const char *key, uint32_t version, int rank)
{
    pmix_proc_t process = self;

    process.rank = (pmix_rank_t) rank;
    return announced(key, &process, version);
}

bool hitopo_glue_is_present(uint32_t version, int rank)
{
    return is_rank_present(presence_key, version, rank);
}

bool hitopo_glue_is_profiler_present(uint32_t version, int rank)
{
    return is_rank_present(profiler_key, version, rank);
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

bool hitopo_glue_is_foreigner_present(uint32_t version, uint32_t job, uint32_t rank)
{
    pmix_proc_t process = self;

    process.rank = rank;
    return find_namespace(job, process.nspace) && announced(presence_key, &process, version);
}

int hitopo_glue_local_rank(void)
{
    pmix_value_t *value = NULL;
    int rank = -1;

    if (!is_connected || PMIX_SUCCESS != PMIx_Get(&self, PMIX_LOCAL_RANK, NULL, 0, &value) || NULL == value) {
        return -1;
    }
    if (PMIX_UINT16 == value->type) {
        rank = value->data.uint16;
    }
    PMIX_VALUE_RELEASE(value);
    return rank;
}

bool hitopo_base_is_first_process(void)
{
    return is_connected && 0 == self.rank;
}

void hitopo_base_publish(const char *name, const char *text)
{
    pmix_value_t value;

    memset(&value, 0, sizeof(value));
    value.type = PMIX_STRING;
    value.data.string = (char *) text; /* PMIx copies it */
    if (is_connected) {
        (void) PMIx_Put(PMIX_GLOBAL, name, &value); /* committed like the presence key */
    }
}

char *hitopo_base_published(const char *name)
{
    pmix_proc_t first = self;
    pmix_value_t *value = NULL;
    char *text = NULL;

    first.rank = 0;
    if (!is_connected || PMIX_SUCCESS != PMIx_Get(&first, name, NULL, 0, &value) || NULL == value) {
        return NULL;
    }
    if (PMIX_STRING == value->type && NULL != value->data.string) {
        text = strdup(value->data.string);
    }
    PMIX_VALUE_RELEASE(value);
    return text;
}

void hitopo_glue_retire(void)
{
    if (is_connected) {
        is_connected = false;
        if (is_ours) {
            (void) PMIx_Finalize(NULL, 0);
        }
    }
}
