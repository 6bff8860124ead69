/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile_registry.sh: communicators by every call that makes some, each registered under a name of its own,
 * and what registering means: late, ended, again, by some of the processes only, under a name twice. At least
 * four processes.
 *
 *     profile_communicators FOLDER [spawned]
 */
#include "test/mpi/profile/profile_trace.h"

static int value[64];
static const char *nothing = "";
static char *own_name;

/* Registers it, and leaves a call on it. */
static void use(MPI_Comm comm, const char *label)
{
    if (MPI_COMM_NULL == comm) {
        return;
    }
    trace_comm(comm, label, 1);
    CALL(MPI_Barrier, label, nothing, comm);
}

static void count_creation(const char *name, const char *parent)
{
    trace("call %s %s", name, parent);
}

#define WORLD "MPI_COMM_WORLD"

static void make_copies(void)
{
    MPI_Comm first, second, third, idup[2];
    MPI_Request requests[2];
    int flag;

    for (int i = 0; i < 2; ++i) {
        CALL(MPI_Comm_idup, WORLD, nothing, MPI_COMM_WORLD, &idup[i], &requests[i]);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    CALL(MPI_Comm_dup, WORLD, nothing, MPI_COMM_WORLD, &first);
    CALL(MPI_Comm_dup_with_info, WORLD, nothing, MPI_COMM_WORLD, MPI_INFO_NULL, &second);
    /* Registered and first used in another order than made, and than elsewhere. */
    use(second, "second");
    for (int i = 0; i < 2; ++i) {
        const int which = (rank + i) % 2;

        trace_comm(idup[which], 0 == which ? "idup0" : "idup1", 1);
        for (int times = 0; times <= which; ++times) {
            CALL(MPI_Iprobe, 0 == which ? "idup0" : "idup1", nothing, MPI_ANY_SOURCE, 0, idup[which], &flag,
                 MPI_STATUS_IGNORE);
        }
    }
    trace_comm(first, "first", 1);
    CALL(MPI_Comm_dup, "first", nothing, first, &third);
    use(third, "third");
    MPI_Comm_free(&third);
    MPI_Comm_free(&first);
    MPI_Comm_free(&second);
    MPI_Comm_free(&idup[0]);
    MPI_Comm_free(&idup[1]);
}

static void make_parts(void)
{
    MPI_Comm comm, inner;
    MPI_Group world, lower;
    int ranks[64];

    CALL(MPI_Comm_split, WORLD, nothing, MPI_COMM_WORLD, rank % 2, -rank, &comm);
    use(comm, 0 == rank % 2 ? "even" : "odd");
    CALL(MPI_Comm_split, 0 == rank % 2 ? "even" : "odd", nothing, comm, 0 == rank / 2 ? MPI_UNDEFINED : 0, 0, &inner);
    use(inner, 0 == rank % 2 ? "even-inner" : "odd-inner");
    if (MPI_COMM_NULL != inner) {
        MPI_Comm_free(&inner);
    }
    MPI_Comm_free(&comm);
    CALL(MPI_Comm_split_type, WORLD, nothing, MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm);
    use(comm, "shared");
    MPI_Comm_free(&comm);

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int i = 0; i < size / 2; ++i) {
        ranks[i] = i;
    }
    MPI_Group_incl(world, size / 2, ranks, &lower);
    CALL(MPI_Comm_create, WORLD, nothing, MPI_COMM_WORLD, lower, &comm);
    use(comm, "created");
    if (MPI_COMM_NULL != comm) {
        MPI_Comm_free(&comm);
    }
    MPI_Group_free(&lower);
    MPI_Group_free(&world);
}

/* Makes communicators of pairs that overlap: {0,1}, {1,2}, {2,3}, .. and back; each pair twice. */
static void make_of_groups(void)
{
    MPI_Group world, pair;
    MPI_Comm comm;
    char label[32];

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int times = 0; times < 2; ++times) {
        for (int i = 0; i + 1 < size; ++i) {
            const int lower = 0 == times ? i : size - 2 - i;
            const int ranks[2] = {lower, lower + 1};

            if (rank != lower && rank != lower + 1) {
                continue;
            }
            MPI_Group_incl(world, 2, ranks, &pair);
            CALL(MPI_Comm_create_group, WORLD, nothing, MPI_COMM_WORLD, pair, 5, &comm);
            snprintf(label, sizeof(label), "pair%d-%d", lower, times);
            use(comm, label);
            MPI_Comm_free(&comm);
            MPI_Group_free(&pair);
        }
    }
    MPI_Group_free(&world);
}

static void make_topologies(void)
{
    const int dims[2] = {2, size / 2}, periods[2] = {0, 0}, remain[2] = {0, 1}, index[4] = {1, 2, 3, 4},
              edges[4] = {1, 0, 3, 2};
    MPI_Comm grid, row, comm;
    char label[32];

    CALL(MPI_Cart_create, WORLD, nothing, MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
    use(grid, "grid");
    if (MPI_COMM_NULL != grid) {
        int own;
        MPI_Comm_rank(grid, &own);
        CALL(MPI_Cart_sub, "grid", nothing, grid, remain, &row);
        snprintf(label, sizeof(label), "row%d", own / (size / 2));
        use(row, label);
        MPI_Comm_free(&row);
        MPI_Comm_free(&grid);
    }
    CALL(MPI_Graph_create, WORLD, nothing, MPI_COMM_WORLD, 4, index, edges, 0, &comm);
    use(comm, "graph");
    if (MPI_COMM_NULL != comm) {
        MPI_Comm_free(&comm);
    }
}

static void make_intercommunicators(void)
{
    MPI_Comm half, inter, merged[2], copy;
    const int is_upper = rank >= size / 2;

    MPI_Comm_split(MPI_COMM_WORLD, is_upper, 0, &half);
    count_creation("MPI_Comm_split", WORLD);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_upper ? 0 : size / 2, 3, &inter);
    use(inter, is_upper ? "upper" : "lower");
    for (int i = 0; i < 2; ++i) {
        CALL(MPI_Intercomm_merge, is_upper ? "upper" : "lower", nothing, inter, is_upper, &merged[i]);
    }
    CALL(MPI_Comm_dup, is_upper ? "upper" : "lower", nothing, inter, &copy);
    use(copy, is_upper ? "upper-copy" : "lower-copy");
    /* One that nobody saw being made sooner here than there. */
    use(merged[1], "merged1");
    use(merged[0], "merged0");
    CALL(MPI_Bcast, "merged1", text("root=1 bytes=12"), value, 3, MPI_INT, 1, merged[1]);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&merged[0]);
    MPI_Comm_free(&merged[1]);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

