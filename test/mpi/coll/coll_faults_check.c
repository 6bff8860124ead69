/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives where other things happen at the same time:
 *
 *     coll_faults_check threads | callback | rebind | spawn | connect
 *     coll_faults_check each                  each collective, on communicators that are made for it
 *     coll_faults_check killed NAME SEED      a process is killed within NAME, a collective: the job must end
 *     coll_faults_check survived NAME SEED    likewise with ULFM, and the others go on
 */
#define _GNU_SOURCE
#define NUM_THREADS 8
#include <signal.h>
#include <sys/time.h>

#include "test/mpi/checks.h"
#include "test/mpi/coll/calls.h"
#include "test/mpi/table/binding.h"
#include "test/mpi/threads.h"

#define COUNT 20000

typedef struct {
    int *from, *to, *counts, *begins, size, rank;
} room_t;

static room_t room_of(MPI_Comm comm)
{
    const int size = size_of(comm);
    room_t room = {malloc(COUNT * sizeof(int)),
                   malloc(COUNT * sizeof(int)),
                   malloc((size_t) size * sizeof(int)),
                   malloc((size_t) size * sizeof(int)),
                   size,
                   rank_of(comm)};

    for (int i = 0; i < COUNT; ++i) {
        room.from[i] = i + room.rank;
    }
    for (int i = 0; i < size; ++i) {
        room.counts[i] = COUNT / size;
        room.begins[i] = i * (COUNT / size);
    }
    return room;
}

static void leave(room_t *room)
{
    free(room->from);
    free(room->to);
    free(room->counts);
    free(room->begins);
}

/* Waits for what does not block. Root is rank 0. */
static int perform_in(const room_t *room, int collective, form_t form, MPI_Comm comm)
{
    const int count = collective < ALLGATHER ? COUNT : room->counts[0];
    const arguments_t with = {.send = room->from,
                              .receive = BCAST == collective && 0 == room->rank ? room->from : room->to,
                              .send_count = count,
                              .receive_count = count,
                              .send_type = MPI_INT,
                              .receive_type = MPI_INT,
                              .op = MPI_SUM,
                              .send_counts = room->counts,
                              .send_begins = room->begins,
                              .counts = room->counts,
                              .begins = room->begins};
    MPI_Request request = MPI_REQUEST_NULL;
    const int rc = perform(collective, form, &with, comm, &request);

    return MPI_SUCCESS == rc ? MPI_Wait(&request, MPI_STATUS_IGNORE) : rc;
}

/* The processes exchange their addresses anew, since their CPUs are others each time. */
static int load(const room_t *room, MPI_Comm comm)
{
    static cpu_set_t all;
    static int num_calls = 0;

    (void) room;
    if (0 == num_calls++) {
        CHECK(0 == sched_getaffinity(0, sizeof(all), &all));
    }
    const cpu_set_t first = first_of(&all);
    bind_all_threads(num_calls % 2 == 1 ? &first : &all);
    return ompi_hitopo_load(inner(comm));
}

static int split_type(const room_t *room, MPI_Comm comm)
{
    MPI_Comm node;
    const int rc = MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, -room->rank, MPI_INFO_NULL, &node);

    return MPI_SUCCESS == rc ? MPI_Comm_free(&node) : rc;
}

static const char *const all_names[] = {"bcast",      "reduce",          "allreduce",  "allgather",
                                        "allgatherv", "alltoall",        "alltoallv",  "reduce_scatter",
                                        "iallreduce", "Comm_split_type", "ialltoallv", "reduce_scatter_block",
                                        "load"};
#define NUM_NAMES (sizeof(all_names) / sizeof(*all_names))

