/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints `TYPE: SIZE ..`, the size of each rank's communicator after a guided split by that type.
 *     session_subset            with MPI sessions only: first of all but the lowest process, then of all
 *     session_subset NUM OPEN   of MPI_COMM_WORLD: NUM sessions began and ended before MPI_Init, and with OPEN 1
 *                               another one began then and ends after MPI_Finalize; on its communicator, rank 0 calls
 *                               MPI_Bcast before MPI_Init, and the others after it
 */
#include <stdbool.h>
#include <stdlib.h>

#include "test/mpi/split/print_sizes.h"

#if OMPI_MAJOR_VERSION < 5
int main(void)
{
    printf("no MPI sessions\n");
    return 0;
}
#else

static int size_of_split(MPI_Comm comm, const char *type)
{
    MPI_Info info;
    MPI_Comm part;
    int size = 0;

    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_hw_resource_type", type);
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_HW_GUIDED, 0, info, &part);
    if (MPI_COMM_NULL != part) {
        MPI_Comm_size(part, &size);
        MPI_Comm_free(&part);
    }
    MPI_Info_free(&info);
    return size;
}

static void print_splits(MPI_Comm comm)
{
    static const char *const types[] = {"hwloc://Machine", "hwloc://Package", "hwloc://Core"};

    for (int i = 0; i < 3; ++i) {
        print_sizes(comm, types[i], size_of_split(comm, types[i]));
    }
}

static void print_splits_of(MPI_Group group, const char *tag)
{
    MPI_Comm comm;

    MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    print_splits(comm);
    MPI_Comm_free(&comm);
}

static void split_in_session(void)
{
    MPI_Session session;
    MPI_Group all, others;
    int rank, lowest = 0;

    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    MPI_Group_rank(all, &rank);
    MPI_Group_excl(all, 1, &lowest, &others);
    if (rank != lowest) {
        print_splits_of(others, "hitopo.session_subset.others");
    }
    print_splits_of(all, "hitopo.session_subset.all");
    MPI_Group_free(&others);
    MPI_Group_free(&all);
    MPI_Session_finalize(&session);
}

static MPI_Comm comm_of(MPI_Session session)
{
    MPI_Group all;
    MPI_Comm comm;

    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    MPI_Comm_create_from_group(all, "hitopo.session_subset.early", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&all);
    return comm;
}

static void split_world(int num_ended, bool is_open)
{
    MPI_Session session;
    MPI_Comm early = MPI_COMM_NULL;
    int rank = 0, word = 0;

    for (int i = 0; i < num_ended + is_open; ++i) {
        MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
        if (i < num_ended) {
            MPI_Session_finalize(&session);
        }
    }
    if (is_open) {
        early = comm_of(session);
        MPI_Comm_rank(early, &rank);
        word = 0 == rank ? 42 : 0;
    }
    if (is_open && 0 == rank) {
        MPI_Bcast(&word, 1, MPI_INT, 0, early);
    }
    MPI_Init(NULL, NULL);
    if (is_open && 0 != rank) {
        MPI_Bcast(&word, 1, MPI_INT, 0, early);
    }
    print_splits(MPI_COMM_WORLD);
    MPI_Finalize();
    if (is_open) {
        if (42 != word) {
            printf("rank %d: MPI_Bcast gave %d\n", rank, word);
        }
        MPI_Comm_free(&early);
        MPI_Session_finalize(&session);
    }
}

int main(int argc, char **argv)
{
    if (3 == argc) {
        split_world(atoi(argv[1]), 0 != atoi(argv[2]));
    } else {
        split_in_session();
    }
    return 0;
}

#endif
