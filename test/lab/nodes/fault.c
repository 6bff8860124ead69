/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A preload that stops rank FAULT_RANK at a moment of HiTopo's exchange, FAULT_AT: "roll-call" (at its second
 * look-up), "allgather" or "allgatherv". There it makes the file FAULT_FILE.reached, which
 * holds its process number and its parent's, and waits for FAULT_FILE.go.
 *
 * MPI_Init calls no other allgather, and no other part looks HiTopo's key up.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../mpi/table/shims/allgathers.h"

static void stop(const char *moment)
{
    const struct timespec nap = {0, 10000000};
    char making[1024], reached[1024], go[1024];

    if (!is_here(moment, "FAULT_AT", "FAULT_RANK")) {
        return;
    }
    snprintf(making, sizeof(making), "%s.making", getenv("FAULT_FILE"));
    snprintf(reached, sizeof(reached), "%s.reached", getenv("FAULT_FILE"));
    snprintf(go, sizeof(go), "%s.go", getenv("FAULT_FILE"));
    FILE *file = fopen(making, "w");
    if (NULL != file) {
        fprintf(file, "%ld %ld\n", (long) getpid(), (long) getppid());
        fclose(file);
        (void) rename(making, reached);
    }
    while (0 != access(go, F_OK)) {
        (void) nanosleep(&nap, NULL);
    }
}

typedef union next_t {
    void *address;
    int (*get)(const void *, const char *, const void *, size_t, void **);
} next_t;

/* As in pmix.h, which is a package of its own. */
int PMIx_Get(const void *process, const char *key, const void *info, size_t num_info, void **value);
int PMIx_Get(const void *process, const char *key, const void *info, size_t num_info, void **value)
{
    static int num_calls = 0;
    next_t next = {dlsym(RTLD_NEXT, "PMIx_Get")};

    if (NULL != key && 0 == strcmp(key, "hitopo.version") && 2 == ++num_calls) {
        stop("roll-call");
    }
    return next.get(process, key, info, num_info, value);
}

static void before(const char *moment)
{
    stop(moment);
}

static int after(const char *moment, int result)
{
    (void) moment;
    return result;
}
