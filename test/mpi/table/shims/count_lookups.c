/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A preload that counts the keys of HiTopo's of other processes for which a process asks PMIx, each once: where an
 * answer is still on its way, HiTopo asks another time. At the process's end it prints
 *
 *     look-ups: rank 3: 6 of hitopo, 0 without a bound
 *
 * where those without PMIX_IMMEDIATE, PMIX_OPTIONAL or PMIX_GET_REFRESH_CACHE are such as PMIx answers after two
 * seconds where nobody put the key.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmix.h>

enum { MAX_ASKED = 1000 };

static int num_all = 0, num_unbounded = 0;
static struct {
    pmix_rank_t rank;
    char key[64];
} asked[MAX_ASKED];

static void count(pmix_rank_t rank, const char *key)
{
    int i = 0;

    while (i < num_all && (asked[i].rank != rank || 0 != strcmp(asked[i].key, key))) {
        ++i;
    }
    if (i == num_all && i < MAX_ASKED) {
        asked[num_all].rank = rank;
        snprintf(asked[num_all++].key, sizeof(asked[i].key), "%s", key);
    }
}

typedef pmix_status_t (*get_t)(const pmix_proc_t *, const char[], const pmix_info_t[], size_t, pmix_value_t **);

pmix_status_t PMIx_Get(const pmix_proc_t *process, const char key[], const pmix_info_t info[], size_t num_info,
                       pmix_value_t **value)
{
    union {
        void *address;
        get_t get;
    } next = {dlsym(RTLD_NEXT, "PMIx_Get")};

    if (NULL != key && 0 == strncmp(key, "hitopo.", strlen("hitopo."))) {
        int is_bounded = 0;
        for (size_t i = 0; i < num_info; ++i) {
            is_bounded |= 0 == strcmp(info[i].key, PMIX_IMMEDIATE) || 0 == strcmp(info[i].key, PMIX_OPTIONAL)
                          || 0 == strcmp(info[i].key, PMIX_GET_REFRESH_CACHE);
        }
        count(NULL == process ? PMIX_RANK_UNDEF : process->rank, key);
        num_unbounded += !is_bounded;
    }
    return next.get(process, key, info, num_info, value);
}

__attribute__((destructor)) static void tell(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");

    if (NULL != rank) {
        fprintf(stderr, "look-ups: rank %s: %d of hitopo, %d without a bound\n", rank, num_all, num_unbounded);
    }
}
