/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For tests of splitting: simulated machines, and splits compared with colours worked out by hand.
 */
#ifndef TEST_MPI_SPLIT_SPLIT_CHECKS_H
#define TEST_MPI_SPLIT_SPLIT_CHECKS_H

#include "ompi_config.h"

#include <unistd.h>

#include "ompi/communicator/communicator.h"

#include "test/mpi/checks.h"
#include "ompi/mpiext/hitopo/c/mpiext_hitopo_c.h"

#define HW_TYPE "mpi_hw_resource_type"

/* Process i of a node is bound to core i modulo 4; its package is the half of that. */
#define FOUR_CORES "pack:2 core:2 pu:1"

/* Makes this process one of another machine; map: the text of a map, equal everywhere, or NULL. Collective
 * over MPI_COMM_WORLD. */
static inline void simulate(const char *topology, const char *binding, const char *map)
{
    char path[] = "/tmp/hitopo-test-XXXXXX";
    const int is_writer = 0 == rank_of(MPI_COMM_WORLD) && NULL != map;

    if (is_writer) {
        const int file = mkstemp(path);
        CHECK(file >= 0 && (ssize_t) strlen(map) == write(file, map, strlen(map)) && 0 == close(file));
    }
    MPI_Bcast(path, sizeof(path), MPI_CHAR, 0, MPI_COMM_WORLD);
    CHECK(0 == ompi_hitopo_simulate(topology, binding, NULL == map ? "" : path));
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_writer) {
        unlink(path);
    }
}

/* MPI_Init; on FOUR_CORES. */
static inline void init_on_four_cores(int *argc, char ***argv, int *rank, int *size)
{
    MPI_Init(argc, argv);
    *rank = rank_of(MPI_COMM_WORLD);
    *size = size_of(MPI_COMM_WORLD);
    simulate(FOUR_CORES, "core", NULL);
}

/* An info object with one key; MPI_INFO_NULL for key NULL, an empty one for value NULL. */
static inline MPI_Info info_with(const char *key, const char *value)
{
    MPI_Info info = MPI_INFO_NULL;

    if (NULL != key) {
        MPI_Info_create(&info);
    }
    if (NULL != key && NULL != value) {
        MPI_Info_set(info, key, value);
    }
    return info;
}

static inline void free_info(MPI_Info *info)
{
    if (MPI_INFO_NULL != *info) {
        MPI_Info_free(info);
    }
}

static inline void free_comm(MPI_Comm *comm)
{
    if (MPI_COMM_NULL != *comm) {
        MPI_Comm_free(comm);
    }
}

/* Whether info has exactly this value for the key; NULL: whether it has none. */
static inline int has_value(MPI_Info info, const char *key, const char *expected)
{
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int flag = 0;

    MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value, &flag);
    return NULL == expected ? !flag : flag && 0 == strcmp(value, expected);
}

/* Places for communicators that are taken in this process, so those of context ids that somebody forgot to
 * give back too. Local. */
static inline int num_communicators(void)
{
    return ompi_mpi_communicators.size - ompi_mpi_communicators.number_free;
}

/* A message goes round. */
static inline int is_usable(MPI_Comm comm)
{
    int one = 1, sum = 0;

    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    return sum == size_of(comm);
}

/* Whether newcomm is what Open MPI's own MPI_Comm_split makes of a colour and key; MPI_UNDEFINED:
 * MPI_COMM_NULL. Collective over parent. */
static inline int is_split_by(MPI_Comm parent, MPI_Comm newcomm, int color, int key)
{
    MPI_Comm expected;
    int result = MPI_UNEQUAL;

    MPI_Comm_split(parent, color, key, &expected);
    if (MPI_COMM_NULL == newcomm || MPI_COMM_NULL == expected) {
        const int is_null = newcomm == expected;
        free_comm(&expected);
        return is_null;
    }
    MPI_Comm_compare(newcomm, expected, &result);
    MPI_Comm_free(&expected);
    return MPI_CONGRUENT == result && is_usable(newcomm);
}

/* A guided split by one value everywhere with key = rank. Collective over comm. */
static inline MPI_Comm split_guided(MPI_Comm comm, const char *value)
{
    MPI_Comm newcomm = comm;
    MPI_Info info = info_with(HW_TYPE, value);

    CHECK(MPI_SUCCESS == MPI_Comm_split_type(comm, MPI_COMM_TYPE_HW_GUIDED, rank_of(comm), info, &newcomm));
    CHECK(has_value(info, HW_TYPE, value));
    MPI_Info_free(&info);
    return newcomm;
}

/* The size of this process's new communicator of such a split, 0 for none. Collective over comm. */
static inline int size_of_split(MPI_Comm comm, const char *value)
{
    MPI_Comm newcomm = split_guided(comm, value);
    const int size = MPI_COMM_NULL == newcomm ? 0 : size_of(newcomm);

    free_comm(&newcomm);
    return size;
}

/* An error handler that counts its calls. */
static int num_handled = 0, last_handled = MPI_SUCCESS;

static inline void count_error(MPI_Comm *comm, int *code, ...)
{
    (void) comm;
    ++num_handled;
    MPI_Error_class(*code, &last_handled);
}

static inline int class_of(int code)
{
    int error_class = -1;

    MPI_Error_class(code, &error_class);
    return error_class;
}

#endif
