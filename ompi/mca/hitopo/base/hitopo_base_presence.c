/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Which processes of the job run HiTopo, before any collective of ours could hang for one that does
 * not: a PMIx key put before MPI_Init's own fence, so that all look at the same set afterwards. An
 * absent key answers at once, and never depends on time.
 */
#include "ompi_config.h"

#include <pthread.h>
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

/* ---- who is present ---- */

/* Asking for one process after the other would mean two changes of thread for each, which in an
 * oversubscribed job take a millisecond: many are asked for at once. */
enum { BATCH_SIZE = 64 };

typedef struct batch_t {
    pthread_mutex_t lock;
    pthread_cond_t is_answered;
    int num_open;
    uint32_t version;
} batch_t;

typedef struct question_t {
    batch_t *batch;
    pmix_proc_t process;
    bool is_present;
} question_t;

static void take_answer(pmix_status_t status, pmix_value_t *value, void *context)
{
    question_t *question = context;
    batch_t *batch = question->batch;

    question->is_present = PMIX_SUCCESS == status && NULL != value && PMIX_UINT32 == value->type
                           && batch->version == value->data.uint32;
    pthread_mutex_lock(&batch->lock);
    if (0 == --batch->num_open) {
        pthread_cond_signal(&batch->is_answered);
    }
    pthread_mutex_unlock(&batch->lock);
}

static void ask(batch_t *batch, question_t *questions, pmix_rank_t first_rank, int num_questions)
{
    batch->num_open = num_questions;
    for (int i = 0; i < num_questions; ++i) {
        questions[i] = (question_t){batch, self, false};
        questions[i].process.rank = first_rank + (pmix_rank_t) i;
        pmix_status_t status = PMIx_Get_nb(&questions[i].process, presence_key, NULL, 0, take_answer, &questions[i]);
        if (PMIX_SUCCESS != status) {
            take_answer(status, NULL, &questions[i]);
        }
    }
    pthread_mutex_lock(&batch->lock);
    while (0 < batch->num_open) {
        pthread_cond_wait(&batch->is_answered, &batch->lock);
    }
    pthread_mutex_unlock(&batch->lock);
}

int hitopo_glue_first_absent(uint32_t version, int size, int *first)
{
    batch_t batch = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, version};
    int absent = HITOPO_NONE_ABSENT;

    *first = -1;
    if (!is_connected) {
        return 1 == size ? HITOPO_NONE_ABSENT : HITOPO_CANNOT_TELL;
    }
    question_t questions[BATCH_SIZE]; /* 17 KiB; a process that had no memory would leave the others alone */
    for (int rank = 0; rank < size && (absent < 0 || *first < 0); rank += BATCH_SIZE) {
        int num_questions = size - rank < BATCH_SIZE ? size - rank : BATCH_SIZE;
        ask(&batch, questions, (pmix_rank_t) rank, num_questions);
        for (int i = 0; i < num_questions; ++i) {
            int *lowest = questions[i].is_present ? first : &absent;
            *lowest = *lowest < 0 ? rank + i : *lowest;
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
