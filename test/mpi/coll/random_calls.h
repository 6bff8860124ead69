/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Random calls of collectives.
 */
#ifndef TEST_MPI_COLL_RANDOM_CALLS_H
#define TEST_MPI_COLL_RANDOM_CALLS_H

#include "test/mpi/coll/random_operations.h"

enum {
    BCAST,
    REDUCE,
    ALLREDUCE,
    ALLGATHER,
    ALLGATHERV,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    ALLTOALL,
    NUM_COLLECTIVES
};
static const char *const names[] =
    {"bcast", "reduce", "allreduce", "allgather", "allgatherv", "reduce_scatter", "reduce_scatter_block", "alltoall"};
#define MAX_RANKS 256

static int rank, size, next_root;

/* How this rank describes blocks of elements. */
typedef struct {
    element_t element;
    int per;       /* of these for each */
    bool is_whole; /* one for a block of any length */
} layout_t;

/* Elements, as all ranks agree on them, that a call is about. */
typedef struct {
    int which, root, count; /* count: of the message, or of each block */
    bool is_in_place, is_mixed, is_reduction, has_blocks, has_own_lengths;
    bool has_reference; /* Open MPI's own can do it */
    element_t element;
    operation_t operation;
    int counts[MAX_RANKS], begins[MAX_RANKS], end; /* of has_own_lengths */
} plan_t;

/* One call's arguments. */
typedef struct {
    const void *send;
    void *receive;
    int send_count, receive_count, counts[MAX_RANKS], begins[MAX_RANKS];
    MPI_Datatype send_type, receive_type;
} arguments_t;

/* ---- plans ---- */

static int random_count(int max)
{
    const int kind = below(16);
    int count = below(60);

    if (kind < 2) {
        count = kind;
    } else if (kind < 5) {
        count = below(2000);
    } else if (kind == 5) {
        count = (4096 << below(3)) + below(3) - 1;
    } else if (kind == 6 && below(6) == 0) {
        count = below(max);
    }
    return count < max ? count : max;
}

/* With gaps behind blocks where they go to places of their own. */
static void draw_lengths(plan_t *plan, int gap)
{
    plan->end = 0;
    for (int i = 0; i < size; ++i) {
        plan->counts[i] = below(4) == 0 ? 0 : below(2 * plan->count + 2);
        plan->begins[i] = plan->end;
        plan->end += plan->counts[i] + gap;
    }
}

/* docs/upstream.md, 41 */
static element_t random_operand(const plan_t *plan, bool is_served)
{
    element_t element = random_element(plan->end);

    while (plan->is_reduction && !is_served && 0 != element.true_lb) {
        drop(&element);
        element = random_element(plan->end);
    }
    return element;
}

/* which: of NUM_COLLECTIVES, any. is_served: also what Open MPI's own cannot do. */
static plan_t draw_plan(int which, int max_count, bool is_served, bool is_ordered)
{
    plan_t plan = {.which = which < NUM_COLLECTIVES ? which : below(NUM_COLLECTIVES),
                   .root = next_root % size,
                   .count = random_count(max_count)};

    next_root += BCAST == plan.which || REDUCE == plan.which; /* each rank in its turn */
    plan.is_reduction = REDUCE == plan.which || ALLREDUCE == plan.which || REDUCE_SCATTER == plan.which
                        || REDUCE_SCATTER_BLOCK == plan.which;
    plan.has_blocks = plan.which >= ALLGATHER;
    plan.has_own_lengths = ALLGATHERV == plan.which || REDUCE_SCATTER == plan.which;
    plan.is_in_place = BCAST != plan.which && below(3) == 0;
    plan.is_mixed = is_served && !plan.is_reduction && below(2);
    if (plan.has_blocks && plan.count > 60) {
        plan.count = (plan.count + below(size)) / size;
    }
    plan.end = plan.count * (plan.has_blocks ? size : 1);
    if (plan.has_own_lengths) {
        draw_lengths(&plan, ALLGATHERV == plan.which ? 1 : 0);
    }
    plan.element = random_operand(&plan, is_served && !is_ordered);
    is_small = false;
    plan.has_reference = !plan.is_reduction || 0 == plan.element.true_lb;
    if (plan.is_reduction) {
        plan.operation = random_operation(&plan.element, is_ordered, plan.has_reference);
        begin_operations(&plan.element);
        is_small = MPI_SUM == plan.operation.op;
    }
    return plan;
}

/* The same data: as the plan has it, number by number, with gaps, or a whole block as one. */
static layout_t layout_for(const plan_t *plan, int kind)
{
    layout_t layout = {.element = plan->element, .per = 1};
    const predefined_t *part = plan->element.parts[0];
    const int num = plan->element.size / size_of_parts(part);

    if (!plan->is_mixed || 0 == kind || (plan->element.num_parts > 1 && kind < 3) || 0 == num) {
        return layout;
    }
    layout.element.what = "mixed";
    if (kind < 3) {
        layout.element = element_of(part);
        layout.per = num;
    }
    if (2 == kind && may_have_gaps(part)) {
        layout.per = 1;
        MPI_Type_vector(num, 1, 2, part->type, &layout.element.type);
    } else if (3 == kind && plan->count > 0 && !plan->has_own_lengths) {
        layout.is_whole = true;
        MPI_Type_contiguous(plan->count, plan->element.type, &layout.element.type);
    } else if (3 == kind) {
        MPI_Type_dup(plan->element.type, &layout.element.type);
    }
    layout.element = measured(layout.element);
    return layout;
}

