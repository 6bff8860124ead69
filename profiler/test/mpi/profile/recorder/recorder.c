/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A library to preload before the profiler: each of the program's calls goes into a file, one line each, and then to
 * who is next. The profiler's counts must be those of the lines (profile_check.py). It knows nothing of the profiler,
 * and wrappers.py makes its functions of mpi.h. $TRACES/trace.RANK has lines
 *
 *     TIMES FUNCTION NAME=VALUE ..           so many equal calls in a row; handles and requests are addresses,
 * datatypes sizes, lists a,b,c; NAME> is what was at a pointer after the call 0 comm NAME=VALUE ..                   a
 * new handle, with ranks in MPI_COMM_WORLD
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ompi/mpiext/hitopo/c/mpiext_hitopo_c.h"

typedef struct {
    char text[1 << 16];
    size_t length;
} line_t;

static __thread int depth; /* MPI's own calls are nobody's */
static __thread line_t line;
static line_t last;
static long times;
static FILE *file;
static int fds[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(const char *format, ...)
{
    va_list values;

    va_start(values, format);
    line.length += (size_t) vsnprintf(line.text + line.length, sizeof(line.text) - line.length, format, values);
    va_end(values);
    if (line.length >= sizeof(line.text)) {
        fprintf(stderr, "recorder: a line is too long\n");
        abort();
    }
}

static void begin(const char *name)
{
    line.length = 0;
    add(" %s", name);
}

static void flush(void)
{
    if (0 < times) {
        fprintf(file, "%ld%s\n", times, last.text);
    }
}

static void end(int is_call)
{
    pthread_mutex_lock(&lock);
    if (is_call && last.length == line.length && 0 == memcmp(last.text, line.text, line.length)) {
        ++times;
    } else {
        flush();
        times = is_call;
        last.length = line.length;
        memcpy(last.text, line.text, line.length + 1);
        if (!is_call) {
            fprintf(file, "0%s\n", line.text);
        }
    }
    pthread_mutex_unlock(&lock);
}

static int size_of(MPI_Datatype type)
{
    int size = -1;

    if (MPI_DATATYPE_NULL != type && NULL != type) {
        PMPI_Type_size(type, &size);
    }
    return size;
}

/* An array that MPI may not read is none. */
static void add_list(const char *name, const void *values, int count, size_t bytes, int is_types)
{
    char copy[8 * 1024];

    pthread_mutex_lock(&lock);
    const ssize_t whole = (ssize_t) bytes * count;
    const int is_there =
        0 < count && whole == write(fds[1], values, (size_t) whole) && whole == read(fds[0], copy, (size_t) whole);
    pthread_mutex_unlock(&lock);
    add(" %s=", name);
    for (int i = 0; is_there && i < count; ++i) {
        const long value = is_types               ? size_of(((MPI_Datatype *) (void *) copy)[i])
                           : bytes == sizeof(int) ? ((int *) (void *) copy)[i]
                                                  : ((long *) (void *) copy)[i];
        add("%s%ld", 0 < i ? "," : "", value);
    }
}

static void add_ranks(const char *name, MPI_Group group)
{
    MPI_Group world;
    int count, of_world;

    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_size(group, &count);
    add(" %s=", name);
    for (int i = 0; i < count; ++i) {
        PMPI_Group_translate_ranks(group, 1, &i, world, &of_world);
        add("%s%d", 0 < i ? "," : "", MPI_UNDEFINED == of_world ? -1 : of_world);
    }
    PMPI_Group_free(&world);
    PMPI_Group_free(&group);
}

/* As MPI_Neighbor_alltoall sends. Returns how many. */
static int destinations(MPI_Comm comm, int found[1024])
{
    int status, own, count = 0, other, is_weighted, unused[1024], weights[1024];

    PMPI_Topo_test(comm, &status);
    PMPI_Comm_rank(comm, &own);
    if (MPI_CART == status) {
        PMPI_Cartdim_get(comm, &count);
        for (int i = 0; i < count; ++i) {
            PMPI_Cart_shift(comm, i, 1, &found[2 * i], &found[2 * i + 1]);
        }
        count *= 2;
    } else if (MPI_GRAPH == status) {
        PMPI_Graph_neighbors_count(comm, own, &count);
        PMPI_Graph_neighbors(comm, own, count, found);
    } else if (MPI_DIST_GRAPH == status) {
        PMPI_Dist_graph_neighbors_count(comm, &other, &count, &is_weighted);
        PMPI_Dist_graph_neighbors(comm, other, unused, weights, count, found, weights);
    }
    return count;
}

static void add_comm(MPI_Comm comm)
{
    MPI_Group group;
    int own, is_inter, found[1024];

    if (MPI_COMM_NULL == comm) {
        return;
    }
    line_t call = line;
    begin("comm");
    PMPI_Comm_rank(comm, &own);
    PMPI_Comm_test_inter(comm, &is_inter);
    add(" handle=%p rank=%d", (void *) comm, own);
    PMPI_Comm_group(comm, &group);
    add_ranks("ranks", group);
    if (is_inter) {
        PMPI_Comm_remote_group(comm, &group);
        add_ranks("remote", group);
    } else {
        const int count = destinations(comm, found);
        add_list("to", found, count, sizeof(int), 0);
    }
    end(0);
    line = call;
}

/* The number of entries of an array of counts: one for each peer. */
static int num_peers(const char *function, MPI_Comm comm)
{
    int is_inter = 0, size = 0, found[1024];

    if (NULL != strstr(function, "eighbor")) {
        return destinations(comm, found);
    }
    PMPI_Comm_test_inter(comm, &is_inter);
    if (is_inter && NULL == strstr(function, "educe")) {
        PMPI_Comm_remote_size(comm, &size);
    } else {
        PMPI_Comm_size(comm, &size);
    }
    return size;
}

static void open_traces(void)
{
    const char *folder = getenv("TRACES");
    char path[4096];
    int rank;
    MPI_Comm parent;
    static int none; /* what a request that is no communicator's is */

    PMPI_Comm_get_parent(&parent);
    if (NULL == folder || MPI_COMM_NULL != parent || 0 != pipe(fds)) {
        return;
    }
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(path, sizeof(path), "%s/trace.%d", folder, rank);
    file = fopen(path, "w");
    if (NULL == file) {
        perror(path);
        exit(1);
    }
    void *empty = dlsym(RTLD_DEFAULT, "ompi_request_empty");
    begin("handles");
    add(" WORLD=%p SELF=%p none=%p,%p", (void *) MPI_COMM_WORLD, (void *) MPI_COMM_SELF, (void *) MPI_REQUEST_NULL,
        NULL == empty ? (void *) &none : empty);
    end(0);
    add_comm(MPI_COMM_WORLD);
    add_comm(MPI_COMM_SELF);
}

static void close_traces(void)
{
    if (NULL != file) {
        flush();
        fclose(file);
        file = NULL;
    }
}

#define NEXT(function)                                  \
    static __typeof__(function) *next;                  \
    if (NULL == next) {                                 \
        *(void **) &next = dlsym(RTLD_NEXT, #function); \
    }

int MPI_Init(int *argc, char ***argv)
{
    NEXT(MPI_Init)
    const int rc = next(argc, argv);
    open_traces();
    return rc;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    NEXT(MPI_Init_thread)
    const int rc = next(argc, argv, required, provided);
    open_traces();
    return rc;
}

int MPI_Finalize(void)
{
    NEXT(MPI_Finalize)
    close_traces();
    return next();
}

int MPI_Pcontrol(const int level, ...)
{
    NEXT(MPI_Pcontrol)
    if (NULL != file) {
        begin("MPI_Pcontrol");
        add(" level=%d", level);
        end(1);
    }
    return next(level);
}

#include "wrappers.h"
