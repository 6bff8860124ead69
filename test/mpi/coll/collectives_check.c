/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Random collectives of random communicators, with all kinds of datatypes and operations, in all forms:
 *
 *     collectives_check FORM SEED NUM_COMMUNICATORS NUM_CALLS MAX_COUNT SERVED_FROM [all|ordered|stock|left|NAME]
 *
 * FORM: blocking
 *       nonblocking  many at once; each rank completes them in an order of its own
 *       idup         with MPI_Comm_idup between them
 *       threads      in several threads, each with a communicator of its own
 *       persistent   many at once, started NUM_CALLS times by each rank in an order of its own
 *       bits         each again and again, on duplicates
 * SERVED_FROM: communicators of so many ranks and more are served by coll/hitopo, 0: none. There, also what Open MPI's
 * own cannot do: ranks describe the same data by other types (docs/upstream.md, 40), and elements that do not begin at
 * 0 are merged (41).
 * ordered: no reduction has an operation that commutes. stock: on communicators that keep coll/hitopo out. left: what
 * does not block is left to Open MPI's own. NAME: bcast and no other, say.
 *
 * All ranks draw the same numbers.
 */
/* libs: -lm */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/resource.h>
#include <time.h>

#include "test/mpi/checks.h"
#include "test/mpi/coll/checked_calls.h"
#include "test/mpi/threads.h"

static form_t form;
static int num_calls, max_count, served_from, only;
static bool is_ordered, is_stock, is_left, has_duplicates, is_for_bits;

/* At the begin of each communicator. */
static choice_t choice_for(MPI_Comm comm)
{
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    next_root = below(size);
    return (choice_t){form, only, max_count, served_from > 0 && size >= served_from, is_ordered, is_for_bits};
}

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* ---- one after the other ---- */

static int64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * (int64_t) 1000000000 + time.tv_nsec;
}

/* None leaves before the last one, which naps, has entered: by the clock of the machine on which all run. */
static void check_barrier(const plan_t *plan, MPI_Comm comm)
{
    if (rank == plan->root) {
        nap();
    }
    const int64_t entered = now_ns();
    MPI_Barrier(comm);
    const int64_t left = now_ns();
    int64_t all_entered[MAX_RANKS];
    MPI_Allgather(&entered, 1, MPI_INT64_T, all_entered, 1, MPI_INT64_T, comm);
    for (int i = 0; i < size; ++i) {
        if (left < all_entered[i]) {
            wrong(plan, "left too early", i);
        }
    }
}

static void block(const choice_t *choice, int number, MPI_Comm comm)
{
    call_t call = {.plan = draw_plan(choice, number)};

    start(&call, BLOCKING, comm, NULL);
    check(&call);
    if (BARRIER == call.plan.which) {
        check_barrier(&call.plan, comm);
    } else if (rounds(&call.plan)) {
        check_bits(&call, comm);
    }
    release(&call);
}

static void run_blocking(MPI_Comm comm)
{
    const choice_t choice = choice_for(comm);

    for (int i = 0; i < num_calls; ++i) {
        block(&choice, i, comm);
    }
}

/* Equal calls give equal bits: each as often as short ones begin to pass through shared memory and beyond, and on
 * duplicates, some of which have no such memory. */
static void run_bits(MPI_Comm comm)
{
    enum { NUM_DUPLICATES = 3, NUM_CALLS = 10 };
    choice_t choice = choice_for(comm);
    MPI_Comm duplicates[NUM_DUPLICATES];

    for (int i = 0; i < NUM_DUPLICATES; ++i) {
        MPI_Comm_dup(comm, &duplicates[i]);
        for (int j = 0; 1 == i && j < NUM_CALLS; ++j) {
            MPI_Barrier(duplicates[0]);
            MPI_Barrier(duplicates[1]);
        }
        if (1 == i) { /* from now on no file can be made */
            setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
        }
    }
    for (int i = 0; i < num_calls; ++i) {
        choice.only = i % 2 ? REDUCE : ALLREDUCE;
        call_t call = {.plan = draw_plan(&choice, i)};
        start(&call, BLOCKING, duplicates[0], NULL);
        for (int j = 0; j < NUM_DUPLICATES * NUM_CALLS; ++j) {
            check_bits(&call, duplicates[j % NUM_DUPLICATES]);
        }
        release(&call);
    }
    for (int i = 0; i < NUM_DUPLICATES; ++i) {
        MPI_Comm_free(&duplicates[i]);
    }
}

