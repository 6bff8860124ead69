/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Random collectives of random communicators, whose results are worked out beforehand:
 *
 *     collectives_check SEED NUM_COMMUNICATORS NUM_CALLS MAX_COUNT
 *
 * All ranks draw the same numbers. Knows nothing of HiTopo.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <string.h>
#include <time.h>

#include "test/mpi/coll/known_numbers.h"

/* ---- collectives ---- */

static void check_bcast(MPI_Comm comm, int64_t count, int root)
{
    element_t element = element_of((rank + call) % 3 == 0);
    int64_t *buffer = room(count, element.stride);

    fill(buffer, count, element.stride);
    MPI_Bcast(buffer, (int) count, element.type, root, comm);
    for (int64_t i = 0; i < count; ++i) {
        expect(buffer[i * element.stride], number(root, call, i), "bcast", i);
    }
    expect_gaps(buffer, count, element.stride, "bcast's gaps");
    free(buffer);
    drop(&element);
}

static void check_reduce(MPI_Comm comm, int64_t count, int root, int is_sum, int is_in_place)
{
    int64_t *send = room(count, 1), *receive = room(count, 1);
    const int is_root = rank == root;

    fill(send, count, 1);
    fill(receive, count, 1);
    MPI_Reduce(is_in_place && is_root ? MPI_IN_PLACE : send, is_root ? receive : NULL, (int) count, MPI_INT64_T,
               is_sum ? MPI_SUM : MPI_MAX, root, comm);
    for (int64_t i = 0; is_root && i < count; ++i) {
        expect(receive[i], merged(size, call, i, is_sum), "reduce", i);
    }
    for (int64_t i = 0; i < count; ++i) {
        expect(send[i], number(rank, call, i), "reduce's input", i);
    }
    free(send);
    free(receive);
}

static void check_allreduce(MPI_Comm comm, int64_t count, int is_sum, int is_in_place)
{
    int64_t *send = room(count, 1), *receive = room(count, 1);

    fill(send, count, 1);
    fill(receive, count, 1);
    MPI_Allreduce(is_in_place ? MPI_IN_PLACE : send, receive, (int) count, MPI_INT64_T, is_sum ? MPI_SUM : MPI_MAX,
                  comm);
    for (int64_t i = 0; i < count; ++i) {
        expect(receive[i], merged(size, call, i, is_sum), "allreduce", i);
    }
    free(send);
    free(receive);
}

/* Sums of many sizes, which depend on their order: the same bits everywhere, and in each of two calls. */
static void check_floating(MPI_Comm comm, int64_t count)
{
    double *send = malloc((size_t) (count + 1) * sizeof(*send));
    double *sums[2] = {malloc((size_t) (count + 1) * sizeof(**sums)), malloc((size_t) (count + 1) * sizeof(**sums))};

    for (int64_t i = 0; i < count; ++i) {
        send[i] = (double) number(rank, call, i) / 3 * (i % 2 ? 1e10 : 1e-10);
    }
    for (int i = 0; i < 2; ++i) {
        MPI_Allreduce(send, sums[i], (int) count, MPI_DOUBLE, MPI_SUM, comm);
    }
    expect(memcmp(sums[0], sums[1], (size_t) count * sizeof(double)), 0, "floating point again", 0);
    MPI_Bcast(sums[1], (int) count, MPI_DOUBLE, 0, comm);
    expect(memcmp(sums[0], sums[1], (size_t) count * sizeof(double)), 0, "floating point everywhere", 0);
    free(send);
    free(sums[0]);
    free(sums[1]);
}

static void check_allgather(MPI_Comm comm, int64_t block, int is_in_place)
{
    element_t element = element_of((rank + call) % 3 == 0);
    int64_t *send = room(block, 1), *all = room(block * size, element.stride);

    fill(send, block, 1);
    fill(all + rank * block * element.stride, block, element.stride);
    MPI_Allgather(is_in_place ? MPI_IN_PLACE : send, (int) block, MPI_INT64_T, all, (int) block, element.type, comm);
    for (int64_t i = 0; i < block * size; ++i) {
        expect(all[i * element.stride], number((int) (i / block), call, i % block), "allgather", i);
    }
    expect_gaps(all, block * size, element.stride, "allgather's gaps");
    free(send);
    free(all);
    drop(&element);
}

