/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Random calls of collectives by their plans, and the results that they have to give: each process works out by itself
 * all ranks' contributions.
 */
#ifndef TEST_MPI_COLL_RANDOM_CALLS_H
#define TEST_MPI_COLL_RANDOM_CALLS_H

#include "test/mpi/coll/random_plans.h"

/* A call that is open, or has been made. */
typedef struct {
    plan_t plan;
    layout_t sent, received;
    array_t send, receive;
    arguments_t with;
    int send_counts[MAX_RANKS], send_begins[MAX_RANKS], counts[MAX_RANKS], begins[MAX_RANKS];
    MPI_Datatype send_types[MAX_RANKS], types[MAX_RANKS];
    operand_t *operand; /* of the user's operation */
} call_t;

/* ---- contributions and results ---- */

/* Whether this rank's contribution is where the result will be. */
static bool is_here(const plan_t *plan)
{
    return BCAST == plan->which ? rank == plan->root
                                : plan->is_in_place && (REDUCE != plan->which || rank == plan->root);
}

/* One rank's contribution for another; to all, for rank 0. */
static void fill(const plan_t *plan, const layout_t *layout, const array_t *array, int begin, int num, int from, int to)
{
    const uint64_t common = state;

    state = plan->seed + (uint64_t) (from + 1) * 0x9E3779B97F4A7C15u + (uint64_t) to * 0xBF58476D1CE4E5B9u;
    is_small = MPI_SUM == plan->operation.op;
    unpack_parts(&layout->element, place(layout, plan, array, begin), times(layout, plan, num), put_random);
    state = common;
}

/* This rank's blocks for each other one. */
static void fill_blocks(const plan_t *plan, const layout_t *layout, const array_t *array, const blocks_t *blocks)
{
    for (int i = 0; i < size; ++i) {
        fill(plan, layout, array, blocks->begins[i], blocks->counts[i], rank, i);
    }
}

static void fill_sent(const call_t *call, const array_t *array)
{
    const plan_t *plan = &call->plan;

    if (plan->is_exchange) {
        fill_blocks(plan, &call->sent, array, &plan->sent);
    } else {
        fill(plan, &call->sent, array, 0, num_sent(plan), rank, 0);
    }
}

/* The receive buffer before the call. */
static void fill_received(const call_t *call, const array_t *array)
{
    const plan_t *plan = &call->plan;
    const bool is_gather = plan->has_blocks && !plan->is_reduction;

    memset(array->memory, GAP, array->num_bytes);
    if (is_here(plan) && plan->is_exchange) {
        fill_blocks(plan, &call->received, array, &plan->received);
    } else if (is_here(plan)) {
        fill(plan, &call->received, array, is_gather ? plan->received.begins[rank] : 0,
             is_gather ? plan->received.counts[rank] : plan->received.end, rank, 0);
    }
}

/* All ranks' contributions, merged in their order. */
static void fill_merged(const call_t *call, array_t *wanted)
{
    const plan_t *plan = &call->plan;
    const layout_t *layout = &call->received;
    const element_t *element = &plan->element;
    const int begin = plan->has_blocks ? plan->received.begins[rank] : 0,
              num = plan->has_blocks ? plan->received.counts[rank] : plan->count;
    array_t result = array_for(element, plan->received.end);

    fill(plan, layout, &result, 0, plan->received.end, 0, 0);
    for (int other = 1; other < size; ++other) {
        array_t next = array_for(element, plan->received.end), before = result;
        fill(plan, layout, &next, 0, plan->received.end, other, 0);
        reduce_local(&plan->operation, at(&before, element, begin), at(&next, element, begin), num, element->type);
        result = next;
        free(before.memory);
    }
    char *mine = packed(element, at(&result, element, begin), num);
    unpack(element, mine, wanted->base, num);
    free(mine);
    free(result.memory);
}

/* The receive buffer as it has to be; the caller's to free. */
static array_t wanted_of(const call_t *call)
{
    const plan_t *plan = &call->plan;
    array_t wanted = array_for(&call->received.element, times(&call->received, plan, num_received(plan)));

    if (plan->is_reduction && (REDUCE != plan->which || rank == plan->root)) {
        fill_merged(call, &wanted);
    } else if (BCAST == plan->which) {
        fill(plan, &call->received, &wanted, 0, plan->count, plan->root, 0);
    }
    for (int i = 0; plan->has_blocks && !plan->is_reduction && i < size; ++i) {
        fill(plan, &call->received, &wanted, plan->received.begins[i], plan->received.counts[i], i,
             plan->is_exchange ? rank : 0);
    }
    return wanted;
}

/* ---- calls ---- */

static void lay_out(const plan_t *plan, const layout_t *layout, const blocks_t *blocks, int *counts, int *begins)
{
    const MPI_Aint unit = ALLTOALLW == plan->which ? layout->element.extent : 1;

    for (int i = 0; i < size; ++i) {
        counts[i] = blocks->counts[i] * layout->per;
        begins[i] = blocks->begins[i] * layout->per * (int) unit;
    }
}