/* ---- many at once ---- */

#define MOST_OPEN 24

typedef struct {
    int num;
    call_t *calls[MOST_OPEN];
    MPI_Request requests[MOST_OPEN];
    uint64_t state; /* of what this rank alone draws */
} many_t;

static int below_of_own(many_t *many, int n)
{
    const uint64_t common = state;

    state = many->state;
    const int drawn = below(n);
    many->state = state;
    state = common;
    return drawn;
}

static void open_call(many_t *many, const plan_t *plan, MPI_Comm comm)
{
    call_t *call = many->calls[many->num] = malloc(sizeof(*call));

    call->plan = *plan;
    start(call, form, comm, &many->requests[many->num++]);
}

/* Replaced by the last one. */
static void close_call(many_t *many, int i)
{
    release(many->calls[i]);
    free(many->calls[i]);
    --many->num;
    many->calls[i] = many->calls[many->num];
    many->requests[i] = many->requests[many->num];
}

/* A complete one has MPI_REQUEST_NULL. */
static void complete_some(many_t *many)
{
    int flag, index, num, indices[MOST_OPEN];

    switch (below_of_own(many, 12)) {
    case 0:
        MPI_Waitany(many->num, many->requests, &index, MPI_STATUS_IGNORE);
        break;
    case 1:
        MPI_Testany(many->num, many->requests, &index, &flag, MPI_STATUS_IGNORE);
        break;
    case 2:
        MPI_Waitsome(many->num, many->requests, &num, indices, MPI_STATUSES_IGNORE);
        break;
    case 3:
        MPI_Testsome(many->num, many->requests, &num, indices, MPI_STATUSES_IGNORE);
        break;
    case 4:
        MPI_Waitall(many->num, many->requests, MPI_STATUSES_IGNORE);
        break;
    case 5:
        MPI_Testall(many->num, many->requests, &flag, MPI_STATUSES_IGNORE);
        break;
    case 6:
    case 7:
        MPI_Wait(&many->requests[below_of_own(many, many->num)], MPI_STATUS_IGNORE);
        break;
    default:
        MPI_Test(&many->requests[below_of_own(many, many->num)], &flag, MPI_STATUS_IGNORE);
    }
    for (int i = many->num; i-- > 0;) {
        if (MPI_REQUEST_NULL == many->requests[i]) {
            check(many->calls[i]);
            close_call(many, i);
        }
    }
}

/* A duplicate that is being made. */
typedef struct {
    int is_under_way; /* the same at all ranks */
    MPI_Comm comm;
    MPI_Request request;
} duplicate_t;

static void begin_duplicate(duplicate_t *duplicate, MPI_Comm comm)
{
    duplicate->is_under_way = 1;
#if OMPI_MAJOR_VERSION >= 5
    if (below(2) == 0) {
        MPI_Comm_idup_with_info(comm, MPI_INFO_NULL, &duplicate->comm, &duplicate->request);
        return;
    }
#endif
    MPI_Comm_idup(comm, &duplicate->comm, &duplicate->request);
}

static void end_duplicate(duplicate_t *duplicate)
{
    int sum = 1;

    MPI_Wait(&duplicate->request, MPI_STATUS_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, duplicate->comm);
    CHECK(sum == size);
    MPI_Comm_free(&duplicate->comm);
    duplicate->is_under_way = 0;
}

