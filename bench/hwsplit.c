/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * How long splits take on simulated machines, and beside each a plain MPI_Comm_split of the same communicator into the
 * same groups; and calls to count the messages of. HiTopo is preloaded, or not: then there are the plain ones alone.
 *
 *     hwsplit [CALLS]   a line for each: "split", name, microseconds, those of the plain one, how many times a plain
 *                       one without HiTopo are wanted at most (0: no bound), name of the plain one. A time is the
 *                       median of CALLS calls, a call's that of the slowest process
 *     hwsplit --call CALL COUNT [STEPS]
 *                       makes that call so often, and nothing else
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ompi/mpiext/hitopo/c/mpiext_hitopo_c.h"

#define MAX_STEPS 16
#define MAX_COMMS (2 * MAX_STEPS)
#define MAX_CALLS 1001

static int rank, size;
static MPI_Info by_package; /* info of guided splits */

/* ---- functions of libraries ---- */

typedef int split_type_fn(MPI_Comm, int, int, MPI_Info, MPI_Comm *);

/* HiTopo's; NULL without it. */
static int (*split_roots)(MPI_Comm, int, int, MPI_Info, MPI_Comm *, MPI_Comm *);
static int (*split_hierarchy)(MPI_Comm, int, MPI_Comm[], MPI_Comm[], const char *[], int *);
static int (*simulate)(const char *, const char *, const char *);
static split_type_fn *open_mpi_split_type; /* Open MPI's own */

static void find(void *library, const char *name, void *function)
{
    void *const found = dlsym(library, name);

    memcpy(function, &found, sizeof(found));
}

/* Open MPI's library is where a function is that HiTopo does not replace. */
static void find_functions(void)
{
    Dl_info library;
    void *const open_mpi = dladdr((void *) (intptr_t) MPI_Comm_compare, &library)
                               ? dlopen(library.dli_fname, RTLD_NOW | RTLD_NOLOAD)
                               : NULL;

    find(RTLD_DEFAULT, "MPIX_Comm_split_roots", &split_roots);
    find(RTLD_DEFAULT, "MPIX_Comm_split_hierarchy", &split_hierarchy);
    find(RTLD_DEFAULT, "ompi_hitopo_simulate", &simulate);
    find(NULL == open_mpi ? RTLD_DEFAULT : open_mpi, "PMPI_Comm_split_type", &open_mpi_split_type);
}

/* ---- the calls ---- */

/* Each puts what it makes into comms and returns how many. */
typedef int call_fn(MPI_Comm comms[]);

/* Process i is bound to the i-th of as many hardware threads in two packages. */
static int package(void)
{
    return 2 * rank / size;
}
static int takes_part(void)
{
    return rank % 4 != 1;
}

static int plain(MPI_Comm comms[])
{
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank, comms);
    return 1;
}

static int plain_halves(MPI_Comm comms[])
{
    MPI_Comm_split(MPI_COMM_WORLD, package(), rank, comms);
    return 1;
}

static int plain_some(MPI_Comm comms[])
{
    MPI_Comm_split(MPI_COMM_WORLD, takes_part() ? package() : MPI_UNDEFINED, rank, comms);
    return 1;
}

static int plain_reversed(MPI_Comm comms[])
{
    MPI_Comm_split(MPI_COMM_WORLD, package(), -rank, comms);
    return 1;
}

static int shared(MPI_Comm comms[])
{
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, comms);
    return 1;
}

static int guided(MPI_Comm comms[])
{
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, rank, by_package, comms);
    return 1;
}

static int guided_some(MPI_Comm comms[])
{
    MPI_Comm_split_type(MPI_COMM_WORLD, takes_part() ? MPI_COMM_TYPE_HW_GUIDED : MPI_UNDEFINED, rank, by_package,
                        comms);
    return 1;
}

static int guided_reversed(MPI_Comm comms[])
{
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, -rank, by_package, comms);
    return 1;
}

static int guided_roots(MPI_Comm comms[])
{
    split_roots(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, rank, by_package, &comms[0], &comms[1]);
    return 2;
}

