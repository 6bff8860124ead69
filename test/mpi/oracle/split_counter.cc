// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/mpi/oracle/split_counter.h"

#include <dlfcn.h>
#include <mpi.h>

#include <atomic>

struct ompi_communicator_t;
struct opal_info_t;

namespace {

std::atomic<long> num_calls;

// Calls the next symbol of that name, and counts what it gives: a communicator, or an error. Names that
// HiTopo does not know go there for an answer that is none.
template <class Info>
int forward(const char* symbol, MPI_Comm comm, int split_type, int key, Info info, MPI_Comm* newcomm) {
    using Function = int (*)(MPI_Comm, int, int, Info, MPI_Comm*);
    const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, symbol));
    const int status = next != nullptr ? next(comm, split_type, key, info, newcomm) : MPI_ERR_INTERN;
    num_calls += status != MPI_SUCCESS || *newcomm != MPI_COMM_NULL ? 1 : 0;
    return status;
}

}  // namespace

extern "C" {

long split_counter_calls() { return num_calls; }

// In Open MPI's own tree, these are HiTopo.
#ifndef HITOPO_IN_TREE
// HiTopo calls it as one of a tool's, and is then called.
int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
    return PMPI_Comm_split_type(comm, split_type, key, info, newcomm);
}

int PMPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
    return forward("PMPI_Comm_split_type", comm, split_type, key, info, newcomm);
}
#endif

int ompi_comm_split_type(ompi_communicator_t* comm, int split_type, int key, opal_info_t* info,
                         ompi_communicator_t** newcomm) {
    return forward("ompi_comm_split_type", comm, split_type, key, info, newcomm);
}

}  // extern "C"
