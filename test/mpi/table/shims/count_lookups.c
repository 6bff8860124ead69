/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A preload that counts how often a process asks PMIx for a key of HiTopo's, and prints at its end
 *     look-ups: rank 3: 6 of hitopo, 0 without a bound
 * where those without PMIX_IMMEDIATE, PMIX_OPTIONAL or PMIX_GET_REFRESH_CACHE are such as PMIx answers after two
 * seconds where nobody put the key.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmix.h>

static int num_all = 0, num_unbounded = 0;

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
        ++num_all;
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