static void check_reduce_scatter_block(MPI_Comm comm, int64_t block, int is_in_place)
{
    int64_t *send = room(block * size, 1), *receive = room(block * size, 1);

    fill(send, block * size, 1);
    fill(receive, block * size, 1);
    MPI_Reduce_scatter_block(is_in_place ? MPI_IN_PLACE : send, receive, (int) block, MPI_INT64_T, MPI_SUM, comm);
    for (int64_t i = 0; i < block; ++i) {
        expect(receive[i], merged(size, call, rank * block + i, 1), "reduce_scatter_block", i);
    }
    free(send);
    free(receive);
}

static void check_allgatherv(MPI_Comm comm, int64_t count, int is_in_place)
{
    const blocks_t blocks = random_blocks(count, 1);
    element_t element = element_of((rank + call) % 3 == 0);
    const int own = blocks.counts[rank];
    int64_t *send = room(own, 1), *all = room(blocks.end, element.stride);

    fill(send, own, 1);
    fill(all + blocks.begins[rank] * element.stride, own, element.stride);
    MPI_Allgatherv(is_in_place ? MPI_IN_PLACE : send, own, MPI_INT64_T, all, blocks.counts, blocks.begins, element.type,
                   comm);
    for (int from = 0; from < size; ++from) {
        for (int64_t i = 0; i < blocks.counts[from]; ++i) {
            expect(all[(blocks.begins[from] + i) * element.stride], number(from, call, i), "allgatherv", i);
        }
        expect(all[(blocks.begins[from] + blocks.counts[from]) * element.stride], -1, "behind a block", from);
    }
    expect_gaps(all, blocks.end, element.stride, "allgatherv's gaps");
    free(send);
    free(all);
    drop(&element);
}

static void check_reduce_scatter(MPI_Comm comm, int64_t count, int is_in_place)
{
    const blocks_t blocks = random_blocks(count, 0);
    int64_t *send = room(blocks.end, 1), *receive = room(blocks.end, 1);

    fill(send, blocks.end, 1);
    fill(receive, blocks.end, 1);
    MPI_Reduce_scatter(is_in_place ? MPI_IN_PLACE : send, receive, blocks.counts, MPI_INT64_T, MPI_SUM, comm);
    for (int64_t i = 0; i < blocks.counts[rank]; ++i) {
        expect(receive[i], merged(size, call, blocks.begins[rank] + i, 1), "reduce_scatter", i);
    }
    free(send);
    free(receive);
}

/* To each rank another part of what this one has. */
static void check_alltoall(MPI_Comm comm, int64_t block, int is_in_place)
{
    element_t from = element_of((rank + call) % 4 == 0), to = element_of((rank + call) % 3 == 0);
    int64_t *send = room(block * size, from.stride), *receive = room(block * size, to.stride);

    fill(send, block * size, from.stride);
    fill(receive, block * size, to.stride);
    MPI_Alltoall(is_in_place ? MPI_IN_PLACE : send, (int) block, from.type, receive, (int) block, to.type, comm);
    for (int64_t i = 0; i < block * size; ++i) {
        expect(receive[i * to.stride], number((int) (i / block), call, rank * block + i % block), "alltoall", i);
    }
    expect_gaps(receive, block * size, to.stride, "alltoall's gaps");
    free(send);
    free(receive);
    drop(&from);
    drop(&to);
}

