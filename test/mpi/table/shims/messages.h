/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For preloads: each message that HiTopo sends in MPI_Init, with something before and after it. They are numbered from
 * 1, in each process: first those of the presence check, ceil(log2 P) of P processes, then those of the exchange. A
 * member of a local group sends one; a leader sends ceil(log2 N) to other leaders, of N, and one to each member. What 8
 * KiB do not hold takes one more.
 */
#ifndef TEST_MPI_TABLE_SHIMS_MESSAGES_H
#define TEST_MPI_TABLE_SHIMS_MESSAGES_H

#include "ompi_config.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pmix.h>

#include "ompi/mca/coll/base/coll_tags.h"
#include "ompi/mca/pml/pml.h"

/* To be defined by who includes this. before_message: OMPI_SUCCESS, or an error instead of the message. */
static int before_message(int number);
static void after_message(int number, struct ompi_request_t **request);
static void before_look_up(int number);

/* Whether the environment variable `at` is this moment, "message-6", and `rank` this process. */
static int is_here(const char *moment, int number, const char *at, const char *rank)
{
    const char *own = getenv("OMPI_COMM_WORLD_RANK");
    char wanted[32];

    snprintf(wanted, sizeof(wanted), "%s-%d", moment, number);
    at = getenv(at);
    rank = getenv(rank);
    return NULL != at && NULL != rank && NULL != own && 0 == strcmp(at, wanted) && 0 == strcmp(rank, own);
}

static mca_pml_base_module_isend_fn_t next_isend;

static int isend(const void *buffer, size_t count, struct ompi_datatype_t *type, int to, int tag,
                 mca_pml_base_send_mode_t mode, struct ompi_communicator_t *comm, struct ompi_request_t **request)
{
    static int number = 0;

    if (MCA_COLL_BASE_TAG_BARRIER != tag) {
        return next_isend(buffer, count, type, to, tag, mode, comm, request);
    }
    int rc = before_message(++number);
    if (OMPI_SUCCESS != rc) {
        return rc;
    }
    rc = next_isend(buffer, count, type, to, tag, mode, comm, request);
    if (OMPI_SUCCESS == rc) {
        after_message(number, request);
    }
    return rc;
}

/* The first look-up of a key of HiTopo's is before the presence check, when Open MPI knows how it sends. */
pmix_status_t PMIx_Get(const pmix_proc_t *process, const char key[], const pmix_info_t info[], size_t num_info,
                       pmix_value_t **value)
{
    static int number = 0;
    union {
        void *address;
        pmix_status_t (*get)(const pmix_proc_t *, const char[], const pmix_info_t[], size_t, pmix_value_t **);
    } next = {dlsym(RTLD_NEXT, "PMIx_Get")};

    if (NULL != key && 0 == strncmp(key, "hitopo.", strlen("hitopo."))) {
        if (NULL == next_isend) {
            next_isend = mca_pml.pml_isend;
            mca_pml.pml_isend = isend;
        }
        before_look_up(++number);
    }
    return next.get(process, key, info, num_info, value);
}

#endif
