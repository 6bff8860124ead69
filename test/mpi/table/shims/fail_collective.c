/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A preload in which every allgather, or allgatherv (FAIL_AT), of Open MPI's gives an error at rank FAIL_RANK after it
 * was carried out, as where the last messages are lost.
 */
#define _GNU_SOURCE
#include "allgathers.h"

static void before(const char *moment)
{
    (void) moment;
}

static int after(const char *moment, int result)
{
    return is_here(moment, "FAIL_AT", "FAIL_RANK") ? -1 : result; /* OMPI_ERROR */
}
