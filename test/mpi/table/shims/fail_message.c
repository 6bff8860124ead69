/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A preload in which a message of HiTopo's exchange (FAIL_AT, "message-6": shims/messages.h) ends with an error at
 * rank FAIL_RANK although it was sent, or ("unsent-6") is refused as one to a process that cannot be reached.
 */
#define _GNU_SOURCE
#include "messages.h"

#include "ompi/request/request.h"

static void before_look_up(int number)
{
    (void) number;
}

static int before_message(int number)
{
    return is_here("unsent", number, "FAIL_AT", "FAIL_RANK") ? OMPI_ERR_UNREACH : OMPI_SUCCESS;
}

static int free_nothing(ompi_request_t **request)
{
    *request = MPI_REQUEST_NULL;
    return OMPI_SUCCESS;
}

static void after_message(int number, ompi_request_t **request)
{
    static ompi_request_t failed;

    if (is_here("message", number, "FAIL_AT", "FAIL_RANK")) {
        (void) ompi_request_wait(request, MPI_STATUS_IGNORE);
        OBJ_CONSTRUCT(&failed, ompi_request_t);
        OMPI_REQUEST_INIT(&failed, false);
        failed.req_type = OMPI_REQUEST_NOOP;
        failed.req_state = OMPI_REQUEST_ACTIVE;
        failed.req_complete = REQUEST_COMPLETED;
        failed.req_free = free_nothing;
        failed.req_status.MPI_ERROR = MPI_ERR_OTHER;
        *request = &failed;
    }
}
