/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Random collectives that do not block, many at once; each rank completes them in an order of its own:
 *
 *     nonblocking_check random SEED NUM_COMMUNICATORS NUM_CALLS MAX_COUNT [unserved]
 *     nonblocking_check idup SEED NUM_COMMUNICATORS NUM_CALLS MAX_COUNT       with MPI_Comm_idup between them
 *     nonblocking_check threads SEED NUM_CALLS MAX_COUNT
 *     nonblocking_check free      10 000 communicators are freed before their collectives are complete
 *     nonblocking_check longer    more is sent than received
 */
#include <time.h>

#include "test/mpi/checks.h"
#include "test/mpi/coll/nonblocking_calls.h"
#include "test/mpi/table/resident.h"
#include "test/mpi/threads.h"

/* ---- many at once ---- */

/* What is complete has MPI_REQUEST_NULL. */
static void check_completed(many_t *many)
{
    for (int i = many->num; i-- > 0;) {
        if (MPI_REQUEST_NULL == many->requests[i]) {
            check(many->calls[i]);
            release(many->calls[i]);
            --many->num;
            many->calls[i] = many->calls[many->num];
            many->requests[i] = many->requests[many->num];
        }
    }
}

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
    check_completed(many);
}

/* ---- a duplicate that is being made ---- */

typedef struct {
    int is_wanted, is_under_way; /* the same at all ranks */
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

    if (!duplicate->is_wanted) {
        return 0;
    }
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

static void run_random(MPI_Comm comm, int num_calls, int max_count, int first_call, int has_duplicates)
{
    many_t *many = calloc(1, sizeof(*many));
    duplicate_t duplicate = {has_duplicates, 0, MPI_COMM_NULL, MPI_REQUEST_NULL};

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    many->state = state + (uint64_t) rank;
    for (int i = 0; i < num_calls; ++i) {
        call = first_call + i;
        if (move_duplicate(&duplicate, comm, many) || below(5) == 0) {
            block(comm, max_count / 10 + 1);
        } else {
            open_t *open = many->calls[many->num] = malloc(sizeof(*open));
            draw(open, max_count);
            note_served(open, comm);
            start(open, comm, call_nonblocking, 0, &many->requests[many->num]);
            ++many->num;
        }
        if (below_of_own(many, 60) == 0) {
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        }
        while (MOST_OPEN == many->num || (many->num > 0 && below_of_own(many, 2) == 0)) {
            complete_some(many);
        }
    }
    while (many->num > 0) {
        complete_some(many);
    }
    if (duplicate.is_under_way) {
        end_duplicate(&duplicate);
    }
    free(many);
}

/* Some of the ranks in any order; MPI_COMM_NULL at the others. The first has all. */
static MPI_Comm random_communicator(int number_of)
{
    const int own_rank = rank_of(MPI_COMM_WORLD), num = size_of(MPI_COMM_WORLD);
    int color = MPI_UNDEFINED, key = 0;
    MPI_Comm comm;

    for (int i = 0; i < num; ++i) {
        const int is_member = number_of == 0 || below(4) > 0, its_key = number_of == 0 ? i : below(num);
        if (i == own_rank && is_member) {
            color = 0;
            key = its_key;
        }
    }
    MPI_Comm_split(MPI_COMM_WORLD, color, key, &comm);
    return comm;
}

static void check_random(uint64_t seed, int num_communicators, int num_calls, int max_count, int has_duplicates,
                         const char *unserved)
{
    state = seed;
    for (int i = 0; i < num_communicators; ++i) {
        MPI_Comm comm = random_communicator(i);
        const uint64_t common = state;
        if (0 == i) {
            watched = comm;
        }
        if (MPI_COMM_NULL != comm) {
            run_random(comm, num_calls, max_count, i * 1000, has_duplicates);
        }
        if (0 == i && !has_duplicates) {
            check_served(unserved);
            watched = MPI_COMM_WORLD; /* on which nothing is started */
        }
        if (MPI_COMM_NULL != comm) {
            MPI_Comm_free(&comm);
        }
        state = common + (uint64_t) i + 1;
    }
    CHECK(0 == num_unexpected);
}

/* ---- threads ---- */

static int seed_of_threads, num_calls_of_threads, max_count_of_threads;

static void *work(void *which)
{
    const intptr_t i = (intptr_t) which;

    state = (uint64_t) (seed_of_threads + i);
    run_random(own[i], num_calls_of_threads, max_count_of_threads, 0, 0);
    num_wrong[i] = num_unexpected;
    return NULL;
}

/* ---- communicators that are freed ---- */

static void free_before(int i)
{
    enum { NUM = 2000 };
    static int sums[NUM], values[NUM];
    int one = i, sum = 0;
    MPI_Request requests[4];
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int j = 0; j < NUM; ++j) {
        sums[j] = i + j;
        values[j] = rank_of(comm) == 0 ? i - j : -1;
    }
    MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &requests[0]);
    MPI_Ibcast(values, NUM, MPI_INT, 0, comm, &requests[1]);
    MPI_Iallreduce(MPI_IN_PLACE, sums, NUM, MPI_INT, MPI_SUM, comm, &requests[2]);
    MPI_Ibarrier(comm, &requests[3]);
    MPI_Comm_free(&comm);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    CHECK(sum == i * size_of(MPI_COMM_WORLD));
    for (int j = 0; j < NUM; ++j) {
        CHECK(sums[j] == (i + j) * size_of(MPI_COMM_WORLD) && values[j] == i - j);
    }
}

