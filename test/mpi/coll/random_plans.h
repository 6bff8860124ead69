/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Plans of random calls of collectives, the same at all ranks, and each rank's own layout of their elements.
 */
#ifndef TEST_MPI_COLL_RANDOM_PLANS_H
#define TEST_MPI_COLL_RANDOM_PLANS_H

#include "test/mpi/coll/calls.h"
#include "test/mpi/coll/random_operations.h"

#define MAX_RANKS 256

/* This thread's communicator. */
static __thread int rank, size, next_root;

/* This rank's description of blocks of elements. */
typedef struct {
    element_t element;
    int per;       /* of these for each */
    bool is_whole; /* one for a block of any length */
} layout_t;

/* A block for each rank: elements, one behind the other, with gaps or without. */
typedef struct {
    int counts[MAX_RANKS], begins[MAX_RANKS], end;
} blocks_t;

/* Elements that a call is about, the same at all ranks but for `sent` and `received` of alltoallv and alltoallw. */
typedef struct {
    int which, number, root, count; /* count: of the message, or of each block */
    bool is_in_place, is_mixed, is_reduction, has_blocks, has_own_lengths, is_exchange;
    bool is_absolute; /* types have addresses, to which MPI_BOTTOM is the base */
    uint64_t seed;    /* of what is contributed */
    element_t element;
    operation_t operation;
    blocks_t sent, received; /* sent: of an exchange */
} plan_t;

/* The choices that may be drawn. */
typedef struct {
    form_t form;
    int only; /* of NUM_COLLECTIVES, any */
    int max_count;
    bool is_served;  /* by coll/hitopo: then, also what Open MPI's own cannot do (docs/upstream.md, 40 and 41) */
    bool is_ordered; /* no reduction has an operation that commutes */
    bool is_mixing;  /* all have one that is said to, without a result that is known */
} choice_t;

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

static void add_block(blocks_t *blocks, int i, int count, int gap)
{
    blocks->counts[i] = count;
    blocks->begins[i] = blocks->end;
    blocks->end += count + gap;
}

/* Elements that one rank has for another: none, or up to twice `count`. In place, both have as many, and some if they
 * may be many (docs/upstream.md, 68). */
static int pair_count(const plan_t *plan, int from, int to)
{
    const bool is_turned = plan->is_in_place && to < from;
    const int mixed = (is_turned ? to : from) * 31 + (is_turned ? from : to) * 17 + plan->number * 11;

    if (plan->is_in_place && plan->count > 30) {
        return 1 + mixed % (2 * plan->count + 1);
    }
    return mixed % 4 == 0 ? 0 : mixed % (2 * plan->count + 2);
}

/* Blocks of lengths of their own go to places of their own, but those of reductions. */
static void draw_blocks(plan_t *plan)
{
    plan->sent.end = plan->received.end = 0;
    for (int i = 0; i < size; ++i) {
        if (plan->has_own_lengths && plan->is_exchange) {
            add_block(&plan->sent, i, pair_count(plan, rank, i), 1);
            add_block(&plan->received, i, pair_count(plan, i, rank), 1);
        } else if (plan->has_own_lengths) {
            add_block(&plan->received, i, below(4) == 0 ? 0 : below(2 * plan->count + 2), plan->is_reduction ? 0 : 1);
        } else {
            add_block(&plan->sent, i, plan->count, 0);
            add_block(&plan->received, i, plan->count, 0);
        }
    }
}

/* Whether it may be merged by whom the call will be left to (docs/upstream.md, 41 and 69). */
static bool is_fit(const plan_t *plan, const choice_t *choice, const element_t *element)
{
    const bool must_begin_at_0 = plan->is_reduction && (!choice->is_served || choice->is_ordered);
    const bool must_extend = REDUCE_SCATTER_BLOCK == plan->which && BLOCKING != choice->form;

    return (!must_begin_at_0 || 0 == element->true_lb) && (!must_extend || 0 < element->extent);
}