/* The standard's recursive loop. */
static int loop_by(split_type_fn *split_type, MPI_Comm comms[])
{
    MPI_Comm parent = MPI_COMM_WORLD;
    int num_comms = 0;

    while (MPI_COMM_NULL != parent && num_comms < MAX_STEPS) {
        int key;
        MPI_Comm_rank(parent, &key);
        split_type(parent, MPI_COMM_TYPE_HW_UNGUIDED, key, MPI_INFO_NULL, &comms[num_comms]);
        parent = comms[num_comms++];
    }
    return num_comms;
}

static int loop(MPI_Comm comms[])
{
    return loop_by(MPI_Comm_split_type, comms);
}

static int hierarchy(MPI_Comm comms[])
{
    int num_steps = 0;

    split_hierarchy(MPI_COMM_WORLD, MAX_STEPS, comms, comms + MAX_STEPS, NULL, &num_steps);
    return MAX_COMMS;
}

static int open_mpi_shared(MPI_Comm comms[])
{
    open_mpi_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, comms);
    return 1;
}

static int open_mpi_shared_equal_keys(MPI_Comm comms[])
{
    open_mpi_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, comms);
    return 1;
}

#if OMPI_MAJOR_VERSION >= 5
static int open_mpi_loop(MPI_Comm comms[])
{
    return loop_by(open_mpi_split_type, comms);
}
#endif

/* ---- machines ---- */

typedef enum machine_t {
    ONE_OF_ALL,   /* nothing can be split */
    TWO_PACKAGES, /* of half as many hardware threads as there are processes */
    STEPS,        /* the hierarchy has so many steps */
} machine_t;

/* A machine whose hierarchy has `num_steps` steps: halves of halves, and hardware threads in the last. */
static void write_steps(char *topology, size_t capacity, int num_steps)
{
    static const char *const halves[] = {"pack:2 ", "l3:2 ", "l2:2 ", "l1:2 ", "core:2 "};
    size_t length = 0;

    topology[0] = '\0';
    for (int i = 0; i < num_steps - 1; ++i) {
        length += (size_t) snprintf(topology + length, capacity - length, "%s", halves[i]);
    }
    snprintf(topology + length, capacity - length, "pu:%d", size >> (num_steps - 1));
}

static void set_machine(machine_t machine, int num_steps)
{
    char topology[128];

    if (STEPS == machine) {
        write_steps(topology, sizeof(topology), num_steps);
    } else {
        snprintf(topology, sizeof(topology), "pack:%d core:1 pu:%d", TWO_PACKAGES == machine ? 2 : 1,
                 TWO_PACKAGES == machine ? (size + 1) / 2 : size);
    }
    if (0 != simulate(topology, ONE_OF_ALL == machine ? "none" : "hwthread", NULL)) {
        fprintf(stderr, "no address table\n");
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    }
}

/* ---- the table ---- */

typedef struct plain_t {
    const char *name;
    call_fn *call;
} plain_t;

static const plain_t whole = {"plain", plain}, halves = {"plain, halves", plain_halves},
                     some = {"plain, some abstain", plain_some}, reversed = {"plain, keys reversed", plain_reversed};
static const plain_t *const plain_ones[] = {&whole, &halves, &some, &reversed};

typedef struct row_t {
    const char *name; /* of --call too */
    call_fn *call;
    machine_t machine;
    const plain_t *base;
    double wanted; /* at most so many plain splits; 0: no bound */
} row_t;

static const row_t rows[] = {
    {"shared", shared, ONE_OF_ALL, &whole, 0.6},
    {"guided", guided, TWO_PACKAGES, &halves, 0.8},
    {"guided, some abstain", guided_some, TWO_PACKAGES, &some, 1.0},
    {"guided, keys reversed", guided_reversed, TWO_PACKAGES, &reversed, 1.0},
    {"guided with roots", guided_roots, TWO_PACKAGES, &halves, 0.0},
    {"loop, nothing to split", loop, ONE_OF_ALL, &whole, 0.25},
    {"Open MPI's shared", open_mpi_shared, ONE_OF_ALL, &whole, 0.0},
    {"Open MPI's shared, keys equal", open_mpi_shared_equal_keys, ONE_OF_ALL, &whole, 0.0},
#if OMPI_MAJOR_VERSION >= 5
    {"Open MPI's loop, nothing to split", open_mpi_loop, ONE_OF_ALL, &whole, 0.0},
#endif
    {"plain", plain, ONE_OF_ALL, &whole, 0.0},
};
#define NUM_ROWS ((int) (sizeof(rows) / sizeof(rows[0])))