/* ---- errors ---- */

/* A wrong program: the call or its request has the error, nothing behind the buffer is written, and what follows is
 * right. Rank 1 begins when the root's message is there, and so meets the error in its call. One segment, as in
 * coll_edges_check.c. */
static void check_longer(void)
{
    enum { NUM = 600 };
    static int values[NUM + 1];
    const int is_root = rank_of(MPI_COMM_WORLD) == 0, size_of_world = size_of(MPI_COMM_WORLD);
    int sum = 1, error, token = 0;
    MPI_Request request = (MPI_Request) values;
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* whose handler requests of collectives call in 4.1 */
    for (int i = 0; i < NUM + 1; ++i) {
        values[i] = -1;
    }
    if (rank_of(comm) == 1) {
        MPI_Recv(&token, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
    }
    error = MPI_Ibcast(values, is_root ? NUM + 1 : NUM, MPI_INT, 0, comm, &request);
    CHECK(MPI_SUCCESS == error || MPI_REQUEST_NULL == request);
    if (is_root) {
        MPI_Send(&token, 1, MPI_INT, 1, 0, comm);
    }
    error = MPI_SUCCESS == error ? MPI_Wait(&request, MPI_STATUS_IGNORE) : error;
    CHECK((MPI_SUCCESS == error) == is_root);
    CHECK(-1 == values[NUM]);
    MPI_Iallreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm, &request);
    CHECK(MPI_SUCCESS == MPI_Wait(&request, MPI_STATUS_IGNORE) && sum == size_of_world);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";

    if (0 == strcmp(mode, "threads")) {
        if (!init_threads(&argc, &argv)) {
            return finish();
        }
        seed_of_threads = atoi(argv[2]);
        num_calls_of_threads = atoi(argv[3]);
        max_count_of_threads = atoi(argv[4]);
        ompi_hitopo_base_listen(&listener);
        run_threads(work);
        check_served(NULL);
    } else if (0 == strcmp(mode, "random") || 0 == strcmp(mode, "idup")) {
        MPI_Init(&argc, &argv);
        ompi_hitopo_base_listen(&listener);
        check_random(strtoull(argv[2], NULL, 10), atoi(argv[3]), atoi(argv[4]), atoi(argv[5]),
                     0 == strcmp(mode, "idup"), argc > 6 ? argv[6] : NULL);
    } else {
        MPI_Init(&argc, &argv);
        if (0 == strcmp(mode, "free")) {
            (void) make_and_free_many(free_before);
        } else {
            check_longer();
        }
    }
    ompi_hitopo_base_listen(NULL);
    return finish();
}
