/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Random collectives of random communicators with all kinds of datatypes and operations, against Open MPI's own on a
 * duplicate that keeps component coll/hitopo out:
 *
 *     coll_types_check SEED NUM_COMMUNICATORS NUM_CALLS MAX_COUNT SERVED_FROM all|ordered|stock|NAME
 *
 * SERVED_FROM: communicators of so many ranks and more are served by coll/hitopo, 0: none. There, also what Open MPI's
 * own cannot do: ranks describe the same data by other types (docs/upstream.md, 40), and elements that do not begin at
 * 0 are merged (41). ordered: no reduction has an operation that commutes. stock: Open MPI's own against itself. NAME:
 * bcast and no other, say.
 *
 * All ranks draw the same numbers. Knows nothing of HiTopo but its component's name.
 */
/* libs: -lm */
#include <math.h>
#include <stdio.h>

#include "test/mpi/coll/random_calls.h"

static int call, num_wrong, only = NUM_COLLECTIVES; /* no one alone */
static const char *seed;

static void wrong(const plan_t *plan, const char *what, long long where)
{
    if (num_wrong++ < 5) {
        fprintf(stderr, "seed %s, rank %d of %d, call %d, %s of %d %s of %s%s%s%s (%s): %s at %lld\n", seed, rank, size,
                call, names[plan->which], plan->count, plan->element.what, plan->element.parts[0]->name,
                plan->is_in_place ? ", in place" : "", plan->is_mixed ? ", mixed" : "", plan->is_reduction ? ", " : "",
                plan->is_reduction ? plan->operation.name : "no operation", what, where);
    }
}

/* ---- results ---- */

static void mark(const plan_t *plan, const layout_t *layout, const array_t *mask, int begin, int num,
                 void (*put)(char *, unsigned, const part_t *))
{
    unpack_parts(&layout->element, place(layout, plan, mask, begin), times(layout, plan, num), put);
}

/* What a call may write, and what it has to. */
static array_t result_mask(const plan_t *plan, const layout_t *layout)
{
    array_t mask = mask_for(&layout->element, times(layout, plan, num_received(plan)));

    if (plan->is_reduction && plan->has_blocks) {
        if (plan->is_in_place) {
            mark(plan, layout, &mask, 0, plan->end, put_untold);
        }
        mark(plan, layout, &mask, 0, plan->has_own_lengths ? plan->counts[rank] : plan->count, put_mask);
    } else if (plan->has_own_lengths) {
        for (int i = 0; i < size; ++i) {
            mark(plan, layout, &mask, plan->begins[i], plan->counts[i], put_mask);
        }
    } else if (REDUCE != plan->which || rank == plan->root) {
        mark(plan, layout, &mask, 0, plan->end, put_mask);
    }
    return mask;
}

static bool rounds(const plan_t *plan)
{
    return plan->is_reduction && (MPI_SUM == plan->operation.op || MPI_PROD == plan->operation.op)
           && ((FLOATING | COMPLEX) & plan->element.parts[0]->group);
}

static void expect_same(const plan_t *plan, const array_t *got, const array_t *wanted, const array_t *mask,
                        const char *what)
{
    for (size_t i = 0; i < got->num_bytes; ++i) {
        if (DATA == mask->memory[i] && got->memory[i] != wanted->memory[i]) {
            wrong(plan, what, got->memory + i - got->base);
            return;
        }
    }
}

static void expect_gaps(const plan_t *plan, const array_t *got, const array_t *mask)
{
    for (size_t i = 0; i < got->num_bytes; ++i) {
        if (NOBODYS == mask->memory[i] && got->memory[i] != (char) GAP) {
            wrong(plan, "written beside the data", got->memory + i - got->base);
            return;
        }
    }
}

/* Each merge rounds once, by half an epsilon of what is merged; a complex product a few times. */
static void expect_close(const plan_t *plan, const array_t *got, const array_t *wanted, int num)
{
    const part_t *parts = plan->element.parts[0]->parts;
    const int second = parts[1].size;

    for (int i = 0; i < num; ++i) {
        const char *a = at(got, &plan->element, i), *b = at(wanted, &plan->element, i);
        const long double x = floating_at(b, parts[0].size), y = second ? floating_at(b + second, second) : 0;
        const long double dx = floating_at(a, parts[0].size) - x, dy = second ? floating_at(a + second, second) - y : 0;
        if (!(hypotl(dx, dy) <= 4 * size * epsilon_of(parts[0].size) * hypotl(x, y))) {
            wrong(plan, "not within rounding", i);
            return;
        }
    }
}

/* By what all ranks contribute, in their order. */
static void expect_merged(const plan_t *plan, const array_t *got, const array_t *mask)
{
    const int begin = REDUCE_SCATTER == plan->which         ? plan->begins[rank]
                      : REDUCE_SCATTER_BLOCK == plan->which ? rank * plan->count
                                                            : 0;
    const int num = REDUCE_SCATTER == plan->which ? plan->counts[rank] : plan->count;

    if ((REDUCE == plan->which && rank != plan->root)
        || (plan->has_reference && plan->end * plan->element.size > 20000)) {
        return;
    }
    array_t all = merged(&plan->element, plan->end, size, plan->operation.op),
            right = array_for(&plan->element, num_received(plan));
    char *mine = packed(&plan->element, at(&all, &plan->element, begin), num);
    unpack(&plan->element, mine, right.base, num);
    expect_same(plan, got, &right, mask, "not what ranks contribute");
    free(mine);
    free(right.memory);
    free(all.memory);
}

