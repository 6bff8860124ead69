/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile.sh: waits for requests of each kind: of a communicator that is gone, persistent ones that are not active,
 * none at all, and what is of no communicator. Each process calls itself.
 */
#include "profiler/test/mpi/profile/profile_program.h"

static int out[16], in[16];
static MPI_Comm comm;
static MPI_Request requests[4];

static void receive(MPI_Request *request, int tag, MPI_Comm of)
{
    MPI_Irecv(in + tag, 1, MPI_INT, 0, tag, of, request);
}

static void send(int tag, MPI_Comm to)
{
    MPI_Send(out, 1, MPI_INT, 0, tag, to);
}

/* The same address may be another communicator's then. */
static void use_freed(void)
{
    MPI_Comm gone, next[8];

    MPI_Comm_split(MPI_COMM_SELF, 0, 0, &gone);
    receive(&requests[0], 1, gone);
    receive(&requests[1], 2, gone);
    send(1, gone);
    send(2, gone);
    MPI_Comm_free(&gone);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    for (int i = 0; i < 8; ++i) {
        MPI_Comm_dup(MPI_COMM_SELF, &next[i]);
    }
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    for (int i = 0; i < 8; ++i) {
        MPI_Comm_free(&next[i]);
    }
}

static void use_persistent(void)
{
    int flag, index;

    MPI_Recv_init(in, 1, MPI_INT, 0, 0, comm, &requests[0]);
    MPI_Send_init(out, 1, MPI_INT, 0, 0, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /* not active */
    MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; ++i) {
        MPI_Start(&requests[0]);
        MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
        MPI_Start(&requests[1]);
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    }
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
}

static int query(void *state, MPI_Status *status)
{
    (void) state;
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int nothing(void *state)
{
    (void) state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int is_complete)
{
    (void) is_complete;
    return nothing(state);
}

/* Behind each what is of a communicator: it is the first that tells. */
static void use_of_nobody(const char *path)
{
    MPI_File file;
    MPI_Win win;

    for (int has_more = 0; has_more < 2; ++has_more) {
        requests[0] = requests[1] = MPI_REQUEST_NULL;
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        MPI_Grequest_start(query, nothing, cancel, NULL, &requests[0]);
        MPI_Grequest_complete(requests[0]);
        receive(&requests[1], 3, comm);
        send(3, comm);
        MPI_Waitall(1 + has_more, requests, MPI_STATUSES_IGNORE);
        if (!has_more) {
            MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        }
        MPI_Isend(out, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &requests[0]);
        MPI_Irecv(in, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &requests[1]);
        receive(&requests[2], 4, comm);
        send(4, comm);
        MPI_Waitall(2 + has_more, requests, MPI_STATUSES_IGNORE);
        if (!has_more) {
            MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
        }
    }
    MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_iwrite_at(file, 0, out, 16, MPI_INT, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_File_iread_at(file, 0, in, 8, MPI_INT, &requests[0]);
    MPI_Waitall(1, requests, MPI_STATUSES_IGNORE);
    MPI_File_close(&file);
    MPI_Win_create(in, sizeof(in), 1, MPI_INFO_NULL, comm, &win);
    MPI_Win_lock_all(0, win);
    MPI_Rput(out, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

/* A complete request that names MPI_COMM_WORLD may be of any communicator. */
static void use_several(void)
{
    MPI_Irecv(in, 1, MPI_INT, rank, 5, MPI_COMM_WORLD, &requests[0]);
    receive(&requests[1], 6, comm);
    MPI_Send(out, 1, MPI_INT, rank, 5, MPI_COMM_WORLD);
    send(6, comm);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    receive(&requests[0], 7, comm);
    receive(&requests[1], 7, MPI_COMM_SELF);
    send(7, comm);
    send(7, MPI_COMM_SELF);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

/* Beyond four steps a kind forgets where it came from. */
static void use_chain(void)
{
    MPI_Comm last = MPI_COMM_SELF, next;

    for (int i = 0; i < 8; ++i) {
        MPI_Comm_split(last, 0, 0, &next);
        MPI_Barrier(next);
        if (0 < i) {
            MPI_Comm_free(&last);
        }
        last = next;
    }
    MPI_Comm_free(&last);
}

int main(int argc, char **argv)
{
    char path[4096];

    begin(&argc, &argv);
    MPI_Comm_idup(MPI_COMM_SELF, &comm, &requests[0]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    snprintf(path, sizeof(path), "%s/file.%d", 1 < argc ? argv[1] : ".", rank);
    use_freed();
    use_persistent();
    use_of_nobody(path);
    use_several();
    use_chain();
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
