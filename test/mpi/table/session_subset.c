/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI sessions only, and as the first communicator one without the lowest process. Prints `TYPE: SIZE ..`, the size of
 * each rank's communicator after a guided split by that type, first of all but the lowest, then of all.
 */
#include <mpi.h>
#include <stdio.h>

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

static void print_splits(MPI_Group group, const char *tag)
{
    static const char *const types[] = {"hwloc://Machine", "hwloc://Package", "hwloc://Core"};
    MPI_Comm comm;
    int rank, size, sizes[64];

    MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < 3; ++i) {
        int mine = size_of_split(comm, types[i]);
        MPI_Gather(&mine, 1, MPI_INT, sizes, 1, MPI_INT, 0, comm);
        if (0 == rank) {
            printf("%s:", types[i]);
            for (int j = 0; j < size; ++j) {
                printf(" %d", sizes[j]);
            }
            printf("\n");
            fflush(stdout);
        }
    }
    MPI_Comm_free(&comm);
}

int main(void)
{
    MPI_Session session;
    MPI_Group all, others;
    int rank, lowest = 0;

    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
    MPI_Group_rank(all, &rank);
    MPI_Group_excl(all, 1, &lowest, &others);
    if (rank != lowest) {
        print_splits(others, "hitopo.session_subset.others");
    }
    print_splits(all, "hitopo.session_subset.all");
    MPI_Group_free(&others);
    MPI_Group_free(&all);
    MPI_Session_finalize(&session);
    return 0;
}

#endif