/* Whether the next call blocks. While a duplicate is being made it does: Open MPI's own progress begins nonblocking
 * collectives on `comm` then, which it takes for others that the program begins. */
static int move_duplicate(duplicate_t *duplicate, MPI_Comm comm, many_t *many)
{
    int flag;

    if (!duplicate->is_under_way && below(8) == 0) {
        begin_duplicate(duplicate, comm);
    } else if (duplicate->is_under_way && below(4) == 0) {
        end_duplicate(duplicate);
    }
    for (int i = below_of_own(many, 3); i > 0; --i) {
        MPI_Test(&duplicate->request, &flag, MPI_STATUS_IGNORE);
    }
    return duplicate->is_under_way;
}

static void run_many(MPI_Comm comm, int first_call)
{
    const choice_t choice = choice_for(comm);
    choice_t blocking = choice;
    many_t many = {.state = state + (uint64_t) rank};
    duplicate_t duplicate = {0, MPI_COMM_NULL, MPI_REQUEST_NULL};

    blocking.form = BLOCKING;
    for (int i = first_call; i < first_call + num_calls; ++i) {
        if ((has_duplicates && move_duplicate(&duplicate, comm, &many)) || below(5) == 0) {
            block(&blocking, i, comm);
        } else {
            const plan_t plan = draw_plan(&choice, i);
            open_call(&many, &plan, comm);
            note_served(&plan, comm);
        }
        if (below_of_own(&many, 60) == 0) {
            nap();
        }
        while (MOST_OPEN == many.num || (many.num > 0 && below_of_own(&many, 2) == 0)) {
            complete_some(&many);
        }
    }
    while (many.num > 0) {
        complete_some(&many);
    }
    if (duplicate.is_under_way) {
        end_duplicate(&duplicate);
    }
}

static void *work(void *which)
{
    const intptr_t i = (intptr_t) which;

    state = strtoull(seed, NULL, 10) + (uint64_t) i;
    run_many(own[i], 0);
    num_wrong[i] = num_unexpected;
    return NULL;
}

/* ---- again and again ---- */

/* Those of HiTopo, which is the one that allocates in C++. Open MPI's lists grow when messages are late. */
static long num_allocations;

extern void *__libc_malloc(size_t num_bytes);

void *malloc(size_t num_bytes)
{
    Dl_info from;

    if (PERSISTENT == form && 0 != dladdr(__builtin_return_address(0), &from) && NULL != from.dli_fname
        && (NULL != strstr(from.dli_fname, "hitopo") || NULL != strstr(from.dli_fname, "libstdc++"))) {
        (void) __atomic_add_fetch(&num_allocations, 1, __ATOMIC_RELAXED);
    }
    return __libc_malloc(num_bytes);
}

