/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * For profile.sh: every kind of point-to-point call, on MPI_COMM_WORLD in a ring. For
 * profile_programs.sh those that Open MPI's own monitoring sees: all but persistent ones.
 *
 *     profile_messages [monitored]
 */
#include "test/mpi/profile/profile_program.h"

static int out[64], in[64];
static char room[1 << 16];

static void receive(void)
{
    MPI_Recv(in, 64, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send_in_all_modes(void)
{
    MPI_Request request, received;

#define SEND(function, count)                                           \
    do {                                                                \
        MPI_Irecv(in, 64, MPI_INT, left, 0, MPI_COMM_WORLD, &received); \
        MPI_Barrier(MPI_COMM_WORLD);                                    \
        function(out, count, MPI_INT, right, 0, MPI_COMM_WORLD);        \
        MPI_Wait(&received, MPI_STATUS_IGNORE);                         \
    } while (0)
#define ISEND(function, count)                                             \
    do {                                                                   \
        MPI_Irecv(in, 64, MPI_INT, left, 0, MPI_COMM_WORLD, &received);    \
        MPI_Barrier(MPI_COMM_WORLD);                                       \
        function(out, count, MPI_INT, right, 0, MPI_COMM_WORLD, &request); \
        MPI_Wait(&received, MPI_STATUS_IGNORE);                            \
        MPI_Wait(&request, MPI_STATUS_IGNORE);                             \
    } while (0)

    SEND(MPI_Send, 1);
    SEND(MPI_Send, 0); /* an empty message is one */
    SEND(MPI_Ssend, 3);
    SEND(MPI_Bsend, 4);
    SEND(MPI_Rsend, 5);
    ISEND(MPI_Isend, 6);
    ISEND(MPI_Issend, 7);
    ISEND(MPI_Ibsend, 8);
    ISEND(MPI_Irsend, 9);
}

static void send_and_receive(void)
{
    MPI_Sendrecv(out, 10, MPI_INT, right, 0, in, 64, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv_replace(out, 11, MPI_INT, left, 0, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(out, 1, MPI_DOUBLE, rank, 0, in, 64, MPI_INT, rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE); /* with itself */
}

static void send_to_nobody(void)
{
    MPI_Request request;

    MPI_Send(out, 64, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Isend(out, 64, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Sendrecv(out, 64, MPI_INT, MPI_PROC_NULL, 0, in, 64, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Recv(in, 64, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void probe(void)
{
    MPI_Message message;
    MPI_Request sent, request;
    int flag;

    for (int i = 0; i < 4; ++i) {
        MPI_Isend(out, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &sent);
        switch (i) {
        case 0:
            MPI_Probe(left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            receive();
            break;
        case 1:
            for (flag = 0; !flag;) {
                MPI_Iprobe(left, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
            }
            receive();
            break;
        case 2:
            MPI_Mprobe(left, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
            MPI_Mrecv(in, 64, MPI_INT, &message, MPI_STATUS_IGNORE);
            break;
        default:
            for (flag = 0; !flag;) {
                MPI_Improbe(left, 0, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
            }
            MPI_Imrecv(in, 64, MPI_INT, &message, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
    }
}

static void use_self(void)
{
    MPI_Message message;
    MPI_Request sent;

    MPI_Sendrecv(out, 1, MPI_INT, 0, 0, in, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Isend(out, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &sent);
    MPI_Mprobe(0, 0, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(in, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

static void persist(void)
{
    MPI_Request send[5], receiver;

    MPI_Send_init(out, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &send[0]);
    MPI_Ssend_init(out, 2, MPI_INT, right, 0, MPI_COMM_WORLD, &send[1]);
    MPI_Bsend_init(out, 3, MPI_INT, right, 0, MPI_COMM_WORLD, &send[2]);
    MPI_Rsend_init(out, 4, MPI_INT, right, 0, MPI_COMM_WORLD, &send[3]);
    MPI_Send_init(out, 5, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &send[4]);
    MPI_Recv_init(in, 64, MPI_INT, left, 0, MPI_COMM_WORLD, &receiver);
    for (int i = 0; i < 4; ++i) {
        for (int times = 0; times <= i; ++times) {
            MPI_Start(&receiver);
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Start(&send[i]);
            MPI_Wait(&send[i], MPI_STATUS_IGNORE);
            MPI_Wait(&receiver, MPI_STATUS_IGNORE);
        }
    }
    MPI_Request both[3] = {receiver, send[0], send[4]};
    MPI_Startall(3, both);
    MPI_Waitall(3, both, MPI_STATUSES_IGNORE);
    MPI_Request_free(&receiver);
    for (int i = 0; i < 5; ++i) {
        MPI_Request_free(&send[i]);
    }
}

/* Handles of freed datatypes come back with other sizes. */
static void send_derived(void)
{
    MPI_Datatype type, pair;
    MPI_Request received;

    for (int i = 1; i <= 8; ++i) {
        MPI_Type_vector(i, 1, 2, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Irecv(in, 64, MPI_INT, left, 0, MPI_COMM_WORLD, &received);

        MPI_Send(out, 1, type, right, 0, MPI_COMM_WORLD);
        MPI_Wait(&received, MPI_STATUS_IGNORE);
        MPI_Type_free(&type);
    }
    MPI_Type_create_resized(MPI_SHORT, 0, 64, &type); /* its extent sends nothing */
    MPI_Type_contiguous(2, type, &pair);
    MPI_Type_commit(&pair);
    MPI_Sendrecv(out, 1, pair, right, 0, in, 64, MPI_SHORT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&pair);
    MPI_Type_free(&type);
    MPI_Sendrecv(out, 1, MPI_DOUBLE_INT, right, 0, in, 64, MPI_DOUBLE_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    void *detached;
    int length;

    begin(&argc, &argv);
    MPI_Buffer_attach(room, sizeof(room));
    send_in_all_modes();
    send_and_receive();
    send_to_nobody();
    probe();
    send_derived();
    if (1 == argc) {
        persist();
        use_self();
    }
    MPI_Buffer_detach(&detached, &length);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
