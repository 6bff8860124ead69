/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives at the edges of what MPI allows, and a step beyond:
 *
 *     coll_edges_check any CALLS NEXT   bcasts while a receive of any source and tag is open, which they must not match
 *     coll_edges_check persistent NEXT  bcasts, each while an older persistent allreduce is under way
 *     coll_edges_check bottom           addresses from MPI_BOTTOM as displacements
 *     coll_edges_check giant            an element of more than 2 GiB with a hole, mostly of pages that are not there
 *     coll_edges_check longer           more is sent than received: an error at all, and nothing behind the buffers
 *
 * NEXT: the next tag of Open MPI's nonblocking collectives, as if so many had been called; 0: as it is.
 */
#include "ompi_config.h"

#include <mpi.h>
#if OMPI_MAJOR_VERSION < 5
#include <mpi-ext.h>
#define MPI_Allreduce_init MPIX_Allreduce_init
#endif
#include <sys/mman.h>

#include "ompi/communicator/communicator.h"
#include "test/mpi/checks.h"

#define LENGTH 8192

static int rank, size;

/* ---- tags ---- */

static MPI_Comm duplicate(const char *next)
{
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    if (0 != atoi(next)) {
        inner(comm)->c_nbc_tag = atoi(next);
    }
    return comm;
}

/* The number of the call goes round. */
static void bcast_number(long number, MPI_Comm comm)
{
    static long buffer[LENGTH / sizeof(long)];

    buffer[0] = 0 == rank ? number : -1;
    MPI_Bcast(buffer, LENGTH, MPI_BYTE, 0, comm);
    CHECK(number == buffer[0]);
}