/* Integers with gaps or without are what Open MPI's own are given wherever it may err for others. */
static element_t draw_element(const plan_t *plan, const choice_t *choice)
{
    const bool is_long = ALLTOALL == plan->which && 8 < plan->count;
    const bool is_left = !choice->is_served || is_long || (plan->is_exchange && plan->is_in_place);
    const predefined_t *const number = &all_predefined[0];
    const int num = plan->is_exchange ? size * (2 * plan->count + 2) : plan->received.end; /* at most */
    element_t element;

    if (is_left && (BLOCKING != choice->form || (plan->is_exchange && plan->has_own_lengths))) {
        return plan->is_reduction || below(2) ? element_of(number) : derived(LONGER, number, 0);
    }
    element = random_element(num);
    while (!is_fit(plan, choice, &element)) {
        drop(&element);
        element = random_element(num);
    }
    return element;
}

/* Such calls are left to others, but for those that do not know. */
static bool is_empty(const plan_t *plan)
{
    int num = plan->has_blocks ? 0 : plan->count;

    for (int i = 0; plan->has_blocks && i < size; ++i) {
        num += plan->received.counts[i];
    }
    return BARRIER != plan->which && plan->which < ALLTOALLV && 0 == num * plan->element.size;
}

/* Long calls in place are left to others, too, and long blocks of alltoall. */
static bool is_surely_served(const plan_t *plan)
{
    const bool is_long = ALLTOALL == plan->which && plan->count * plan->element.size > 128;

    return !is_empty(plan) && !is_long && !(plan->is_exchange && plan->is_in_place);
}

static plan_t draw_plan(const choice_t *choice, int number)
{
    plan_t plan = {.which = choice->only < NUM_COLLECTIVES ? choice->only : below(NUM_COLLECTIVES),
                   .number = number,
                   .root = next_root % size};
    const int which = plan.which;

    plan.count = BARRIER == which ? 0 : random_count(choice->max_count);
    next_root += BCAST == which || REDUCE == which; /* each rank in its turn */
    plan.is_reduction = is_reduction(which);
    plan.is_exchange = which >= ALLTOALL;
    plan.has_blocks = which >= ALLGATHER;
    plan.has_own_lengths = ALLGATHERV == which || REDUCE_SCATTER == which || which >= ALLTOALLV;
    plan.is_in_place = which != BCAST && which != BARRIER && below(3) == 0;
    if (plan.has_blocks && plan.count > 60) {
        plan.count = (plan.count + below(size)) / size;
    }
    if (plan.has_blocks) {
        draw_blocks(&plan);
    } else {
        plan.received.end = plan.count;
    }
    plan.element = draw_element(&plan, choice);
    plan.is_mixed = choice->is_served && PERSISTENT != choice->form && !plan.is_reduction
                    && !(plan.is_exchange && plan.is_in_place)
                    && (ALLTOALL != which || is_surely_served(&plan)) /* docs/upstream.md, 72 */
                    && below(2);
    if (plan.is_reduction) {
        plan.operation = choice->is_mixing
                             ? (operation_t){.name = "a mixing one", .function = mix_bytes, .commutes = true}
                             : random_operation(&plan.element, choice->is_ordered,
                                                BLOCKING == choice->form && 0 == plan.element.true_lb);
    }
    plan.is_absolute = choice->is_served && is_surely_served(&plan) && 0 < plan.element.size
                       && (!plan.is_reduction || NULL != plan.operation.function) && below(4) == 0;
    plan.seed = state;
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

/* The number of this rank's elements that are `num` of the plan's: all of a block, or of several. */
static int times(const layout_t *layout, const plan_t *plan, int num)
{
    return layout->is_whole ? num / plan->count : num * layout->per;
}

static char *place(const layout_t *layout, const plan_t *plan, const array_t *array, int index)
{
    return at(array, &layout->element, times(layout, plan, index));
}

static int num_sent(const plan_t *plan)
{
    if (plan->is_exchange) {
        return plan->sent.end;
    }
    return BCAST == plan->which                            ? 0
           : ALLGATHER == plan->which || !plan->has_blocks ? plan->count
           : plan->is_reduction                            ? plan->received.end
                                                           : plan->received.counts[rank];
}

/* Elements that the receive buffer has. */
static int num_received(const plan_t *plan)
{
    return plan->is_reduction && plan->has_blocks && !plan->is_in_place ? plan->received.counts[rank]
                                                                        : plan->received.end;
}

#endif