static int call(const char *name, const room_t *room, MPI_Comm comm)
{
    const int blocking = collective_of(name), other = collective_of(name + 1);

    if (0 == strcmp(name, "load") || 0 == strcmp(name, "Comm_split_type")) {
        return ('l' == *name ? load : split_type)(room, comm);
    }
    if (NUM_COLLECTIVES == blocking && NUM_COLLECTIVES == other) {
        fprintf(stderr, "no collective is called %s\n", name);
        return MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return blocking < NUM_COLLECTIVES ? perform_in(room, blocking, BLOCKING, comm)
                                      : perform_in(room, other, NONBLOCKING, comm);
}

/* How many of a sum over all ranks are wrong, from element `begin` on. */
static int wrong_sums(const room_t *room, int begin, int num)
{
    int wrong = 0;

    for (int i = 0; i < num; ++i) {
        wrong += room->to[i] != (begin + i) * room->size + room->size * (room->size - 1) / 2;
    }
    return wrong;
}

/* How many of all ranks' blocks, from element `begin` of each on. */
static int wrong_blocks(const room_t *room, int begin)
{
    const int block = room->counts[0];
    int wrong = 0;

    for (int i = 0; i < block * room->size; ++i) {
        wrong += room->to[i] != begin + i % block + i / block;
    }
    return wrong;
}

/* How many results of some collectives are wrong. */
static int wrong_results(MPI_Comm comm)
{
    room_t room = room_of(comm);
    int wrong = 0;

    perform_in(&room, ALLREDUCE, BLOCKING, comm);
    wrong += wrong_sums(&room, 0, COUNT);
    perform_in(&room, ALLTOALL, BLOCKING, comm);
    wrong += wrong_blocks(&room, room.rank * room.counts[0]);
    perform_in(&room, ALLGATHERV, BLOCKING, comm);
    wrong += wrong_blocks(&room, 0);
    memset(room.to, 0, COUNT * sizeof(int));
    perform_in(&room, ALLREDUCE, NONBLOCKING, comm);
    wrong += wrong_sums(&room, 0, COUNT);
    leave(&room);
    return wrong;
}

/* The sum over all ranks. */
static int all_wrong_results(MPI_Comm comm)
{
    room_t room = room_of(comm);
    const int block = room.counts[0];
    int wrong = wrong_results(comm);

    perform_in(&room, BCAST, BLOCKING, comm);
    for (int i = 0; room.rank > 0 && i < COUNT; ++i) {
        wrong += room.to[i] != i;
    }
    perform_in(&room, REDUCE, BLOCKING, comm);
    wrong += room.rank == 0 ? wrong_sums(&room, 0, COUNT) : 0;
    perform_in(&room, ALLGATHER, BLOCKING, comm);
    wrong += wrong_blocks(&room, 0);
    perform_in(&room, REDUCE_SCATTER, BLOCKING, comm);
    wrong += wrong_sums(&room, room.rank * block, block);
    perform_in(&room, REDUCE_SCATTER_BLOCK, BLOCKING, comm);
    wrong += wrong_sums(&room, room.rank * block, block);
    leave(&room);
    return wrong;
}

static void *work(void *which)
{
    const intptr_t i = (intptr_t) which;

    for (int round = 0; round < 20; ++round) {
        num_wrong[i] += wrong_results(own[i]);
    }
    return NULL;
}

static int check_in_copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void) key, (void) extra;
    *(void **) out = in;
    *flag = 1;
    CHECK(0 == wrong_results(comm));
    return MPI_SUCCESS;
}

static int check_in_delete(MPI_Comm comm, int key, void *value, void *extra)
{
    (void) key, (void) value, (void) extra;
    CHECK(0 == wrong_results(comm));
    return MPI_SUCCESS;
}

static void check_callbacks(void)
{
    int key;
    MPI_Comm first, second;

    MPI_Comm_create_keyval(check_in_copy, check_in_delete, &key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    MPI_Comm_set_attr(first, key, NULL);
    MPI_Comm_dup(first, &second);
    MPI_Comm_free(&first);
    MPI_Comm_free(&second);
    MPI_Comm_free_keyval(&key);
}

/* Half of the processes move between two calls. */
static void check_rebind(void)
{
    cpu_set_t all;
    MPI_Comm node;

    CHECK(0 == sched_getaffinity(0, sizeof(all), &all));
    const cpu_set_t first = first_of(&all);
    for (int i = 0; i < 6; ++i) {
        CHECK(0 == wrong_results(MPI_COMM_WORLD));
        if (rank_of(MPI_COMM_WORLD) % 2 == 1) {
            bind_all_threads(i % 2 == 0 ? &first : &all);
        }
        CHECK(0 == wrong_results(MPI_COMM_WORLD));
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
        MPI_Comm_free(&node);
    }
}

static void check_spawn(const char *program)
{
    MPI_Comm parent, between, merged;
    char mode[] = "spawn", *arguments[] = {mode, NULL};

    MPI_Comm_get_parent(&parent);
    if (MPI_COMM_NULL == parent) {
        MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between, MPI_ERRCODES_IGNORE);
    } else {
        between = parent;
    }
    CHECK(0 == wrong_results(MPI_COMM_WORLD));
    MPI_Intercomm_merge(between, MPI_COMM_NULL != parent, &merged);
    CHECK(0 == wrong_results(merged));
    CHECK(0 == ompi_hitopo_load(inner(merged)));
    CHECK(0 == wrong_results(merged));
    MPI_Comm_free(&merged);
    MPI_Comm_disconnect(&between);
}

