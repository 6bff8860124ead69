/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether a random call gave what it has to, and wrote nothing else; and whether coll/hitopo serves those that do not
 * block.
 */
#ifndef TEST_MPI_COLL_CHECKED_CALLS_H
#define TEST_MPI_COLL_CHECKED_CALLS_H

#include <math.h>
#include <stdio.h>

#include "ompi/mca/hitopo/base/framework/hitopo_base_serving.h"
#include "test/mpi/checks.h"
#include "test/mpi/coll/random_calls.h"

static const char *seed;
static __thread int num_unexpected;

static void wrong(const plan_t *plan, const char *what, long long where)
{
    if (num_unexpected++ < 5) {
        fprintf(stderr, "seed %s, rank %d of %d, call %d, %s of %d %s of %s%s%s%s (%s): %s at %lld\n", seed, rank, size,
                plan->number, names[plan->which], plan->count, plan->element.what, plan->element.parts[0]->name,
                plan->is_in_place ? ", in place" : "",
                plan->is_absolute ? ", absolute"
                : plan->is_mixed  ? ", mixed"
                                  : "",
                plan->is_reduction ? ", " : "", plan->is_reduction ? plan->operation.name : "no operation", what,
                where);
    }
}

/* ---- results ---- */

static void mark(const call_t *call, const array_t *mask, int begin, int num,
                 void (*put)(char *, unsigned, const part_t *))
{
    unpack_parts(&call->received.element, place(&call->received, &call->plan, mask, begin),
                 times(&call->received, &call->plan, num), put);
}

/* The bytes that a call may write, and those that it has to. */
static array_t result_mask(const call_t *call)
{
    const plan_t *plan = &call->plan;
    array_t mask = mask_for(&call->received.element, times(&call->received, plan, num_received(plan)));

    if (plan->is_reduction && plan->has_blocks) {
        if (plan->is_in_place) {
            mark(call, &mask, 0, plan->received.end, put_untold);
        }
        mark(call, &mask, 0, plan->received.counts[rank], put_mask);
    } else if (plan->has_blocks) {
        for (int i = 0; i < size; ++i) {
            mark(call, &mask, plan->received.begins[i], plan->received.counts[i], put_mask);
        }
    } else if (REDUCE != plan->which || rank == plan->root) {
        mark(call, &mask, 0, plan->received.end, put_mask);
    }
    return mask;
}

static bool rounds(const plan_t *plan)
{
    return plan->is_reduction && NULL == plan->operation.function
           && (MPI_SUM == plan->operation.op || MPI_PROD == plan->operation.op)
           && ((FLOATING | COMPLEX) & plan->element.parts[0]->group);
}

static void expect_same(const call_t *call, const array_t *wanted, const array_t *mask, const char *what)
{
    const array_t *got = &call->receive;

    for (size_t i = 0; i < got->num_bytes; ++i) {
        if (DATA == mask->memory[i] && got->memory[i] != wanted->memory[i]) {
            wrong(&call->plan, what, got->memory + i - got->base);
            return;
        }
    }
}

static void expect_gaps(const call_t *call, const array_t *mask)
{
    const array_t *got = &call->receive;

    for (size_t i = 0; i < got->num_bytes; ++i) {
        if (NOBODYS == mask->memory[i] && got->memory[i] != (char) GAP) {
            wrong(&call->plan, "written beside the data", got->memory + i - got->base);
            return;
        }
    }
}

/* Each merge rounds once, by half an epsilon of what is merged; a complex product a few times. */
static void expect_close(const call_t *call, const array_t *wanted)
{
    const plan_t *plan = &call->plan;
    const part_t *parts = plan->element.parts[0]->parts;
    const int second = parts[1].size, num = plan->has_blocks ? plan->received.counts[rank] : plan->count;

    for (int i = 0; i < num && (REDUCE != plan->which || rank == plan->root); ++i) {
        const char *a = at(&call->receive, &plan->element, i), *b = at(wanted, &plan->element, i);
        const long double x = floating_at(b, parts[0].size), y = second ? floating_at(b + second, second) : 0;
        const long double dx = floating_at(a, parts[0].size) - x, dy = second ? floating_at(a + second, second) - y : 0;
        if (!(hypotl(dx, dy) <= 4 * size * epsilon_of(parts[0].size) * hypotl(x, y))) {
            wrong(plan, "not within rounding", i);
            return;
        }
    }
}

