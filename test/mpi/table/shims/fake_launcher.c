/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A preload in which PMIx tells HiTopo, and nobody else, of other nodes: NODES "0,1,2/3,4/5" are node0 to node2 and
 * their ranks. At rank OTHER_RANK, or "all", the value of OTHER_NODES counts instead; "" is a launcher that tells
 * nothing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmix.h>

static int own_rank(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    return NULL == rank ? -1 : atoi(rank);
}

static const char *nodes(void)
{
    const char *other = getenv("OTHER_NODES"), *rank = getenv("OTHER_RANK");
    const bool is_other = NULL != rank && (0 == strcmp(rank, "all") || atoi(rank) == own_rank());
    return NULL != other && is_other ? other : getenv("NODES");
}

/* The ranks of a node, "3,4"; false behind the last. */
static bool ranks_of(const char *map, int node, char ranks[256])
{
    for (; node > 0 && NULL != map; --node) {
        map = strchr(map, '/');
        map = NULL == map ? NULL : map + 1;
    }
    if (NULL == map) {
        return false;
    }
    snprintf(ranks, 256, "%.*s", (int) strcspn(map, "/"), map);
    return true;
}

static int node_of(const char *map, int rank)
{
    char ranks[256];

    for (int node = 0; ranks_of(map, node, ranks); ++node) {
        for (char *save = NULL, *at = strtok_r(ranks, ",", &save); NULL != at; at = strtok_r(NULL, ",", &save)) {
            if (atoi(at) == rank) {
                return node;
            }
        }
    }
    return -1;
}

static pmix_status_t give(const char *text, pmix_value_t **value)
{
    PMIX_VALUE_CREATE(*value, 1);
    PMIX_VALUE_LOAD(*value, text, PMIX_STRING);
    return PMIX_SUCCESS;
}

static bool is_ours(const void *caller)
{
    Dl_info library;
    return 0 != dladdr(caller, &library) && NULL != library.dli_fname && NULL != strstr(library.dli_fname, "hitopo.so");
}

pmix_status_t PMIx_Get(const pmix_proc_t *process, const char key[], const pmix_info_t info[], size_t num_info,
                       pmix_value_t **value)
{
    union {
        void *address;
        pmix_status_t (*get)(const pmix_proc_t *, const char[], const pmix_info_t[], size_t, pmix_value_t **);
    } next = {dlsym(RTLD_NEXT, "PMIx_Get")};

    if (NULL == key || NULL == nodes() || !is_ours(__builtin_return_address(0))) {
        return next.get(process, key, info, num_info, value);
    }
    if (0 == strcmp(key, PMIX_LOCAL_PEERS)) {
        char ranks[256];
        return ranks_of(nodes(), node_of(nodes(), own_rank()), ranks) ? give(ranks, value) : PMIX_ERR_NOT_FOUND;
    }
    return next.get(process, key, info, num_info, value);
}