/* Two halves of a job that meet as two jobs would. */
static void check_connect(void)
{
    const int is_second = rank_of(MPI_COMM_WORLD) >= size_of(MPI_COMM_WORLD) / 2;
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm half, between, merged;

    MPI_Comm_split(MPI_COMM_WORLD, is_second, 0, &half);
    if (rank_of(MPI_COMM_WORLD) == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
    }
    MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
    (is_second ? MPI_Comm_connect : MPI_Comm_accept)(port, MPI_INFO_NULL, 0, half, &between);
    MPI_Intercomm_merge(between, is_second, &merged);
    CHECK(size_of(merged) == size_of(MPI_COMM_WORLD));
    CHECK(0 == all_wrong_results(merged));
    CHECK(0 == ompi_hitopo_load(inner(merged)));
    CHECK(0 == all_wrong_results(merged));
    CHECK(0 == all_wrong_results(half));
    MPI_Comm_free(&merged);
    MPI_Comm_disconnect(&between);
    MPI_Comm_free(&half);
    if (rank_of(MPI_COMM_WORLD) == 0) {
        MPI_Close_port(port);
    }
}

/* The last rank but one is killed within some call. */
static void kill_one_soon(int seed)
{
    const struct itimerval soon = {.it_value = {.tv_usec = 1000 + seed * 7919 % 40000}};

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_of(MPI_COMM_WORLD) == size_of(MPI_COMM_WORLD) - 2) {
        signal(SIGALRM, SIG_DFL);
        setitimer(ITIMER_REAL, &soon, NULL);
    }
}

/* Often enough that short ones pass through shared memory. */
static void check_each(void)
{
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < 9; ++i) {
        int one = 1, sum = 0;
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
        CHECK(sum == size_of(comm));
    }
    CHECK(0 == wrong_results(comm));
    MPI_Comm_free(&comm);
}

static int check_survived(const char *name, int seed)
{
#ifdef OMPI_HAVE_MPI_EXT_FTMPI
    room_t room = room_of(MPI_COMM_WORLD);
    MPI_Comm left;

    if (room.size < 3) {
        printf("there is fault tolerance\n");
        return finish();
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    kill_one_soon(seed);
    while (MPI_SUCCESS == call(name, &room, MPI_COMM_WORLD)) {
    }
    MPIX_Comm_revoke(MPI_COMM_WORLD);
    MPIX_Comm_shrink(MPI_COMM_WORLD, &left);
    printf("survived %d, wrong %d\n", size_of(left), wrong_results(left));
    fflush(stdout);
    MPIX_Comm_agree(left, &seed); /* all have said so */
    _Exit(0);
#else
    (void) name, (void) seed;
    printf("no fault tolerance\n");
    return finish();
#endif
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";

    if (!init_threads(&argc, &argv)) {
        return finish();
    }
    if (0 == strcmp(mode, "names")) {
        for (size_t i = 0; 0 == rank_of(MPI_COMM_WORLD) && i < NUM_NAMES; ++i) {
            printf("name %s\n", all_names[i]);
        }
    } else if (0 == strcmp(mode, "threads")) {
        run_threads(work);
    } else if (0 == strcmp(mode, "callback")) {
        check_callbacks();
    } else if (0 == strcmp(mode, "rebind")) {
        check_rebind();
    } else if (0 == strcmp(mode, "spawn")) {
        check_spawn(argv[0]);
    } else if (0 == strcmp(mode, "connect")) {
        check_connect();
    } else if (0 == strcmp(mode, "each")) {
        check_each();
    } else if (0 == strcmp(mode, "survived")) {
        return check_survived(argv[2], atoi(argv[3]));
    } else {
        room_t room = room_of(MPI_COMM_WORLD);
        kill_one_soon(atoi(argv[3]));
        while (MPI_SUCCESS == call(argv[2], &room, MPI_COMM_WORLD)) {
        }
        leave(&room);
    }
    return finish();
}