static void check_any(int num_calls, const char *next)
{
    MPI_Comm comm = duplicate(next);
    MPI_Request receive, send;
    MPI_Status status;
    long got[LENGTH / sizeof(long)] = {0}, sent = 77;
    int is_matched = 0;

    MPI_Irecv(got, LENGTH, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &receive);
    for (long i = 0; i < num_calls && 0 == num_failed; ++i) {
        bcast_number(i, comm);
        MPI_Test(&receive, &is_matched, &status);
        CHECK(!is_matched);
    }
    if (0 != num_failed) { /* others may wait for what was matched */
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Barrier(comm);
    MPI_Isend(&sent, 1, MPI_LONG, (rank + 1) % size, 7, comm, &send);
    MPI_Wait(&receive, &status);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    CHECK(sent == got[0] && 7 == status.MPI_TAG);
    MPI_Comm_free(&comm);
}

static void check_persistent(const char *next)
{
    MPI_Comm comm = duplicate("0");
    MPI_Request request;
    long mine, sum;

    MPI_Allreduce_init(&mine, &sum, 1, MPI_LONG, MPI_SUM, comm, MPI_INFO_NULL, &request);
    inner(comm)->c_nbc_tag = atoi(next);
    for (long i = 0; i < 20; ++i) {
        mine = i + rank;
        MPI_Start(&request);
        bcast_number(i, comm);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        CHECK(size * i + size * (size - 1) / 2 == sum);
    }
    MPI_Request_free(&request);
    MPI_Comm_free(&comm);
}

/* ---- MPI_BOTTOM ---- */

enum { MAX_RANKS = 16, BLOCK = 1500 };

static int *low_memory(void)
{
    void *memory = mmap(NULL, MAX_RANKS * BLOCK * sizeof(int), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);

    return MAP_FAILED == memory ? NULL : memory;
}

/* Displacements are addresses. That types have addresses is of collectives_check.c. */
static void check_bottom(void)
{
    int *first = low_memory(), *second = low_memory(), counts[MAX_RANKS], begins[2][MAX_RANKS];

    CHECK(NULL != first && NULL != second && size <= MAX_RANKS);
    for (int i = 0; i < size; ++i) {
        counts[i] = BLOCK;
        begins[0][i] = (int) ((intptr_t) first / (intptr_t) sizeof(int)) + i * BLOCK;
        begins[1][i] = (int) ((intptr_t) second / (intptr_t) sizeof(int)) + i * BLOCK;
    }
    for (int i = 0; i < BLOCK * size; ++i) {
        first[i] = rank * 100000 + i;
    }
    MPI_Allgatherv(first, BLOCK, MPI_INT, MPI_BOTTOM, counts, begins[1], MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < BLOCK * size; ++i) {
        CHECK(i / BLOCK * 100000 + i % BLOCK == second[i]);
        second[i] = -1;
    }
    MPI_Alltoallv(MPI_BOTTOM, counts, begins[0], MPI_INT, MPI_BOTTOM, counts, begins[1], MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < BLOCK * size; ++i) {
        CHECK(i / BLOCK * 100000 + rank * BLOCK + i % BLOCK == second[i]);
    }
}

/* ---- one giant element ---- */

enum { HEAD = 1 << 28, TAIL = 1000, HOLE = 1 };

static void check_giant(void)
{
    const size_t num = (size_t) HEAD + HOLE + TAIL;
    int lengths[] = {HEAD, TAIL};
    MPI_Aint places[] = {0, (MPI_Aint) (HEAD + HOLE) * (MPI_Aint) sizeof(long)};
    long *all =
        mmap(NULL, num * sizeof(long), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    MPI_Datatype type;

    CHECK(MAP_FAILED != all);
    MPI_Type_create_hindexed(2, lengths, places, MPI_LONG, &type);
    MPI_Type_commit(&type);
    const size_t looked_at[] = {0, HEAD / 2, HEAD - 1, HEAD + HOLE, num - 1};
    all[HEAD] = -rank;
    for (int i = 0; i < 5; ++i) {
        all[looked_at[i]] = 0 == rank ? 11 + i : 0;
    }
    CHECK(MPI_SUCCESS == MPI_Bcast(all, 1, type, 0, MPI_COMM_WORLD));
    for (int i = 0; i < 5; ++i) {
        CHECK(11 + i == all[looked_at[i]]);
    }
    CHECK(-rank == all[HEAD]);
    MPI_Type_free(&type);
    munmap(all, num * sizeof(long));
}

/* Two longs, of which the second lies 2 GiB behind the first. */
enum { TO_SECOND = HEAD, SPAN = HEAD + 2 };

static void add_far(void *in, void *inout, int *num, MPI_Datatype *type)
{
    (void) type;
    for (size_t i = 0; i < (size_t) *num * SPAN; i += SPAN) {
        ((long *) inout)[i] += ((long *) in)[i];
        ((long *) inout)[i + TO_SECOND] += ((long *) in)[i + TO_SECOND];
    }
}

static void check_giant_sum(void)
{
    const MPI_Aint places[] = {0, TO_SECOND * (MPI_Aint) sizeof(long)};
    const size_t num_bytes = (size_t) size * SPAN * sizeof(long);
    long *all = mmap(NULL, num_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    MPI_Datatype both, type;
    MPI_Op op;

    CHECK(MAP_FAILED != all);
    MPI_Type_create_hindexed_block(2, 1, places, MPI_LONG, &both);
    MPI_Type_create_resized(both, 0, SPAN * (MPI_Aint) sizeof(long), &type);
    MPI_Type_commit(&type);
    MPI_Op_create(add_far, 1, &op);
    for (size_t i = 0; i < (size_t) size; ++i) {
        all[i * SPAN] = (long) i;
        all[i * SPAN + TO_SECOND] = 100 + (long) i;
    }
    CHECK(MPI_SUCCESS == MPI_Reduce_scatter_block(MPI_IN_PLACE, all, 1, type, op, MPI_COMM_WORLD));
    CHECK(size * rank == all[0] && size * (100 + rank) == all[TO_SECOND]);
    MPI_Op_free(&op);
    MPI_Type_free(&both);
    MPI_Type_free(&type);
    munmap(all, num_bytes);
}

/* ---- wrong programs ---- */

static int is_truncated(int rc)
{
    int class = MPI_SUCCESS;

    MPI_Error_class(rc, &class);
    return MPI_ERR_TRUNCATE == class;
}

/* All but a root that receives nothing know. One segment each: processes that cut a message into other numbers of
 * segments wait for each other. */
static void check_longer_trees(const int *send, int *receive)
{
    enum { NUM = 3000, MORE = 1 };
    const int num = NUM + (1 == rank ? MORE : 0);
    MPI_Datatype gapped;

    CHECK((1 != rank) == is_truncated(MPI_Bcast(receive, num, MPI_INT, 1, MPI_COMM_WORLD)));
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &gapped);
    MPI_Type_commit(&gapped);
    CHECK((1 != rank) == is_truncated(MPI_Bcast(receive, num, gapped, 1, MPI_COMM_WORLD)));
    MPI_Type_free(&gapped);
    CHECK((1 != rank) == is_truncated(MPI_Bcast(receive, NUM - (1 == rank), MPI_INT, 1, MPI_COMM_WORLD)));
    CHECK(is_truncated(MPI_Allreduce(send, receive, num, MPI_INT, MPI_SUM, MPI_COMM_WORLD)));
    const int reduced = MPI_Reduce(send, receive, num, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    CHECK(0 != rank || is_truncated(reduced));
}

/* Blocks that are short at both, empty at the receiver, short there alone, and at neither. The own one fits, which MPI
 * sees before coll/hitopo. Long ones Open MPI itself may write behind their buffer (docs/upstream.md, 46). */
static void check_longer_pairs(const int *send, int *receive, const int *places)
{
    static const int cases[][2] = {{20, 10}, {20, 0}, {3000, 10}, {3000, 2000}};
    int sent[MAX_RANKS], received[MAX_RANKS];

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); ++i) {
        for (int to = 0; to < size; ++to) {
            sent[to] = cases[i][to == rank];
            received[to] = cases[i][1];
            receive[places[to] + cases[i][1]] = -7;
        }
        CHECK(is_truncated(
            MPI_Alltoallv(send, sent, places, MPI_INT, receive, received, places, MPI_INT, MPI_COMM_WORLD)));
        for (int from = 0; from < size && cases[i][0] < 100; ++from) {
            CHECK(-7 == receive[places[from] + cases[i][1]]);
        }
    }
}

/* The call or its request has the error, and what follows is right. Rank 1 begins when the root's message is there, and
 * so meets the error in its call. */
static void check_longer_request(void)
{
    enum { NUM = 600 };
    static int values[NUM + 1];
    int sum = 1, error, token = 0;
    MPI_Request request = (MPI_Request) values;
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm); /* whose requests call MPI_COMM_WORLD's error handler in 4.1 */
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int i = 0; i < NUM + 1; ++i) {
        values[i] = -1;
    }
    if (1 == rank) {
        MPI_Recv(&token, 1, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
    }
    error = MPI_Ibcast(values, NUM + (0 == rank), MPI_INT, 0, comm, &request);
    CHECK(MPI_SUCCESS == error || MPI_REQUEST_NULL == request);
    if (0 == rank) {
        MPI_Send(&token, 1, MPI_INT, 1, 0, comm);
    }
    error = MPI_SUCCESS == error ? MPI_Wait(&request, MPI_STATUS_IGNORE) : error;
    CHECK((MPI_SUCCESS == error) == (0 == rank));
    CHECK(-1 == values[NUM]);
    MPI_Iallreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, comm, &request);
    CHECK(MPI_SUCCESS == MPI_Wait(&request, MPI_STATUS_IGNORE) && sum == size);
    MPI_Comm_free(&comm);
}

