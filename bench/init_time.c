/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Any MPI program: rank 0 prints how long MPI_Init took at the rank where it took longest (init_ms),
 * how much CPU time a rank has used until its end (cpu_ms, on average), and how long after
 * BENCH_START_NS (of the clock CLOCK_REALTIME) the last rank was through it (launch_ms). With the argument
 * "splits", also how long a split of MPI_COMM_WORLD by shared memory then takes there (split_us, median). Where
 * HiTopo runs, ranks 0 and 1 also print how long each component took (query).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now_ms(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return time.tv_sec * 1e3 + time.tv_nsec * 1e-6;
}

typedef union describe_t {
    void *address;
    char *(*call)(void);
} describe_t;

/* "query_us":{"hwloc":123.4,"slurm":5.6} of the JSON document, a line each. */
static void print_queries(int rank)
{
    void *library = dlopen("libompi_hitopo.so.0", RTLD_NOW | RTLD_NOLOAD);
    describe_t describe = {NULL == library ? NULL : dlsym(library, "ompi_hitopo_describe_process")};
    char *json = NULL == describe.address ? NULL : describe.call();
    char *at = NULL == json ? NULL : strstr(json, "\"query_us\":{");

    for (char *end; NULL != at && NULL != (at = strchr(at + 1, '"')); at = end) {
        double us;
        char name[32];
        end = strchr(at + 1, '"');
        if (NULL == end || 2 != sscanf(at, "\"%31[^\"]\":%lf", name, &us)) {
            end = at;
            continue;
        }
        printf("query %d %s %.1f\n", rank, name, us);
    }
    free(json);
}

static int compare_times(const void *a, const void *b)
{
    const double x = *(const double *) a, y = *(const double *) b;

    return (x > y) - (x < y);
}

#define NUM_SPLITS 41

/* Collective. */
static double time_of_split_us(int rank)
{
    double times[NUM_SPLITS];
    MPI_Comm newcomm;

    for (int i = 0; i < NUM_SPLITS; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        times[i] = -now_ms(CLOCK_MONOTONIC) * 1e3;
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &newcomm);
        times[i] += now_ms(CLOCK_MONOTONIC) * 1e3;
        MPI_Comm_free(&newcomm);
    }
    qsort(times, NUM_SPLITS, sizeof(times[0]), compare_times);
    return times[NUM_SPLITS / 2];
}

int main(int argc, char **argv)
{
    double before = now_ms(CLOCK_MONOTONIC);
    MPI_Init(&argc, &argv);
    double init_ms = now_ms(CLOCK_MONOTONIC) - before;
    double end_ms = now_ms(CLOCK_REALTIME);
    double cpu_ms = now_ms(CLOCK_PROCESS_CPUTIME_ID), all_cpu_ms;
    double mine[2] = {init_ms, end_ms}, longest[2];
    const char *start = getenv("BENCH_START_NS");
    int rank, size;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Reduce(&cpu_ms, &all_cpu_ms, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(mine, longest, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (0 == rank) {
        printf("init_ms %.2f\n", longest[0]);
        printf("cpu_ms %.2f\n", all_cpu_ms / size);
        printf("launch_ms %.2f\n", longest[1] - (NULL == start ? end_ms : strtod(start, NULL) * 1e-6));
    }
    if (argc > 1 && 0 == strcmp(argv[1], "splits")) {
        const double split_us = time_of_split_us(rank);
        if (0 == rank) {
            printf("split_us %.1f\n", split_us);
        }
    }
    if (2 > rank) {
        print_queries(rank);
    }
    MPI_Finalize();
    return 0;
}
