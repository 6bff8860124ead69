/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile.sh: arguments that do not count at this process. Datatypes are then ones whose size nobody
 * may ask for, arrays lie where nobody may read, and counts are nonsense.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>

#include "profiler/test/mpi/profile/profile_program.h"

static int out[512], in[512], ones[64], places[64], zeros[64], num_asked;
static MPI_Aint wide_places[64];
static MPI_Datatype ints[64], strangers[64], stranger;
static int *const nowhere = (int *) 8;
static MPI_Datatype *const no_types = (MPI_Datatype *) 8;

/* The profiler's calls come here: the program stands before the libraries. */
static int ask(const char *function, MPI_Datatype datatype, MPI_Count *bytes)
{
    int (*next)(MPI_Datatype, MPI_Count *) = dlsym(RTLD_NEXT, function);

    if (datatype == stranger) {
        ++num_asked;
    }
    return next(datatype, bytes);
}

int PMPI_Type_size_x(MPI_Datatype datatype, MPI_Count *bytes)
{
    return ask("PMPI_Type_size_x", datatype, bytes);
}

#if MPI_VERSION >= 4
int PMPI_Type_size_c(MPI_Datatype datatype, MPI_Count *bytes)
{
    return ask("PMPI_Type_size_c", datatype, bytes);
}
#endif

