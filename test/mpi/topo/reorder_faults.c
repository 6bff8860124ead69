/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Grids and graphs with reorder = 1 where things are out of the ordinary, for reorder_faults.sh:
 *     reorder_faults threads NUM    in four threads at the same time, NUM of each
 *     reorder_faults spawn NUM      with NUM spawned processes, and among these
 * All neighbours have to be right. Of `spawn` a line tells whether ranks stayed.
 */
#include "test/mpi/topo/reorder.h"

#include <pthread.h>

enum { NUM_THREADS = 4 };

static int num_rounds;

static int stays(MPI_Comm old, MPI_Comm made)
{
    int before, after, is_same, are_same;

    MPI_Comm_rank(old, &before);
    MPI_Comm_rank(made, &after);
    is_same = before == after;
    MPI_Allreduce(&is_same, &are_same, 1, MPI_INT, MPI_LAND, made);
    return are_same;
}

static int try_grid(MPI_Comm comm)
{
    int size, dims[2] = {0, 0}, sources[4];
    const int periods[2] = {1, 1};
    MPI_Comm cart;

    MPI_Comm_size(comm, &size);
    MPI_Dims_create(size, 2, dims);
    CHECK(MPI_SUCCESS == MPI_Cart_create(comm, 2, dims, periods, 1, &cart));
    for (int d = 0; d < 2; ++d) {
        MPI_Cart_shift(cart, d, 1, &sources[2 * d], &sources[2 * d + 1]);
    }
    /* where both neighbours are one process, what it sends to its other side comes from here */
    if (2 < dims[1] && 2 < dims[0]) {
        check_neighbours(cart, 4, sources, 4);
    }
    const int is_same = stays(comm, cart);
    MPI_Comm_free(&cart);
    return is_same;
}

/* Each vertex v sends to 5 v + 1 modulo size, which is a permutation where 5 does not divide the size. */
static int try_ring(MPI_Comm comm, int is_adjacent)
{
    int size, rank, one = 1, source = 0;
    MPI_Comm graph;

    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    int target = (5 * rank + 1) % size;
    while ((5 * source + 1) % size != rank) {
        ++source;
    }
    if (is_adjacent) {
        CHECK(MPI_SUCCESS
              == MPI_Dist_graph_create_adjacent(comm, 1, &source, unweighted(), 1, &target, unweighted(), MPI_INFO_NULL,
                                                1, &graph));
    } else {
        CHECK(MPI_SUCCESS
              == MPI_Dist_graph_create(comm, 1, &rank, &one, &target, unweighted(), MPI_INFO_NULL, 1, &graph));
    }
    MPI_Comm_rank(graph, &rank);
    for (source = 0; (5 * source + 1) % size != rank;) {
        ++source;
    }
    check_neighbours(graph, 1, &source, 1);
    const int is_same = stays(comm, graph);
    MPI_Comm_free(&graph);
    return is_same;
}

static int try_all(MPI_Comm comm)
{
    const int is_grid = try_grid(comm), is_ring = try_ring(comm, 0);

    return try_ring(comm, 1) && is_ring && is_grid;
}

/* ---- threads ---- */

static void *work(void *argument)
{
    MPI_Comm *comm = argument;

    for (int i = 0; i < num_rounds; ++i) {
        (void) try_all(*comm);
    }
    return NULL;
}

static void try_threads(void)
{
    pthread_t threads[NUM_THREADS];
    MPI_Comm comms[NUM_THREADS];

    for (int i = 0; i < NUM_THREADS; ++i) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    }
    (void) try_grid(MPI_COMM_WORLD); /* Open MPI opens its framework topo in one thread only (docs/upstream.md, 54) */
    for (int i = 0; i < NUM_THREADS; ++i) {
        CHECK(0 == pthread_create(&threads[i], NULL, work, &comms[i]));
    }
    for (int i = 0; i < NUM_THREADS; ++i) {
        pthread_join(threads[i], NULL);
        MPI_Comm_free(&comms[i]);
    }
}

/* ---- processes of two jobs ---- */

static void tell(const char *what, MPI_Comm comm)
{
    int rank;
    const int is_same = try_all(comm);

    MPI_Comm_rank(comm, &rank);
    if (0 == rank) {
        printf("%s: ranks %s\n", what, is_same ? "stay" : "change");
        fflush(stdout);
    }
}

static void try_spawn(char **argv)
{
    MPI_Comm parent, between, merged, again;

    MPI_Comm_get_parent(&parent);
    const int is_child = MPI_COMM_NULL != parent;
    if (is_child) {
        between = parent;
    } else {
        MPI_Comm_spawn(argv[0], argv + 1, num_rounds, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between, MPI_ERRCODES_IGNORE);
    }
    MPI_Intercomm_merge(between, is_child, &merged);
    tell("merged", merged);
    MPI_Comm_split(merged, is_child, 0, &again); /* of one job each */
    tell(is_child ? "spawned, split" : "spawning, split", again);
    tell(is_child ? "spawned" : "spawning", MPI_COMM_WORLD);
    MPI_Comm_free(&again);
    MPI_Comm_free(&merged);
    MPI_Comm_disconnect(&between);
}

int main(int argc, char **argv)
{
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    num_rounds = 3 == argc ? atoi(argv[2]) : 0;
    if (3 == argc && 0 == strcmp(argv[1], "threads")) {
        if (provided < MPI_THREAD_MULTIPLE) {
            printf("no threads\n");
        } else {
            try_threads();
        }
    } else if (3 == argc && 0 == strcmp(argv[1], "spawn")) {
        try_spawn(argv);
    } else {
        fprintf(stderr, "usage: reorder_faults threads NUM | spawn NUM\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Finalize();
    return 0;
}