static void leave(const plan_t *plan, layout_t *layout)
{
    if (layout->element.type != plan->element.type) {
        drop(&layout->element);
    }
}

/* ---- calls ---- */

static void perform(const plan_t *plan, const arguments_t *with, MPI_Comm comm)
{
    const MPI_Op op = plan->operation.op;

    switch (plan->which) {
    case BCAST:
        MPI_Bcast(with->receive, with->receive_count, with->receive_type, plan->root, comm);
        break;
    case REDUCE:
        MPI_Reduce(with->send, with->receive, with->send_count, with->send_type, op, plan->root, comm);
        break;
    case ALLREDUCE:
        MPI_Allreduce(with->send, with->receive, with->send_count, with->send_type, op, comm);
        break;
    case ALLGATHER:
        MPI_Allgather(with->send, with->send_count, with->send_type, with->receive, with->receive_count,
                      with->receive_type, comm);
        break;
    case ALLGATHERV:
        MPI_Allgatherv(with->send, with->send_count, with->send_type, with->receive, with->counts, with->begins,
                       with->receive_type, comm);
        break;
    case REDUCE_SCATTER:
        MPI_Reduce_scatter(with->send, with->receive, with->counts, with->send_type, op, comm);
        break;
    case REDUCE_SCATTER_BLOCK:
        MPI_Reduce_scatter_block(with->send, with->receive, with->send_count, with->send_type, op, comm);
        break;
    default:
        MPI_Alltoall(with->send, with->send_count, with->send_type, with->receive, with->receive_count,
                     with->receive_type, comm);
    }
}

/* How many of this rank's elements are `num` of the plan's: all of a block, or of several. */
static int times(const layout_t *layout, const plan_t *plan, int num)
{
    return layout->is_whole ? num / plan->count : num * layout->per;
}

static int num_sent(const plan_t *plan)
{
    if (BCAST == plan->which) {
        return 0;
    }
    if (plan->has_own_lengths && !plan->is_reduction) {
        return plan->counts[rank];
    }
    return ALLGATHER == plan->which ? plan->count : plan->end;
}

static int num_received(const plan_t *plan)
{
    if (plan->is_reduction && plan->has_blocks && !plan->is_in_place) {
        return plan->has_own_lengths ? plan->counts[rank] : plan->count;
    }
    return plan->end;
}

/* send, receive: elements in memory. */
static arguments_t arguments_of(const plan_t *plan, const layout_t *sent, const layout_t *received, const array_t *send,
                                const array_t *receive)
{
    const bool is_here = plan->is_in_place && (REDUCE != plan->which || rank == plan->root);
    const int own = plan->has_own_lengths ? plan->counts[rank] : plan->count;
    arguments_t with = {.send = is_here ? MPI_IN_PLACE : send->base,
                        .receive = receive->base,
                        .send_count = times(sent, plan, own),
                        .receive_count = times(received, plan, own),
                        .send_type = sent->element.type,
                        .receive_type = received->element.type};

    for (int i = 0; plan->has_own_lengths && i < size; ++i) {
        with.counts[i] = plan->counts[i] * received->per;
        with.begins[i] = plan->begins[i] * received->per;
    }
    return with;
}

/* Where this rank's contribution is in its receive buffer, and how long. */
static int own_begin(const plan_t *plan)
{
    return ALLGATHERV == plan->which ? plan->begins[rank] : ALLGATHER == plan->which ? rank * plan->count : 0;
}

static int own_length(const plan_t *plan)
{
    return ALLGATHERV == plan->which ? plan->counts[rank] : ALLGATHER == plan->which ? plan->count : plan->end;
}

static char *place(const layout_t *layout, const plan_t *plan, const array_t *array, int index)
{
    return at(array, &layout->element, times(layout, plan, index));
}

static const predefined_t packed_bytes = WHOLE(OTHER, MPI_PACKED, char);

/* The same by packed bytes, which all ranks describe alike. */
static void perform_packed(const plan_t *plan, const layout_t *sent, const layout_t *received, const array_t *send,
                           const array_t *receive, MPI_Comm comm)
{
    const bool is_from_receive = plan->is_in_place || BCAST == plan->which;
    const layout_t *from = is_from_receive ? received : sent;
    const layout_t bytes = {.element = element_of(&packed_bytes), .per = plan->element.size};
    const int begin = own_begin(plan), num = is_from_receive ? own_length(plan) : num_sent(plan);
    array_t out = {.base = packed(&from->element, is_from_receive ? place(received, plan, receive, begin) : send->base,
                                  times(from, plan, num))};
    array_t in = {.base = BCAST == plan->which ? out.base : malloc((size_t) plan->end * (size_t) bytes.per + 1)};
    plan_t copied = *plan;

    copied.is_in_place = false;
    const arguments_t with = arguments_of(&copied, &bytes, &bytes, &out, &in);
    perform(plan, &with, comm);
    for (int i = 0; i < (plan->has_own_lengths ? size : 1); ++i) {
        const int first = plan->has_own_lengths ? plan->begins[i] : 0;
        unpack(&received->element, in.base + first * bytes.per, place(received, plan, receive, first),
               times(received, plan, plan->has_own_lengths ? plan->counts[i] : plan->end));
    }
    free(out.base);
    if (in.base != out.base) {
        free(in.base);
    }
}

#endif
