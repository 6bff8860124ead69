/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile_hang.sh: a job of four that stands still; rank 2 is the cause where there is one.
 *
 *     profile_hang CASE FIFO
 *
 * CASE is a function below. FIFO is a pipe that nobody opens for writing.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "profiler/test/mpi/profile/profile_program.h"

static const char *fifo;
static MPI_Request request = MPI_REQUEST_NULL;
static int number;
static volatile int is_over;

static void loop(void)
{
    while (!is_over) {
    }
}

static void stopped(void)
{
    if (2 == rank) {
        raise(SIGSTOP);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void killed(void)
{
    if (2 == rank) {
        raise(SIGKILL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* In a part of MPI_COMM_WORLD with a name. */
static void looping(void)
{
    MPI_Comm part;

    MPI_Comm_split(MPI_COMM_WORLD, 1 == rank, 0, &part);
    MPI_Comm_set_name(part, "part");
    if (2 == rank) {
        loop();
    } else if (1 == rank) {
        MPI_Recv(&number, 1, MPI_INT, 2, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_SUM, part);
}

static void blocked(void)
{
    if (2 == rank) {
        (void) !open(fifo, O_RDONLY);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void receives(void)
{
    if (rank < 2) {
        MPI_Recv(&number, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void mismatched(void)
{
    if (2 == rank) {
        MPI_Bcast(&number, 1, MPI_INT, 3, MPI_COMM_WORLD);
    } else {
        MPI_Allreduce(MPI_IN_PLACE, &number, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* One of three requests is complete. */
static void waiting(void)
{
    MPI_Request requests[] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};

    if (2 == rank) {
        loop();
    } else if (0 == rank) {
        MPI_Isend(&number, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&number, 1, MPI_INT, 2, 4, MPI_COMM_WORLD, &requests[2]);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Recv(&number, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void persistent(void)
{
    if (2 == rank) {
        loop();
    } else if (0 == rank) {
        MPI_Recv_init(&number, 1, MPI_INT, 2, 5, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void nonblocking(void)
{
    if (2 == rank) {
        loop();
    }
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void polling(void)
{
    int is_done = 0;

    if (2 == rank) {
        MPI_Irecv(&number, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, &request);
        while (!is_done) {
            MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void finalizing(void)
{
    if (2 == rank) {
        loop();
    }
}

static void *serve(void *unused)
{
    int order;

    MPI_Recv(&order, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return unused;
}

static void threads(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, serve, NULL);
    if (2 == rank) {
        loop();
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void on_signal(int unused)
{
    (void) unused;
    is_over = 1;
}

static void ending(void)
{
    signal(SIGTERM, on_signal);
    loop();
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {{"stopped", stopped},     {"killed", killed},         {"looping", looping},
             {"blocked", blocked},     {"receives", receives},     {"mismatched", mismatched},
             {"waiting", waiting},     {"persistent", persistent}, {"nonblocking", nonblocking},
             {"polling", polling},     {"finalizing", finalizing}, {"threads", threads},
             {"own_handler", looping}, {"ending", ending}};

int main(int argc, char **argv)
{
    const char *name = 1 < argc ? argv[1] : "";
    int provided;

    fifo = 2 < argc ? argv[2] : "";
    if (0 == strcmp("own_handler", name)) {
        signal(SIGUSR1, on_signal);
    }
    MPI_Init_thread(&argc, &argv, 0 == strcmp("threads", name) ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    find_ring(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); ++i) {
        if (0 == strcmp(cases[i].name, name)) {
            cases[i].run();
        }
    }
    MPI_Finalize();
    return EXIT_SUCCESS;
}
