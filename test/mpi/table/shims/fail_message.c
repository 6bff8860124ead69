/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A preload in which a message of HiTopo's exchange (FAIL_AT, "message-6": shims/messages.h) gives an error at rank
 * FAIL_RANK after it was sent.
 */
#define _GNU_SOURCE
#include "messages.h"

static void before_look_up(int number)
{
    (void) number;
}

static void before_message(int number)
{
    (void) number;
}

static int after_message(int number, int result)
{
    return is_here("message", number, "FAIL_AT", "FAIL_RANK") ? OMPI_ERROR : result;
}
