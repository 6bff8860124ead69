/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators with processes of several jobs, which are not in MPI_COMM_WORLD and have no table before they are split
 * or loaded: parents and spawned children merged, then two spawned jobs that connect to each other.
 */
/* ranks: 1 2 */
#include "test/mpi/checks.h"
#include "test/mpi/split/split_checks.h"

#define NUM_CHILDREN 2

/* All are on one machine; one process of `comm` has another key than the others. */
static void check_splits(MPI_Comm comm)
{
    const int key = 0 == rank_of(comm) ? 5 : rank_of(comm);
    MPI_Comm newcomm, of_newcomm;

    CHECK(MPI_SUCCESS == MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, key, MPI_INFO_NULL, &newcomm));
    CHECK(is_split_by(comm, newcomm, 0, key));
    of_newcomm = split_guided(newcomm, "hitopo://Node");
    CHECK(is_split_by(newcomm, of_newcomm, 0, 0));
    MPI_Comm_free(&of_newcomm);
    MPI_Comm_free(&newcomm);
    newcomm = split_guided(comm, "Machine");
    CHECK(is_split_by(comm, newcomm, 0, 0));
    free_comm(&newcomm);
    CHECK(MPI_SUCCESS == MPI_Comm_split_type(comm, MPIX_COMM_TYPE_ADDRESS_SPACE, 0, MPI_INFO_NULL, &newcomm));
    CHECK(is_split_by(comm, newcomm, rank_of(comm), 0));
    free_comm(&newcomm);
    newcomm = split_guided(comm, "no such type");
    CHECK(MPI_COMM_NULL == newcomm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    CHECK(MPI_ERR_ARG == class_of(MPI_Comm_split_type(comm, 4711, 0, MPI_INFO_NULL, &newcomm)));
}

/* The intercommunicator itself, before anything gave it a table: its sides' processes of one machine. */
static void check_between(MPI_Comm between)
{
    MPI_Comm newcomm = split_guided(between, "Machine");
    int num_remote = 0, num_remote_of_newcomm = -1;

    CHECK(MPI_COMM_NULL != newcomm);
    if (MPI_COMM_NULL != newcomm) {
        MPI_Comm_remote_size(between, &num_remote);
        MPI_Comm_remote_size(newcomm, &num_remote_of_newcomm);
        CHECK(num_remote == num_remote_of_newcomm && size_of(between) == size_of(newcomm));
        MPI_Comm_free(&newcomm);
    }
}

/* What ompi_hitopo_load makes, before any split. */
static void check_loaded(MPI_Comm comm, int num_rows)
{
    int32_t addr[HITOPO_NUM_LEVELS];

    CHECK(NULL == ompi_hitopo_get_addrs(inner(comm)));
    CHECK(-16 == ompi_hitopo_read_addr(inner(comm), 0, addr)); /* OMPI_ERR_NOT_AVAILABLE */
    CHECK(0 == ompi_hitopo_load(inner(comm)));
    int32_t **rows = ompi_hitopo_get_addrs(inner(comm));
    CHECK(NULL != rows && is_dense(rows, num_rows));
    for (int i = 0; NULL != rows && i < num_rows; ++i) {
        CHECK(rows[i][HITOPO_LEVEL_NODE] == 0); /* one machine, two jobs */
    }
}

/* is_loaded: before it is split. */
static void check_merged(MPI_Comm between, int is_high, int is_loaded)
{
    MPI_Comm merged;
    int num_remote;

    if (is_loaded) {
        MPI_Comm_remote_size(between, &num_remote);
        check_loaded(between, size_of(MPI_COMM_WORLD) + num_remote);
    } else {
        check_between(between);
    }
    MPI_Intercomm_merge(between, is_high, &merged);
    if (is_loaded) {
        check_loaded(merged, size_of(merged));
        CHECK(is_same_everywhere(merged, ompi_hitopo_get_addrs(inner(merged)), size_of(merged)));
    }
    check_splits(merged);
    MPI_Comm_free(&merged);
}

static MPI_Comm spawn(char *program, char *role)
{
    char *arguments[] = {role, NULL};
    MPI_Comm between;

    MPI_Comm_spawn(program, arguments, NUM_CHILDREN, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between, MPI_ERRCODES_IGNORE);
    return between;
}

/* The two children's jobs, over a port whose name their parents pass on. */
static void be_child(MPI_Comm parent, int is_accepting)
{
    char port[MPI_MAX_PORT_NAME] = "";
    const int is_root = 0 == rank_of(MPI_COMM_WORLD);
    MPI_Comm between;

    if (is_accepting && is_root) {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, parent);
    } else if (is_root) {
        MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, parent, MPI_STATUS_IGNORE);
    }
    if (is_accepting) {
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between);
    } else {
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &between);
    }
    check_merged(between, is_accepting, 0);
    MPI_Comm_disconnect(&between);
    if (is_accepting && is_root) {
        MPI_Close_port(port);
    }
}

static void be_parent(char *program)
{
    MPI_Comm accepting = spawn(program, "accept"), connecting = spawn(program, "connect");
    char port[MPI_MAX_PORT_NAME] = "";

    check_merged(accepting, 0, 1);
    check_merged(connecting, 0, 0);
    if (0 == rank_of(MPI_COMM_WORLD)) {
        MPI_Recv(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, accepting, MPI_STATUS_IGNORE);
        MPI_Send(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, 0, connecting);
    }
    MPI_Comm_disconnect(&accepting);
    MPI_Comm_disconnect(&connecting);
}

int main(int argc, char **argv)
{
    MPI_Comm parent;

    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    if (MPI_COMM_NULL == parent) {
        be_parent(argv[0]);
    } else {
        const int is_accepting = 0 == strcmp(argv[1], "accept");
        check_merged(parent, 1, is_accepting);
        be_child(parent, is_accepting);
        MPI_Comm_disconnect(&parent);
    }
    return finish();
}