/* Once it is complete. */
static void check(const call_t *call)
{
    const plan_t *plan = &call->plan;
    array_t sent = array_for(&call->sent.element, times(&call->sent, plan, num_sent(plan)));
    array_t mask = result_mask(call), wanted = wanted_of(call);

    fill_sent(call, &sent);
    if (0 != memcmp(call->send.memory, sent.memory, sent.num_bytes)) {
        wrong(plan, "input written", 0);
    }
    expect_gaps(call, &mask);
    if (rounds(plan)) {
        expect_close(call, &wanted);
    } else {
        expect_same(call, &wanted, &mask, "not what ranks contribute");
    }
    free(sent.memory);
    free(mask.memory);
    free(wanted.memory);
}

/* The same bits again, and everywhere. */
static void check_bits(const call_t *call, MPI_Comm comm)
{
    const plan_t *plan = &call->plan;
    call_t again = *call;
    array_t mask = result_mask(call);

    again.receive = array_for(&call->received.element, num_received(plan));
    fill_received(&again, &again.receive);
    fill_arguments(&again);
    if (NULL != plan->operation.function) {
        MPI_Op_create(plan->operation.function, plan->operation.commutes, &again.with.op);
    }
    perform(plan->which, BLOCKING, &again.with, comm, NULL);
    if (NULL != plan->operation.function) {
        MPI_Op_free(&again.with.op);
    }
    expect_same(call, &again.receive, &mask, "other bits in a second call");
    if (ALLREDUCE == plan->which) {
        MPI_Bcast(again.receive.base, plan->count, plan->element.type, 0, comm);
        expect_same(call, &again.receive, &mask, "other bits than at rank 0");
    }
    free(again.receive.memory);
    free(mask.memory);
}

/* ---- what is served ---- */

static MPI_Comm watched = MPI_COMM_NULL; /* MPI_COMM_NULL: all but MPI_COMM_WORLD, on which others are made */
static int num_served[NUM_COLLECTIVES], least_served[NUM_COLLECTIVES], most_served[NUM_COLLECTIVES];
static int num_persistent; /* likewise */

static int is_watched(struct ompi_communicator_t *comm)
{
    return MPI_COMM_NULL == watched ? inner(MPI_COMM_WORLD) != comm : inner(watched) == comm;
}

static void *count_served(struct ompi_communicator_t *comm, const char *function)
{
    for (int which = 0; which < NUM_COLLECTIVES; ++which) {
        if (0 == strncmp("MPI_I", function, 5) && 0 == strcmp(names[which], function + 5) && is_watched(comm)) {
            (void) __atomic_add_fetch(&num_served[which], 1, __ATOMIC_RELAXED);
        }
    }
    num_persistent += NULL != strstr(function, "_init");
    return NULL;
}

static const hitopo_base_listener_t listener = {.serve = count_served};

static void note_served(const plan_t *plan, MPI_Comm comm)
{
    if (is_watched(inner(comm)) && !is_empty(plan)) {
        (void) __atomic_add_fetch(&most_served[plan->which], 1, __ATOMIC_RELAXED);
        (void) __atomic_add_fetch(&least_served[plan->which], is_surely_served(plan), __ATOMIC_RELAXED);
    }
}

/* is_left: none may be served. */
static void check_served(int is_left)
{
    for (int which = 0; which < NUM_COLLECTIVES; ++which) {
        const int least = is_left ? 0 : least_served[which], most = is_left ? 0 : most_served[which];
        if (num_served[which] < least || num_served[which] > most) {
            fprintf(stderr, "%s: %d are served, of %d to %d\n", names[which], num_served[which], least, most);
        }
        CHECK(least <= num_served[which] && num_served[which] <= most);
        CHECK(0 < most || is_left);
    }
}

#endif