static const row_t hierarchy_row = {"hierarchy with roots", hierarchy, STEPS, &whole, 1.0};
static const row_t loop_row = {"loop", loop, STEPS, &whole, 0.0};
#define WANTED_PER_STEP (OMPI_MAJOR_VERSION >= 5 ? 0.5 : 0.25)

static void make_and_free(call_fn *call, double *seconds)
{
    MPI_Comm comms[MAX_COMMS];

    const double start = MPI_Wtime();
    const int num_comms = call(comms);
    *seconds = MPI_Wtime() - start;
    for (int i = 0; i < num_comms; ++i) {
        if (MPI_COMM_NULL != comms[i]) {
            MPI_Comm_free(&comms[i]);
        }
    }
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *) a, y = *(const double *) b;

    return (x > y) - (x < y);
}

static double median(double *values, int num)
{
    qsort(values, (size_t) num, sizeof(*values), compare_doubles);
    return num % 2 ? values[num / 2] : (values[num / 2 - 1] + values[num / 2]) / 2;
}

/* The median over the calls, each of the slowest process. */
static double time_us(call_fn *call, int num_calls)
{
    double mine[MAX_CALLS], slowest[MAX_CALLS], ignored;

    make_and_free(call, &ignored);
    for (int i = 0; i < num_calls; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        make_and_free(call, &mine[i]);
    }
    MPI_Allreduce(mine, slowest, num_calls, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return 1e6 * median(slowest, num_calls);
}

static void print_row(const row_t *row, int num_steps, double wanted, int num_calls)
{
    char name[64];

    set_machine(row->machine, num_steps);
    const double base_us = time_us(row->base->call, num_calls), us = time_us(row->call, num_calls);
    snprintf(name, sizeof(name), num_steps > 0 ? "%s of %d" : "%s", row->name, num_steps);
    if (0 == rank) {
        printf("split\t%s\t%.1f\t%.1f\t%.2f\t%s\n", name, us, base_us, wanted, row->base->name);
    }
}

static void print_table(int num_calls)
{
    if (NULL == simulate) { /* plain ones alone */
        for (size_t i = 0; i < sizeof(plain_ones) / sizeof(plain_ones[0]); ++i) {
            const double us = time_us(plain_ones[i]->call, num_calls);
            if (0 == rank) {
                printf("split\t%s\t%.1f\n", plain_ones[i]->name, us);
            }
        }
        return;
    }
    for (int i = 0; i < NUM_ROWS; ++i) {
        print_row(&rows[i], 0, rows[i].wanted, num_calls);
    }
    for (int steps = 1; steps <= 6 && 1 << steps <= size; ++steps) {
        print_row(&hierarchy_row, steps, hierarchy_row.wanted + WANTED_PER_STEP * steps, num_calls);
        print_row(&loop_row, steps, 0, num_calls);
    }
}

/* ---- calls to count messages of ---- */

static int call_often(const char *name, int count, int num_steps)
{
    const row_t *row = 0 == strcmp(name, hierarchy_row.name) ? &hierarchy_row : NULL;
    double ignored;

    for (int i = 0; i < NUM_ROWS; ++i) {
        row = 0 == strcmp(name, rows[i].name) ? &rows[i] : row;
    }
    if (NULL == row) {
        fprintf(stderr, "hwsplit: there is no call \"%s\"\n", name);
        return EXIT_FAILURE;
    }
    set_machine(row->machine, num_steps);
    for (int i = 0; i < count; ++i) {
        make_and_free(row->call, &ignored);
    }
    return EXIT_SUCCESS;
}

/* A number from 1 to max. */
static int number(const char *text, int max)
{
    const int value = atoi(text);

    return value < 1 ? 1 : value > max ? max : value;
}

int main(int argc, char **argv)
{
    int status = EXIT_SUCCESS;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    find_functions();
    MPI_Info_create(&by_package);
    MPI_Info_set(by_package, "mpi_hw_resource_type", "hwloc://Package");
    if (argc >= 4 && 0 == strcmp(argv[1], "--call")) {
        status = call_often(argv[2], atoi(argv[3]), argc > 4 ? number(argv[4], 6) : 1);
    } else {
        print_table(argc > 1 ? number(argv[1], MAX_CALLS) : 41);
    }
    MPI_Info_free(&by_package);
    MPI_Finalize();
    return status;
}