/* ---- calls ---- */

static array_t receive_array(const plan_t *plan, const layout_t *layout)
{
    array_t array = array_for(&layout->element, times(layout, plan, num_received(plan)));

    if ((BCAST == plan->which && rank == plan->root)
        || (plan->is_in_place && (REDUCE != plan->which || rank == plan->root))) {
        const int begin = own_begin(plan);
        fill(&layout->element, place(layout, plan, &array, begin), times(layout, plan, own_length(plan)), rank);
    }
    return array;
}

/* The same bits again, and everywhere. */
static void check_bits(const plan_t *plan, const layout_t *layout, const arguments_t *with, const array_t *got,
                       const array_t *mask, MPI_Comm comm, MPI_Comm reference)
{
    array_t again = receive_array(plan, layout);
    arguments_t other = *with;

    other.receive = again.base;
    perform(plan, &other, comm);
    expect_same(plan, &again, got, mask, "other bits in a second call");
    if (ALLREDUCE == plan->which) {
        MPI_Bcast(again.base, plan->count, plan->element.type, 0, reference);
        expect_same(plan, &again, got, mask, "other bits than at rank 0");
    }
    free(again.memory);
}

/* Against Open MPI's own, whose result goes to `wanted`. */
static void compare(const plan_t *plan, const layout_t *sent, const layout_t *received, const array_t *send,
                    const array_t *got, const array_t *wanted, const array_t *mask, MPI_Comm reference)
{
    if (plan->is_mixed) {
        perform_packed(plan, sent, received, send, wanted, reference);
    } else {
        const arguments_t with = arguments_of(plan, sent, received, send, wanted);
        perform(plan, &with, reference);
    }
    if (!rounds(plan)) {
        expect_same(plan, got, wanted, mask, "not as Open MPI's own");
    } else if (REDUCE != plan->which || rank == plan->root) {
        expect_close(plan, got, wanted, plan->has_own_lengths ? plan->counts[rank] : plan->count);
    }
}

static void check_call(const plan_t *plan, MPI_Comm comm, MPI_Comm reference)
{
    layout_t sent = layout_for(plan, (rank + call / 4) % 4), received = layout_for(plan, (rank + call) % 4);
    const int num = times(&sent, plan, num_sent(plan));
    array_t send = array_for(&sent.element, num), before = array_for(&sent.element, num);
    array_t got = receive_array(plan, &received), wanted = receive_array(plan, &received);
    array_t mask = result_mask(plan, &received);

    fill(&sent.element, send.base, num, rank);
    fill(&sent.element, before.base, num, rank);
    const arguments_t with = arguments_of(plan, &sent, &received, &send, &got);
    perform(plan, &with, comm);
    if (0 != memcmp(send.memory, before.memory, send.num_bytes)) {
        wrong(plan, "input written", 0);
    }
    expect_gaps(plan, &got, &mask);
    if (plan->has_reference) {
        compare(plan, &sent, &received, &send, &got, &wanted, &mask, reference);
    }
    if (rounds(plan)) {
        check_bits(plan, &received, &with, &got, &mask, comm, reference);
    } else if (plan->is_reduction) {
        expect_merged(plan, &got, &mask);
    }
    free(send.memory);
    free(before.memory);
    free(got.memory);
    free(wanted.memory);
    free(mask.memory);
    leave(plan, &sent);
    leave(plan, &received);
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

/* Open MPI's coll framework reads the key. */
static MPI_Comm without_hitopo(MPI_Comm comm)
{
    MPI_Info info;
    MPI_Comm copy;

    MPI_Info_create(&info);
    MPI_Info_set(info, "ompi_comm_coll_preference", "^hitopo");
    MPI_Comm_dup_with_info(comm, info, &copy);
    MPI_Info_free(&info);
    return copy;
}

static void check_communicator(MPI_Comm comm, char **argv)
{
    const int served_from = atoi(argv[5]);
    const bool is_ordered = 0 == strcmp(argv[6], "ordered"), is_stock = 0 == strcmp(argv[6], "stock");
    MPI_Comm reference = without_hitopo(comm), tested = is_stock ? without_hitopo(comm) : comm;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    next_root = below(size);
    for (int i = 0; i < NUM_COLLECTIVES; ++i) {
        only = 0 == strcmp(argv[6], names[i]) ? i : only;
    }
    for (call = 0; call < atoi(argv[3]); ++call) {
        plan_t plan = draw_plan(only, atoi(argv[4]), served_from > 0 && size >= served_from, is_ordered);
        check_call(&plan, tested, reference);
        drop(&plan.element);
    }
    MPI_Comm_free(&reference);
    if (is_stock) {
        MPI_Comm_free(&tested);
    }
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    int total;

    MPI_Init(&argc, &argv);
    seed = argv[1];
    state = strtoull(seed, NULL, 10);
    make_operations();
    MPI_Comm world = without_hitopo(MPI_COMM_WORLD); /* nothing is served but what is checked */
    for (int i = 0; i < atoi(argv[2]); ++i) {
        MPI_Comm comm = random_communicator(world, i);
        const uint64_t common = state;
        if (MPI_COMM_NULL != comm) {
            check_communicator(comm, argv);
        }
        state = common + (uint64_t) i + 1;
    }
    free_operations();
    MPI_Allreduce(&num_wrong, &total, 1, MPI_INT, MPI_SUM, world);
    MPI_Comm_free(&world);
    MPI_Finalize();
    return total > 0;
}
