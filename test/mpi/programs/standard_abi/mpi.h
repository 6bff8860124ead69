/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * What program.c needs of MPI's standard ABI, with the values of MPI 5.0, appendix A. libmpi_abi.c makes the functions.
 */
#ifndef STANDARD_ABI_MPI_H
#define STANDARD_ABI_MPI_H

typedef struct MPI_ABI_Comm *MPI_Comm;
typedef struct MPI_ABI_Datatype *MPI_Datatype;
typedef struct MPI_ABI_Info *MPI_Info;
typedef struct MPI_ABI_Op *MPI_Op;
typedef struct MPI_ABI_Request *MPI_Request;
typedef struct MPI_Status MPI_Status;

#define MPI_COMM_WORLD ((MPI_Comm) 257)
#define MPI_COMM_SELF ((MPI_Comm) 258)
#define MPI_INFO_NULL ((MPI_Info) 304)
#define MPI_INT ((MPI_Datatype) 521)
#define MPI_STATUS_IGNORE ((MPI_Status *) 0)
enum { MPI_SUCCESS = 0, MPI_COMM_TYPE_SHARED = 221 };

int MPI_Init(int *argc, char ***argv);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm);
int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm);
int MPI_Comm_free(MPI_Comm *comm);
int MPI_Cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank);
int MPI_Graph_map(MPI_Comm comm, int nnodes, const int index[], const int edges[], int *newrank);
int MPI_Get_hw_resource_info(MPI_Info *hw_info);
int MPI_Info_free(MPI_Info *info);
int MPI_Send_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                  MPI_Request *request);
int MPI_Start(MPI_Request *request);
int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Wait(MPI_Request *request, MPI_Status *status);
int MPI_Request_free(MPI_Request *request);
int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm);
int MPI_Pcontrol(const int level, ...);
int MPI_Barrier(MPI_Comm comm);
int MPI_Finalize(void);

#define MPI_SUM ((MPI_Op) 33)

#endif