/* Processes 0 and 1 spawn one each, and merge with it: two communicators of equal shape. */
static void spawn_each(void)
{
    MPI_Comm inter, merged;
    char *arguments[] = {"-", "spawned", NULL}, label[32];

    if (1 < rank) {
        return;
    }
    /* One after the other. */
    if (1 == rank) {
        CALL(MPI_Recv, WORLD, nothing, value, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Comm_spawn(own_name, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &inter, MPI_ERRCODES_IGNORE);
    snprintf(label, sizeof(label), "child%d", rank);
    use(inter, label);
    count_creation("MPI_Intercomm_merge", label);
    MPI_Intercomm_merge(inter, 0, &merged);
    snprintf(label, sizeof(label), "family%d", rank);
    use(merged, label);
    MPI_Comm_free(&merged);
    MPI_Comm_disconnect(&inter);
    if (0 == rank) {
        CALL(MPI_Send, WORLD, "dest=1 bytes=4", value, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
    }
}

static int be_spawned(void)
{
    MPI_Comm parent, merged;

    MPI_Comm_get_parent(&parent);
    MPI_Barrier(parent);
    MPI_Intercomm_merge(parent, 1, &merged);
    MPI_Barrier(merged);
    MPI_Comm_free(&merged);
    MPI_Comm_disconnect(&parent);
    MPI_Finalize();
    return EXIT_SUCCESS;
}

static void register_now_and_then(void)
{
    MPI_Comm comm, copy;

    CALL(MPI_Comm_dup, WORLD, nothing, MPI_COMM_WORLD, &comm);
    MPI_Barrier(comm); /* not yet */
    trace_comm(comm, "sometimes", 1);
    CALL(MPI_Bcast, "sometimes", "root=0 bytes=4", value, 1, MPI_INT, 0, comm);
    MPI_Comm_dup(comm, &copy);
    count_creation("MPI_Comm_dup", "sometimes");
    MPI_Barrier(copy); /* never */
    MPIX_Comm_unregister(comm);
    MPI_Bcast(value, 1, MPI_INT, 0, comm); /* not now */
    MPIX_Comm_register(comm, "other name");
    MPIX_Comm_register(comm, "sometimes");
    CALL(MPI_Bcast, "sometimes", "root=0 bytes=4", value, 1, MPI_INT, 0, comm);

    /* At two processes only; and where its counting is off. */
    if (2 > rank) {
        trace_comm(copy, "partly", 1);
        trace("call MPI_Barrier partly");
    }
    MPI_Barrier(copy);
    MPI_Pcontrol(0);
    MPI_Barrier(copy);
    MPI_Barrier(comm);
    MPI_Pcontrol(1);
    CALL(MPI_Barrier, "sometimes", nothing, comm);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&copy);
}

/* A request is made before, and started before, while and after its communicator is registered. */
static void start_now_and_then(void)
{
    MPI_Comm comm;
    MPI_Request requests[2];

    CALL(MPI_Comm_dup, WORLD, nothing, MPI_COMM_WORLD, &comm);
    MPI_Send_init(value, 2, MPI_INT, right, 0, comm, &requests[0]);
    MPI_Recv_init(value + 8, 2, MPI_INT, left, 0, comm, &requests[1]);
    for (int i = 0; i < 5; ++i) {
        if (1 == i) {
            trace_comm(comm, "started", 1);
        } else if (2 == i) {
            MPIX_Comm_unregister(comm);
        } else if (3 == i) {
            MPIX_Comm_register(comm, "started");
        } else if (4 == i) {
            MPI_Pcontrol(0);
        }
        if (1 == i || 3 == i) {
            trace("call MPI_Startall started dest=%d bytes=8", right);
            trace("call MPI_Startall started");
        }
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Pcontrol(1);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    MPI_Comm_free(&comm);
}

/* Registered, and no call on it. */
static void leave_alone(void)
{
    static MPI_Comm kept;
    MPI_Comm freed;

    CALL(MPI_Comm_dup, WORLD, nothing, MPI_COMM_WORLD, &freed);
    trace_comm(freed, "silent-freed", 1);
    MPI_Comm_free(&freed);
    CALL(MPI_Comm_dup, WORLD, nothing, MPI_COMM_WORLD, &kept);
    trace_comm(kept, "silent", 1);
}

int main(int argc, char **argv)
{
    own_name = argv[0];
    MPI_Init(&argc, &argv);
    if (2 < argc && 0 == strcmp(argv[2], "spawned")) {
        return be_spawned();
    }
    trace_begin(argc, argv);
    if (4 > size || NULL == MPIX_Comm_register) {
        fprintf(stderr, "at least four processes, with HiTopo\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    make_copies();
    make_parts();
    make_of_groups();
    make_topologies();
    make_intercommunicators();
    spawn_each();
    register_now_and_then();
    start_now_and_then();
    leave_alone();
    return trace_end();
}