/* In an order of this rank's own, some together. */
static void start_persistent(many_t *many)
{
    int order[MOST_OPEN], num = 0;

    for (int i = 0; i < many->num; ++i) {
        const int at = below_of_own(many, i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    while (num < many->num) {
        MPI_Request together[MOST_OPEN];
        const int more = 1 + below_of_own(many, many->num - num);
        for (int i = 0; i < more; ++i) {
            together[i] = many->requests[order[num + i]];
        }
        if (1 == more) {
            MPI_Start(&together[0]);
        } else {
            MPI_Startall(more, together);
        }
        num += more;
    }
}

/* None has become MPI_REQUEST_NULL. */
static void complete_persistent(many_t *many)
{
    int index;

    for (int i = 0; i < many->num; ++i) {
        MPI_Waitany(many->num, many->requests, &index, MPI_STATUS_IGNORE);
        check(many->calls[index]);
    }
    MPI_Waitany(many->num, many->requests, &index, MPI_STATUS_IGNORE);
    CHECK(MPI_UNDEFINED == index);
}

static void run_persistent(MPI_Comm comm)
{
    const choice_t choice = choice_for(comm);
    choice_t blocking = choice;
    many_t many = {.state = state + (uint64_t) rank};
    long in_starts = 0;

    blocking.form = BLOCKING;
    while (many.num < MOST_OPEN) {
        plan_t plan = draw_plan(&choice, many.num);
        if (is_surely_served(&plan)) {
            open_call(&many, &plan, comm);
        } else { /* Open MPI 4.1's would miss the types (docs/upstream.md, 63) */
            drop(&plan.element);
        }
    }
    CHECK(MOST_OPEN == num_persistent);
    for (int round = 0; round < num_calls; ++round) {
        for (int i = 0; i < many.num; ++i) {
            call_t *call = many.calls[i];
            call->plan.seed += 1;
            fill_sent(call, &call->send);
            fill_received(call, &call->receive);
        }
        const long before = num_allocations;
        start_persistent(&many);
        in_starts += num_allocations - before;
        if (below(2) == 0) {
            block(&blocking, round, comm);
        }
        complete_persistent(&many);
    }
    while (many.num > 0) {
        MPI_Request_free(&many.requests[0]);
        close_call(&many, 0);
    }
    CHECK(0 == in_starts);
}

/* ---- communicators ---- */

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

static void run(MPI_Comm comm, int index)
{
    if (is_for_bits) {
        run_bits(comm);
    } else if (BLOCKING == form) {
        run_blocking(comm);
    } else if (PERSISTENT == form && !HAS_PERSISTENT) {
        printf("no persistent collectives\n");
    } else if (PERSISTENT == form) {
        run_persistent(comm);
    } else {
        run_many(comm, index * 1000);
    }
}

/* Nothing is served but what is checked. */
static void run_communicators(int num)
{
    MPI_Comm world = without_hitopo(MPI_COMM_WORLD);

    for (int i = 0; i < num; ++i) {
        MPI_Comm comm = random_communicator(world, i);
        const uint64_t common = state;
        if (0 == i) {
            watched = comm;
        }
        if (MPI_COMM_NULL != comm) {
            MPI_Comm tested = is_stock ? without_hitopo(comm) : comm;
            run(tested, i);
            if (is_stock) {
                MPI_Comm_free(&tested);
            }
        }
        if (0 == i && NONBLOCKING == form && !has_duplicates) {
            check_served(is_left);
            watched = MPI_COMM_WORLD; /* on which nothing is started */
        }
        if (MPI_COMM_NULL != comm) {
            MPI_Comm_free(&comm);
        }
        state = common + (uint64_t) i + 1;
    }
    MPI_Comm_free(&world);
}

int main(int argc, char **argv)
{
    const char *of_form = argv[1], *what = argc > 7 ? argv[7] : "all";
    const bool has_threads = 0 == strcmp(of_form, "threads");

    if (!has_threads) {
        MPI_Init(&argc, &argv);
    } else if (!init_threads(&argc, &argv)) {
        return finish();
    }
    is_for_bits = 0 == strcmp(of_form, "bits");
    form = is_for_bits || 0 == strcmp(of_form, "blocking") ? BLOCKING
           : 0 == strcmp(of_form, "persistent")            ? PERSISTENT
                                                           : NONBLOCKING;
    has_duplicates = 0 == strcmp(of_form, "idup");
    seed = argv[2];
    state = strtoull(seed, NULL, 10);
    num_calls = atoi(argv[4]);
    max_count = atoi(argv[5]);
    served_from = atoi(argv[6]);
    only = collective_of(what);
    is_ordered = 0 == strcmp(what, "ordered");
    is_stock = 0 == strcmp(what, "stock");
    is_left = 0 == strcmp(what, "left");
    ompi_hitopo_base_listen(&listener);
    if (has_threads) {
        run_threads(work);
        check_served(is_left);
    } else {
        run_communicators(atoi(argv[3]));
    }
    ompi_hitopo_base_listen(NULL);
    CHECK(0 == num_unexpected);
    return finish();
}
