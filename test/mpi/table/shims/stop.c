/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A preload that stops rank FAULT_RANK at a moment of HiTopo's exchange, FAULT_AT: "look-up-2" of the presence check,
 * or "message-6" (shims/messages.h). There it makes the file FAULT_FILE.reached, which holds its process number and its
 * parent's, and waits for FAULT_FILE.go.
 */
#define _GNU_SOURCE
#include "messages.h"

#include <time.h>
#include <unistd.h>

static void stop(const char *moment, int number)
{
    const struct timespec nap = {0, 10000000};
    char making[1024], reached[1024], go[1024];

    if (!is_here(moment, number, "FAULT_AT", "FAULT_RANK")) {
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

static void before_look_up(int number)
{
    stop("look-up", number);
}

static int before_message(int number)
{
    stop("message", number);
    return OMPI_SUCCESS;
}

static void after_message(int number, struct ompi_request_t **request)
{
    (void) number;
    (void) request;
}