static void check_longer(void)
{
    enum { NUM = 3000, MORE = 1000 };
    int *send = calloc((size_t) size * (NUM + MORE), sizeof(*send));
    int *receive = calloc((size_t) size * NUM + MORE, sizeof(*receive));
    int *num_each = calloc((size_t) size, sizeof(*num_each)), *places = calloc((size_t) size, sizeof(*places));

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < size; ++i) {
        num_each[i] = NUM;
        places[i] = i * NUM;
    }
    for (int i = 0; i < size * (NUM + MORE); ++i) {
        send[i] = rank + 1;
    }
    CHECK(is_truncated(MPI_Allgather(send, NUM + MORE, MPI_INT, receive, NUM, MPI_INT, MPI_COMM_WORLD)));
    CHECK(is_truncated(MPI_Allgatherv(send, NUM + MORE, MPI_INT, receive, num_each, places, MPI_INT, MPI_COMM_WORLD)));
    CHECK(is_truncated(MPI_Alltoall(send, NUM + MORE, MPI_INT, receive, NUM, MPI_INT, MPI_COMM_WORLD)));
    for (int i = 0; i < MORE; ++i) {
        CHECK(0 == receive[size * NUM + i]);
    }
    check_longer_pairs(send, receive, places);
    check_longer_trees(send, receive);
    check_longer_request();
    free(send);
    free(receive);
    free(num_each);
    free(places);
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";

    MPI_Init(&argc, &argv);
    rank = rank_of(MPI_COMM_WORLD);
    size = size_of(MPI_COMM_WORLD);
    if (0 == strcmp(mode, "any")) {
        check_any(atoi(argv[2]), argv[3]);
    } else if (0 == strcmp(mode, "persistent")) {
        check_persistent(argv[2]);
    } else if (0 == strcmp(mode, "bottom")) {
        check_bottom();
    } else if (0 == strcmp(mode, "giant")) {
        check_giant();
        check_giant_sum();
    } else if (0 == strcmp(mode, "longer")) {
        check_longer();
    } else {
        CHECK(!"a mode");
    }
    return finish();
}