/* is_w: each block's type and place in bytes. */
static void check_alltoallv(MPI_Comm comm, int is_w, int is_in_place)
{
    element_t from = element_of((rank + call) % 4 == 0), to = element_of((rank + call) % 3 == 0);
    int send_counts[64], send_begins[64], counts[64], begins[64], send_end = 0, end = 0;
    MPI_Datatype send_types[64], types[64];

    for (int i = 0; i < size; ++i) {
        send_counts[i] = pair_count(rank, i);
        counts[i] = is_in_place ? pair_count(rank < i ? rank : i, rank < i ? i : rank) : pair_count(i, rank);
        send_begins[i] = send_end * (is_w ? 8 * from.stride : 1);
        begins[i] = end * (is_w ? 8 * to.stride : 1);
        send_end += send_counts[i] + 1;
        end += counts[i] + 1;
        send_types[i] = from.type;
        types[i] = to.type;
    }
    int64_t *send = room(send_end, from.stride), *receive = room(end, to.stride);
    fill(send, send_end, from.stride);
    for (int i = 0, at = 0; i < size; at += counts[i++] + 1) {
        for (int j = 0; is_in_place && j < counts[i]; ++j) {
            receive[(at + j) * to.stride] = number(rank, call, i + j);
        }
    }
    if (is_w) {
        MPI_Alltoallw(is_in_place ? MPI_IN_PLACE : (void *) send, send_counts, send_begins, send_types, receive, counts,
                      begins, types, comm);
    } else {
        MPI_Alltoallv(is_in_place ? MPI_IN_PLACE : (void *) send, send_counts, send_begins, from.type, receive, counts,
                      begins, to.type, comm);
    }
    for (int i = 0, at = 0; i < size; at += counts[i++] + 1) {
        int begin = 0; /* of this rank's block in what rank i sends */
        for (int j = 0; j < rank; ++j) {
            begin += pair_count(i, j) + 1;
        }
        for (int j = 0; j < counts[i]; ++j) {
            expect(receive[(at + j) * to.stride], number(i, call, is_in_place ? rank + j : begin + j), "alltoallv", j);
        }
        expect(receive[(at + counts[i]) * to.stride], -1, "behind a block of alltoallv", i);
    }
    expect_gaps(receive, end, to.stride, "alltoallv's gaps");
    free(send);
    free(receive);
    drop(&from);
    drop(&to);
}

static int64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * (int64_t) 1000000000 + time.tv_nsec;
}

/* None leaves before the last one, which naps, has entered: by the clock of the machine on which all run. */
static void check_barrier(MPI_Comm comm, int last)
{
    if (rank == last) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    const int64_t entered = now_ns();
    MPI_Barrier(comm);
    const int64_t left = now_ns();
    int64_t all_entered;
    MPI_Allreduce(&entered, &all_entered, 1, MPI_INT64_T, MPI_MAX, comm);
    expect(left >= all_entered, 1, "barrier", last);
}

static void check_call(MPI_Comm comm, int max_count)
{
    const int64_t count = below(4) == 0 ? below(4) : below(max_count), block = count / size;
    const int root = below(size), is_sum = below(2), is_in_place = below(2);

    switch (below(11)) {
    case 0:
        check_bcast(comm, count, root);
        break;
    case 1:
        check_reduce(comm, count, root, is_sum, is_in_place);
        break;
    case 2:
        check_allreduce(comm, count, is_sum, is_in_place);
        break;
    case 3:
        check_allgather(comm, block, is_in_place);
        break;
    case 4:
        check_reduce_scatter_block(comm, block, is_in_place);
        break;
    case 5:
        check_allgatherv(comm, count, is_in_place);
        break;
    case 6:
        check_reduce_scatter(comm, count, is_in_place);
        break;
    case 7:
        check_alltoall(comm, block, is_in_place);
        break;
    case 8:
        check_barrier(comm, root);
        break;
    case 9:
        check_alltoallv(comm, is_sum, is_in_place);
        break;
    default:
        check_floating(comm, count);
        break;
    }
}

/* Some of the ranks in any order; MPI_COMM_NULL at the others. */
static MPI_Comm random_communicator(int number_of)
{
    int world_rank, world_size, color = MPI_UNDEFINED, key = 0;
    MPI_Comm comm;

    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    for (int i = 0; i < world_size; ++i) {
        const int is_member = number_of == 0 || below(4) > 0, its_key = number_of == 0 ? i : below(world_size);
        if (i == world_rank && is_member) {
            color = 0;
            key = its_key;
        }
    }
    MPI_Comm_split(MPI_COMM_WORLD, color, key, &comm);
    return comm;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    state = strtoull(argv[1], NULL, 10);
    for (int i = 0; i < atoi(argv[2]); ++i) {
        MPI_Comm comm = random_communicator(i);
        const uint64_t common = state;
        if (MPI_COMM_NULL != comm) {
            MPI_Comm_rank(comm, &rank);
            MPI_Comm_size(comm, &size);
            for (int j = 0; j < atoi(argv[3]); ++j) {
                call = i * 1000 + j;
                check_call(comm, atoi(argv[4]));
            }
            MPI_Comm_free(&comm);
        }
        state = common + (uint64_t) i + 1;
    }
    int total;
    MPI_Allreduce(&num_unexpected, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return total > 0;
}
