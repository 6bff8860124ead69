/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile_bounded.sh: makes and frees 10 000 communicators in one way, each with a call. The resident memory of the
 * second half is flat, which it checks.
 *
 *     profile_bounded WAY
 */
#include "profiler/test/mpi/profile/profile_program.h"

static int num_failed = 0;
#define CHECK(condition) (num_failed += !(condition))
#include "test/mpi/table/resident.h"

static MPI_Comm last, made;

static void duplicate(int i)
{
    (void) i;
    MPI_Comm_dup(MPI_COMM_WORLD, &made);
}

static void duplicate_last(int i)
{
    (void) i;
    MPI_Comm_dup(last, &made);
    MPI_Comm_free(&last);
    MPI_Comm_dup(made, &last);
}

static void split_last(int i)
{
    MPI_Comm_split(last, 0, i % 2 ? rank : -rank, &made);
    MPI_Comm_free(&last);
    last = made;
    MPI_Comm_split(last, 0, 0, &made);
}

static void name(int i)
{
    char text[32];

    MPI_Comm_dup(MPI_COMM_WORLD, &made);
    snprintf(text, sizeof(text), "level %d of %d", i, 10 * i);
    MPI_Comm_set_name(made, text);
}

/* Further kinds are others. */
static void register_names(int i)
{
    char text[32];

    MPI_Comm_dup(MPI_COMM_SELF, &made);
    snprintf(text, sizeof(text), "level %d", i);
    if (NULL != MPIX_Comm_register) {
        MPIX_Comm_register(made, text);
    }
}

/* Its message is under way when it is freed. */
static void leave_pending(int i)
{
    static MPI_Request requests[2];

    (void) i;
    MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &made);
    MPI_Irecv(&left, 1, MPI_INT, rank, 0, made, &requests[0]);
    MPI_Isend(&right, 1, MPI_INT, rank, 0, made, &requests[1]);
    MPI_Comm_free(&made);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void join(int i)
{
    MPI_Comm half, inter;

    (void) i;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &inter);
    MPI_Intercomm_merge(inter, 0, &made);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

static void open_window(int i)
{
    MPI_Win win;

    (void) i;
    MPI_Comm_dup(MPI_COMM_SELF, &made);
    MPI_Win_create_dynamic(MPI_INFO_NULL, made, &win);
    MPI_Win_free(&win);
}

static const struct {
    const char *name;
    void (*call)(int i);
} ways[] = {{"dup", duplicate}, {"dup-of-last", duplicate_last}, {"split-of-last", split_last},
            {"name", name},     {"register", register_names},    {"pending", leave_pending},
            {"merge", join},    {"window", open_window}};
static void (*way)(int i);

static void make_use_free(int i)
{
    made = MPI_COMM_NULL;
    way(i);
    if (MPI_COMM_NULL != made) {
        MPI_Bcast(&left, 1, MPI_INT, 0, made);
        MPI_Comm_free(&made);
    }
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &last);
    for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); ++i) {
        if (1 < argc && 0 == strcmp(argv[1], ways[i].name)) {
            way = ways[i].call;
            (void) make_and_free_many(make_use_free);
        }
    }
    MPI_Comm_free(&last);
    MPI_Allreduce(MPI_IN_PLACE, &num_failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return NULL != way && 0 == num_failed ? EXIT_SUCCESS : EXIT_FAILURE;
}
