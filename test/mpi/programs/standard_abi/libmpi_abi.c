/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * A libmpi_abi that only tells what it is called with, a line a call on stdout, and answers what nobody else would. As
 * in Open MPI's, each function is a PMPI_ function with a weak MPI_ name.
 */
#include "mpi.h"

#include <stdint.h>
#include <stdio.h>

#define DEFINE(name, parameters, ...) \
    int P##name parameters;           \
    int P##name parameters            \
    {                                 \
        __VA_ARGS__;                  \
        return MPI_SUCCESS;           \
    }                                 \
    int name parameters __attribute__((weak, alias("P" #name)));

#define NUMBER(handle) ((int) (intptr_t) (handle))

DEFINE(MPI_Init, (int *argc, char ***argv), printf("MPI_Init %d %s\n", *argc, (*argv)[*argc - 1]))
DEFINE(MPI_Comm_rank, (MPI_Comm comm, int *rank), printf("MPI_Comm_rank %d\n", NUMBER(comm)); *rank = 0)
DEFINE(MPI_Comm_size, (MPI_Comm comm, int *size), printf("MPI_Comm_size %d\n", NUMBER(comm)); *size = 1)
DEFINE(MPI_Comm_dup, (MPI_Comm comm, MPI_Comm *newcomm), printf("MPI_Comm_dup %d\n", NUMBER(comm));
       *newcomm = (MPI_Comm) 7001)
DEFINE(MPI_Comm_split_type, (MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm),
       printf("MPI_Comm_split_type %d %d %d %d\n", NUMBER(comm), split_type, key, NUMBER(info));
       *newcomm = (MPI_Comm) 7002)
DEFINE(MPI_Comm_free, (MPI_Comm * comm), printf("MPI_Comm_free %d\n", NUMBER(*comm)); *comm = (MPI_Comm) 256)
DEFINE(MPI_Cart_map, (MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank),
       printf("MPI_Cart_map %d %d %d %d\n", NUMBER(comm), ndims, dims[0], periods[0]);
       *newrank = 0)
DEFINE(MPI_Graph_map, (MPI_Comm comm, int nnodes, const int index[], const int edges[], int *newrank),
       printf("MPI_Graph_map %d %d %d %d\n", NUMBER(comm), nnodes, index[0], edges[0]);
       *newrank = 0)
DEFINE(MPI_Get_hw_resource_info, (MPI_Info * hw_info), printf("MPI_Get_hw_resource_info\n"); *hw_info = (MPI_Info) 7003)
DEFINE(MPI_Info_free, (MPI_Info * info), printf("MPI_Info_free %d\n", NUMBER(*info)); *info = MPI_INFO_NULL)
DEFINE(MPI_Send_init,
       (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request),
       (void) buf;
       printf("MPI_Send_init %d %d %d %d %d\n", count, NUMBER(datatype), dest, tag, NUMBER(comm));
       *request = (MPI_Request) 7004)
DEFINE(MPI_Start, (MPI_Request * request), printf("MPI_Start %d\n", NUMBER(*request)))
DEFINE(MPI_Recv, (void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status),
       (void) status;
       printf("MPI_Recv %d %d %d %d %d\n", count, NUMBER(datatype), source, tag, NUMBER(comm)); *(int *) buf = 42)
DEFINE(MPI_Wait, (MPI_Request * request, MPI_Status *status), (void) status; printf("MPI_Wait %d\n", NUMBER(*request)))
DEFINE(MPI_Request_free, (MPI_Request * request), printf("MPI_Request_free %d\n", NUMBER(*request));
       *request = (MPI_Request) 384)
DEFINE(MPI_Allreduce, (const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm),
       printf("MPI_Allreduce %d %d %d %d\n", count, NUMBER(datatype), NUMBER(op), NUMBER(comm));
       *(int *) recvbuf = *(const int *) sendbuf)
DEFINE(MPI_Pcontrol, (const int level, ...), printf("MPI_Pcontrol %d\n", level))
DEFINE(MPI_Barrier, (MPI_Comm comm), printf("MPI_Barrier %d\n", NUMBER(comm)))
DEFINE(MPI_Finalize, (void), printf("MPI_Finalize\n"))
