/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Which processes of the job run HiTopo, before any collective of ours could hang for one that does
 * not: a PMIx key put before MPI_Init's own fence, so that all look at the same set afterwards. An
 * absent key answers at once, and never depends on time.
 */
#include "ompi_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmix.h>

#include "ompi/mca/hitopo/base/hitopo_base_glue.h"

static const char presence_key[] = "hitopo.version";

static bool is_connected = false;
static pmix_proc_t self;

/* A process that no launcher started must not become PMIx's own singleton before Open MPI decides. */
static bool has_server(void)
{
    return NULL != getenv("PMIX_NAMESPACE") && NULL != getenv("PMIX_RANK");
}

void hitopo_glue_announce(uint32_t version)
{
    pmix_value_t value;

    if (is_connected || !has_server() || PMIX_SUCCESS != PMIx_Init(&self, NULL, 0)) {
        return;
    }
    is_connected = true;
    memset(&value, 0, sizeof(value));
    value.type = PMIX_UINT32;
    value.data.uint32 = version;
    (void) PMIx_Put(PMIX_GLOBAL, presence_key, &value);
    (void) PMIx_Commit();
}

static bool is_present(uint32_t version, pmix_rank_t rank)
{
    pmix_proc_t process = self;
    pmix_value_t *value = NULL;

    process.rank = rank;
    if (PMIX_SUCCESS != PMIx_Get(&process, presence_key, NULL, 0, &value) || NULL == value) {
        return false;
    }
    bool is_same = PMIX_UINT32 == value->type && version == value->data.uint32;
    PMIX_VALUE_RELEASE(value);
    return is_same;
}

int hitopo_glue_first_absent(uint32_t version, int size, int *first)
{
    *first = -1;
    if (!is_connected) {
        return 1 == size ? HITOPO_NONE_ABSENT : HITOPO_CANNOT_TELL;
    }
    int absent = HITOPO_NONE_ABSENT;
    for (int rank = 0; rank < size && (absent < 0 || *first < 0); ++rank) {
        if (is_present(version, (pmix_rank_t) rank)) {
            *first = *first < 0 ? rank : *first;
        } else {
            absent = absent < 0 ? rank : absent;
        }
    }
    return absent;
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

void hitopo_glue_retire(void)
{
    if (is_connected) {
        is_connected = false;
        (void) PMIx_Finalize(NULL, 0);
    }
}
