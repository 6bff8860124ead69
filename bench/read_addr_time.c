/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Where HiTopo runs: rank 0 prints how many nanoseconds a call of ompi_hitopo_read_addr takes at the slowest rank, in a
 * loop over all ranks: of MPI_COMM_WORLD (world_ns), of four communicators in turn (in_turn_ns), and of MPI_COMM_WORLD
 * while another thread frees communicators that have tables (beside_ns; 0 without MPI_THREAD_MULTIPLE).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define NUM_CALLS 1000000
#define NUM_COMMS 4

typedef union read_addr_t {
    void *address;
    int (*call)(MPI_Comm comm, int rank, int32_t addr[8]);
} read_addr_t;

static read_addr_t read_addr;
static atomic_bool is_done;

static double now_ns(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

/* The least of some loops: others use the machine too. num_comms: a power of 2. */
static double time_of_call(const MPI_Comm *comms, int num_comms, int num_calls)
{
    enum { NUM_LOOPS = 5 };
    double least = 1e9;

    for (int loop = 0; loop < NUM_LOOPS; ++loop) {
        int32_t addr[8];
        int size, rank = 0, sum = 0;
        MPI_Comm_size(comms[0], &size);
        const double before = now_ns();
        for (int i = 0; i < num_calls / NUM_LOOPS; ++i) {
            sum += read_addr.call(comms[i & (num_comms - 1)], rank, addr);
            rank = rank + 1 < size ? rank + 1 : 0;
        }
        const double took = (now_ns() - before) / (num_calls / NUM_LOOPS);
        least = 0 != sum ? least : took < least ? took : least;
    }
    return least;
}

static void *make_and_free(void *argument)
{
    while (!is_done) {
        MPI_Comm comm;
        int32_t addr[8];
        MPI_Comm_dup(MPI_COMM_SELF, &comm);
        read_addr.call(comm, 0, addr);
        MPI_Comm_free(&comm);
    }
    return argument;
}

static double time_beside_another_thread(int provided)
{
    const MPI_Comm world = MPI_COMM_WORLD;
    pthread_t thread;
    double time = 0;

    if (MPI_THREAD_MULTIPLE == provided && 0 == pthread_create(&thread, NULL, make_and_free, NULL)) {
        time = time_of_call(&world, 1, NUM_CALLS);
        is_done = 1;
        pthread_join(thread, NULL);
    }
    return time;
}

int main(int argc, char **argv)
{
    enum { WORLD, IN_TURN, BESIDE, NUM };
    static const char *const names[NUM] = {"world_ns", "in_turn_ns", "beside_ns"};
    MPI_Comm comms[NUM_COMMS] = {MPI_COMM_WORLD};
    double mine[NUM], slowest[NUM];
    int rank, provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    void *library = dlopen("libompi_hitopo.so.0", RTLD_NOW | RTLD_NOLOAD);
    read_addr.address = NULL == library ? NULL : dlsym(library, "ompi_hitopo_read_addr");
    if (NULL == read_addr.address) {
        fprintf(stderr, "no HiTopo\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 1; i < NUM_COMMS; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    }
    mine[WORLD] = time_of_call(comms, 1, NUM_CALLS);
    mine[IN_TURN] = time_of_call(comms, NUM_COMMS, NUM_CALLS);
    mine[BESIDE] = time_beside_another_thread(provided);
    MPI_Reduce(mine, slowest, NUM, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    for (int i = 0; 0 == rank && i < NUM; ++i) {
        printf("%s %.1f\n", names[i], slowest[i]);
    }
    for (int i = 1; i < NUM_COMMS; ++i) {
        MPI_Comm_free(&comms[i]);
    }
    MPI_Finalize();
    return 0;
}
