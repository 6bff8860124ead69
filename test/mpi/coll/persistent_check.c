/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Random persistent collectives, started again and again, many at once and by each rank in an order of its own:
 *
 *     persistent_check SEED NUM_ROUNDS MAX_COUNT
 */
#define _GNU_SOURCE
#include <dlfcn.h>

#include "test/mpi/checks.h"
#include "test/mpi/coll/nonblocking_calls.h"

#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#if MPI_VERSION >= 4
#define OF_MPI_4(name) MPI_##name
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
#define OF_MPI_4(name) MPIX_##name
#endif

#ifdef OF_MPI_4
static void call_persistent(open_t *open, const element_t *from, const element_t *to, MPI_Op op, MPI_Comm comm,
                            MPI_Request *request)
{
    const int count = (int) open->count, is_root = rank == open->root;
    const void *send = open->is_in_place && (open->kind != IREDUCE || is_root) ? MPI_IN_PLACE : open->send;

    switch (open->kind) {
    case IBCAST:
        OF_MPI_4(Bcast_init)(open->receive, count, to->type, open->root, comm, MPI_INFO_NULL, request);
        break;
    case IREDUCE:
        OF_MPI_4(Reduce_init)
        (send, is_root ? open->receive : NULL, count, MPI_INT64_T, op, open->root, comm, MPI_INFO_NULL, request);
        break;
    case IALLREDUCE:
        OF_MPI_4(Allreduce_init)(send, open->receive, count, MPI_INT64_T, op, comm, MPI_INFO_NULL, request);
        break;
    case IBARRIER:
        OF_MPI_4(Barrier_init)(comm, MPI_INFO_NULL, request);
        break;
    case IALLGATHER:
        OF_MPI_4(Allgather_init)
        (send, count, from->type, open->receive, count, to->type, comm, MPI_INFO_NULL, request);
        break;
    case IALLGATHERV:
        OF_MPI_4(Allgatherv_init)
        (send, open->blocks.counts[rank], from->type, open->receive, open->blocks.counts, open->blocks.begins, to->type,
         comm, MPI_INFO_NULL, request);
        break;
    case IREDUCE_SCATTER:
        OF_MPI_4(Reduce_scatter_init)
        (send, open->receive, open->blocks.counts, MPI_INT64_T, op, comm, MPI_INFO_NULL, request);
        break;
    case IREDUCE_SCATTER_BLOCK:
        OF_MPI_4(Reduce_scatter_block_init)
        (send, open->receive, count, MPI_INT64_T, op, comm, MPI_INFO_NULL, request);
        break;
    case IALLTOALL:
        OF_MPI_4(Alltoall_init)
        (send, count, from->type, open->receive, count, to->type, comm, MPI_INFO_NULL, request);
        break;
    case IALLTOALLV:
        OF_MPI_4(Alltoallv_init)
        (send, open->send_counts, open->send_begins, from->type, open->receive, open->counts, open->begins, to->type,
         comm, MPI_INFO_NULL, request);
        break;
    default:
        OF_MPI_4(Alltoallw_init)
        (send, open->send_counts, open->send_begins, open->send_types, open->receive, open->counts, open->begins,
         open->types, comm, MPI_INFO_NULL, request);
    }
}

/* Those of HiTopo, which is the one that allocates in C++. Open MPI's lists grow when messages are late. */
static long num_allocations;

extern void *__libc_malloc(size_t num_bytes);

void *malloc(size_t num_bytes)
{
    Dl_info from;

    if (0 != dladdr(__builtin_return_address(0), &from) && NULL != from.dli_fname
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

static void check_persistent(uint64_t seed, int num_rounds, int max_count)
{
    many_t *many = calloc(1, sizeof(*many));
    long in_starts = 0;
    MPI_Comm comm;

    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    ompi_hitopo_base_listen(&listener);
    state = seed;
    many->state = seed + (uint64_t) rank;
    for (many->num = 0; many->num < MOST_OPEN; ++many->num) {
        open_t *open = many->calls[many->num] = malloc(sizeof(*open));
        do { /* what is left to Open MPI 4.1 must not name types that are freed (docs/upstream.md, 63) */
            draw(open, max_count);
        } while (is_empty(open) || (open->kind >= IALLTOALL && open->is_in_place));
        /* Open MPI copies from one datatype to another through memory that it allocates. */
        start(open, comm, call_persistent, 1, &many->requests[many->num]);
    }
    CHECK(MOST_OPEN == num_persistent);
    for (int round = 0; round < num_rounds; ++round) {
        for (int i = 0; i < many->num; ++i) {
            call = many->calls[i]->call = round * MOST_OPEN + i;
            put_in(many->calls[i]);
        }
        const long before = num_allocations;
        start_persistent(many);
        in_starts += num_allocations - before;
        if (below(2) == 0) {
            call = round;
            block(comm, max_count / 10 + 1);
        }
        complete_persistent(many);
    }
    for (int i = 0; i < many->num; ++i) {
        MPI_Request_free(&many->requests[i]);
        release(many->calls[i]);
    }
    MPI_Comm_free(&comm);
    free(many);
    CHECK(0 == num_unexpected);
    CHECK(0 == in_starts);
}
#else
static void check_persistent(uint64_t seed, int num_rounds, int max_count)
{
    (void) seed, (void) num_rounds, (void) max_count;
    printf("no persistent collectives\n");
}
#endif

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    check_persistent(strtoull(argv[1], NULL, 10), atoi(argv[2]), atoi(argv[3]));
    ompi_hitopo_base_listen(NULL);
    return finish();
}