static void fill_arguments(call_t *call)
{
    const plan_t *plan = &call->plan;
    const int own = plan->has_own_lengths && !plan->is_exchange ? plan->received.counts[rank] : plan->count;
    const bool has_nothing = REDUCE == plan->which && rank != plan->root && plan->number % 2;

    lay_out(plan, &call->sent, &plan->sent, call->send_counts, call->send_begins);
    lay_out(plan, &call->received, &plan->received, call->counts, call->begins);
    call->with = (arguments_t){.send = is_here(plan) ? MPI_IN_PLACE : call->send.base,
                               .receive = has_nothing ? NULL : call->receive.base,
                               .send_count = times(&call->sent, plan, own),
                               .receive_count = times(&call->received, plan, own),
                               .root = plan->root,
                               .send_type = call->sent.element.type,
                               .receive_type = call->received.element.type,
                               .op = plan->operation.op,
                               .send_counts = call->send_counts,
                               .send_begins = call->send_begins,
                               .counts = call->counts,
                               .begins = call->begins,
                               .send_types = call->send_types,
                               .types = call->types};
}

/* A type for one call alone, if it is the program's and has data (docs/upstream.md, 70). */
static bool has_copy(const plan_t *plan, const element_t *element)
{
    return plan->is_absolute || (!is_predefined(element) && 0 < element->size);
}

static MPI_Datatype type_for(const plan_t *plan, const element_t *element, const array_t *array)
{
    MPI_Datatype type = element->type;

    if (plan->is_absolute) {
        MPI_Aint address;
        MPI_Get_address(array->base, &address);
        MPI_Type_create_hindexed_block(1, 1, &address, element->type, &type);
        resize(&type, 0, element->extent);
        MPI_Type_commit(&type);
    } else if (has_copy(plan, element)) {
        MPI_Type_dup(element->type, &type);
    }
    return type;
}

static void free_type(const plan_t *plan, const element_t *element, MPI_Datatype type)
{
    if (has_copy(plan, element)) {
        MPI_Type_free(&type);
    }
}

/* A reduction has the same type at both sides, whose base is where the contribution is. */
static void use_absolute_types(call_t *call)
{
    const bool is_at_other = call->plan.is_reduction && NULL != call->with.receive;

    call->with.send = MPI_IN_PLACE == call->with.send ? MPI_IN_PLACE : MPI_BOTTOM;
    call->with.receive =
        is_at_other ? (void *) ((intptr_t) call->receive.base - (intptr_t) call->send.base) : MPI_BOTTOM;
}

/* Makes the call of its plan, whose types and operation are freed at once: MPI keeps what it needs. */
static void start(call_t *call, form_t form, MPI_Comm comm, MPI_Request *request)
{
    const plan_t *plan = &call->plan;
    const int number = plan->number;
    const bool has_function = NULL != plan->operation.function;

    call->sent = layout_for(plan, (rank + number / 4) % 4);
    call->received = layout_for(plan, (rank + number) % 4);
    call->send = array_for(&call->sent.element, times(&call->sent, plan, num_sent(plan)));
    call->receive = array_for(&call->received.element, times(&call->received, plan, num_received(plan)));
    fill_sent(call, &call->send);
    fill_received(call, &call->receive);
    fill_arguments(call);
    call->with.send_type = type_for(plan, &call->sent.element, &call->send);
    call->with.receive_type = type_for(plan, &call->received.element, &call->receive);
    if (plan->is_absolute) {
        use_absolute_types(call);
    }
    for (int i = 0; i < size; ++i) {
        call->send_types[i] = call->with.send_type;
        call->types[i] = call->with.receive_type;
    }
    call->operand = has_function ? begin_operand(&plan->element, call->with.send_type,
                                                 plan->is_absolute ? (intptr_t) call->send.base : 0)
                                 : NULL;
    if (has_function) {
        MPI_Op_create(plan->operation.function, plan->operation.commutes, &call->with.op);
    }
    perform(plan->which, form, &call->with, comm, request);
    if (has_function) {
        MPI_Op_free(&call->with.op);
    }
    free_type(plan, &call->sent.element, call->with.send_type);
    free_type(plan, &call->received.element, call->with.receive_type);
}

static void release(call_t *call)
{
    if (NULL != call->operand) {
        end_operand(call->operand);
    }
    free(call->send.memory);
    free(call->receive.memory);
    leave(&call->plan, &call->sent);
    leave(&call->plan, &call->received);
    drop(&call->plan.element);
}

/* ---- communicators ---- */

/* This rank's communicator: some of the ranks in any order. MPI_COMM_NULL at those that are in none. */
static MPI_Comm random_communicator(MPI_Comm world, int index)
{
    int world_rank, world_size, color = MPI_UNDEFINED, key = 0;
    const int num_colors = index % 2 ? 1 : 1 + below(3);
    MPI_Comm comm;

    MPI_Comm_rank(world, &world_rank);
    MPI_Comm_size(world, &world_size);
    for (int i = 0; i < world_size; ++i) {
        const int is_member = index == 0 || below(5) > 0, its_color = index == 0 ? 0 : below(num_colors);
        const int its_key = index == 0 ? i : below(world_size);
        if (i == world_rank && is_member) {
            color = its_color;
            key = its_key;
        }
    }
    MPI_Comm_split(world, color, key, &comm);
    return comm;
}

#endif
