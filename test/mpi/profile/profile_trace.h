/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For the programs that profile*.sh run under the profiler: each writes down what it does, for
 * profile_check.py to say what the report must hold. A trace is one file for each process, lines of
 *
 *     comm LABEL RANK WORLD-RANKS REMOTE-WORLD-RANKS    ranks separated by commas, - for none
 *     call MPI_FUNCTION LABEL [KEY=VALUE]...            sizes in bytes, worked out by the program
 *
 * The programs are not linked with HiTopo; LABEL is what a communicator is registered as, if at all.
 */
#ifndef TEST_MPI_PROFILE_PROFILE_TRACE_H
#define TEST_MPI_PROFILE_PROFILE_TRACE_H

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/mpi/registry/weak_registry.h"

static FILE *trace_file;
static int rank, size, left, right;

static inline void trace(const char *format, ...)
{
    va_list values;

    va_start(values, format);
    vfprintf(trace_file, format, values);
    va_end(values);
    fputc('\n', trace_file);
}

/* CALL(NAME, LABEL, EXPECTED, ARGUMENTS...): traced, then called. */
#define CALL(name, label, expected, ...)                \
    do {                                                \
        trace("call %s %s %s", #name, label, expected); \
        name(__VA_ARGS__);                              \
    } while (0)

/* Both forms; the one that returns at once is waited for. */
#define BOTH(name, immediate, label, expected, ...)                   \
    do {                                                              \
        MPI_Request both_request;                                     \
        CALL(name, label, expected, __VA_ARGS__);                     \
        CALL(immediate, label, expected, __VA_ARGS__, &both_request); \
        MPI_Wait(&both_request, MPI_STATUS_IGNORE);                   \
    } while (0)

/* The text of an expectation; eight of them live at a time. */
static inline const char *text(const char *format, ...)
{
    static char texts[8][1024];
    static int next = 0;
    char *made = texts[next++ % 8];
    va_list values;

    va_start(values, format);
    vsnprintf(made, sizeof(texts[0]), format, values);
    va_end(values);
    return made;
}

/* "KEY=a,b,c" */
static inline const char *list(const char *key, int count, const int *values, int factor)
{
    static char made[1024];
    size_t length = (size_t) snprintf(made, sizeof(made), "%s=", key);

    for (int i = 0; i < count; ++i) {
        length += (size_t) snprintf(made + length, sizeof(made) - length, "%s%d", 0 < i ? "," : "", values[i] * factor);
    }
    return made;
}

static inline void trace_ranks(MPI_Group group)
{
    MPI_Group world;
    int count, mine, theirs;

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_size(group, &count);
    for (mine = 0; mine < count; ++mine) {
        MPI_Group_translate_ranks(group, 1, &mine, world, &theirs);
        fprintf(trace_file, "%s%d", 0 < mine ? "," : " ", theirs);
    }
    MPI_Group_free(&world);
}

/* Tells of a communicator and, unless is_registered is 0, registers it. */
static inline void trace_comm(MPI_Comm comm, const char *label, int is_registered)
{
    MPI_Group group;
    int own, is_inter;

    MPI_Comm_rank(comm, &own);
    MPI_Comm_test_inter(comm, &is_inter);
    fprintf(trace_file, "comm %s %d", label, own);
    MPI_Comm_group(comm, &group);
    trace_ranks(group);
    MPI_Group_free(&group);
    if (is_inter) {
        MPI_Comm_remote_group(comm, &group);
        trace_ranks(group);
        MPI_Group_free(&group);
    } else {
        fputs(" -", trace_file);
    }
    fputc('\n', trace_file);
    if (is_registered && NULL != MPIX_Comm_register) {
        MPIX_Comm_register(comm, (char *) label);
    }
}

/* After MPI_Init; the folder of the trace is the program's first argument. */
static inline void trace_begin(int argc, char **argv)
{
    char path[4096];

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
    snprintf(path, sizeof(path), "%s/trace.%d", 1 < argc ? argv[1] : ".", rank);
    trace_file = fopen(path, "w");
    if (NULL == trace_file) {
        perror(path);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    trace_comm(MPI_COMM_WORLD, "MPI_COMM_WORLD", 0);
}

static inline int trace_end(void)
{
    fclose(trace_file);
    MPI_Finalize();
    return EXIT_SUCCESS;
}

#endif