/* After each part: says where the profiler looked. */
static void expect_unasked(const char *what)
{
    if (0 < num_asked) {
        fprintf(stderr, "rank %d: %s: the profiler asked for %d datatypes that do not count\n", rank, what, num_asked);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static void use_root(MPI_Comm comm, int root)
{
    const int is_root = rank == root;

    BOTH(MPI_Gather, MPI_Igather, is_root ? MPI_IN_PLACE : out, is_root ? -7 : 1, is_root ? stranger : MPI_INT,
         is_root ? in : nowhere, is_root ? 1 : -3, is_root ? MPI_INT : stranger, root, comm);
    BOTH(MPI_Gatherv, MPI_Igatherv, is_root ? MPI_IN_PLACE : out, is_root ? -7 : 1, is_root ? stranger : MPI_INT,
         is_root ? in : nowhere, is_root ? ones : nowhere, is_root ? places : nowhere, is_root ? MPI_INT : stranger,
         root, comm);
    BOTH(MPI_Scatter, MPI_Iscatter, is_root ? out : nowhere, is_root ? 1 : -3, is_root ? MPI_INT : stranger,
         is_root ? MPI_IN_PLACE : in, is_root ? -7 : 1, is_root ? stranger : MPI_INT, root, comm);
    BOTH(MPI_Scatterv, MPI_Iscatterv, is_root ? out : nowhere, is_root ? ones : nowhere, is_root ? places : nowhere,
         is_root ? MPI_INT : stranger, is_root ? MPI_IN_PLACE : in, is_root ? -7 : 1, is_root ? stranger : MPI_INT,
         root, comm);
}

static void use_in_place(MPI_Comm comm)
{
    MPI_Allgather(MPI_IN_PLACE, -9, stranger, in, 1, MPI_INT, comm);
    MPI_Allgatherv(MPI_IN_PLACE, -9, stranger, in, ones, places, MPI_INT, comm);
    MPI_Alltoall(MPI_IN_PLACE, -9, stranger, in, 1, MPI_INT, comm);
    MPI_Alltoallv(MPI_IN_PLACE, nowhere, nowhere, stranger, in, ones, places, MPI_INT, comm);
    MPI_Alltoallw(MPI_IN_PLACE, nowhere, nowhere, no_types, in, ones, places, ints, comm);
}

/* Where nothing goes, its type does not count. */
static void use_zero_counts(MPI_Comm comm)
{
    MPI_Request request;

    MPI_Sendrecv(out, 0, stranger, right, 0, in, 0, stranger, left, 0, comm, MPI_STATUS_IGNORE);
    MPI_Isend(out, 0, stranger, rank, 0, comm, &request);
    MPI_Recv(in, 0, stranger, rank, 0, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Bcast(out, 0, stranger, 0, comm);
    MPI_Alltoallv(out, zeros, places, stranger, in, zeros, places, stranger, comm);
    MPI_Alltoallw(out, zeros, places, strangers, in, zeros, places, strangers, comm);
}

static void use_nobody(MPI_Comm comm)
{
    MPI_Request request;

    MPI_Send(out, 5, stranger, MPI_PROC_NULL, 0, comm);
    MPI_Sendrecv(out, 5, stranger, MPI_PROC_NULL, 0, in, 5, stranger, MPI_PROC_NULL, 0, comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(in, 5, stranger, MPI_PROC_NULL, 0, MPI_PROC_NULL, 0, comm, MPI_STATUS_IGNORE);
    MPI_Send_init(out, 5, stranger, MPI_PROC_NULL, 0, comm, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

static void use_window(MPI_Comm comm)
{
    MPI_Request request;
    MPI_Win win;
    int *memory;

    MPI_Win_allocate(64, 4, MPI_INFO_NULL, comm, &memory, &win);
    MPI_Win_lock_all(0, win);
    MPI_Put(out, 1, stranger, MPI_PROC_NULL, 0, 1, stranger, win);
    MPI_Get(in, 1, stranger, MPI_PROC_NULL, 0, 1, stranger, win);
    MPI_Accumulate(out, 1, stranger, MPI_PROC_NULL, 0, 1, stranger, MPI_SUM, win);
    MPI_Get_accumulate(out, 1, stranger, in, 1, stranger, MPI_PROC_NULL, 0, 1, stranger, MPI_SUM, win);
    MPI_Rput(out, 1, stranger, MPI_PROC_NULL, 0, 1, stranger, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Get_accumulate(nowhere, 3, stranger, in, 1, MPI_INT, rank, 0, 1, MPI_INT, MPI_NO_OP, win);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

/* Beyond the borders of a line there is nobody; nor in a graph without edges. */
static void use_neighbours(void)
{
    const int dims[1] = {size}, periods[1] = {0}, below = 0 < rank, above = rank + 1 < size;
    MPI_Datatype types[2] = {below ? MPI_INT : stranger, above ? MPI_INT : stranger};
    int *volatile unweighted = MPI_UNWEIGHTED; /* the compiler takes it for an array to read */
    MPI_Comm comm;

    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &comm);
    MPI_Neighbor_alltoallw(out, ones, wide_places, types, in, ones, wide_places, types, comm);
    MPI_Comm_free(&comm);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, nowhere, unweighted, 0, nowhere, unweighted, MPI_INFO_NULL, 0,
                                   &comm);
    MPI_Neighbor_alltoall(nowhere, 1, stranger, nowhere, 1, stranger, comm);
    MPI_Neighbor_alltoallw(nowhere, nowhere, NULL, no_types, nowhere, nowhere, NULL, no_types, comm);
    MPI_Comm_free(&comm);
}

/* Even ranks against odd ones. Rank 0 is the root, and its side's others look on. */
static void use_intercommunicator(void)
{
    const int side = rank % 2, root = side ? 0 : 0 == rank ? MPI_ROOT : MPI_PROC_NULL;
    const int counts = MPI_PROC_NULL != root;
    MPI_Comm half, comm;

    if (2 > size) {
        return;
    }
    MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - side, 7, &comm);
    MPI_Bcast(counts ? out : nowhere, 1, counts ? MPI_INT : stranger, root, comm);
    MPI_Gather(counts ? out : nowhere, 1, side ? MPI_INT : stranger, counts ? in : nowhere, 1,
               0 == rank ? MPI_INT : stranger, root, comm);
    MPI_Gatherv(counts ? out : nowhere, 1, side ? MPI_INT : stranger, counts ? in : nowhere, 0 == rank ? ones : nowhere,
                0 == rank ? places : nowhere, 0 == rank ? MPI_INT : stranger, root, comm);
    MPI_Scatter(counts ? out : nowhere, 1, 0 == rank ? MPI_INT : stranger, counts ? in : nowhere, 1,
                side ? MPI_INT : stranger, root, comm);
    /* The type must fit the operation, says Open MPI. */
    MPI_Reduce(counts ? out : nowhere, counts ? in : nowhere, 1, MPI_INT, MPI_SUM, root, comm);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    MPI_Type_dup(MPI_INT, &stranger);
    for (int i = 0; i < 64; ++i) {
        ones[i] = 1;
        places[i] = 4 * i;
        wide_places[i] = 16 * i;
        ints[i] = MPI_INT;
        strangers[i] = stranger;
    }
    use_root(MPI_COMM_WORLD, 0);
    use_root(MPI_COMM_WORLD, size - 1);
    expect_unasked("roots");
    use_in_place(MPI_COMM_WORLD);
    expect_unasked("in place");
    use_zero_counts(MPI_COMM_WORLD);
    expect_unasked("zero counts");
    use_nobody(MPI_COMM_WORLD);
    expect_unasked("MPI_PROC_NULL");
    use_window(MPI_COMM_WORLD);
    expect_unasked("windows");
    use_neighbours();
    expect_unasked("neighbours");
    use_intercommunicator();
    expect_unasked("intercommunicators");
    MPI_Type_free(&stranger);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
