// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/mpi/oracle/split_counter.h"

#include <dlfcn.h>
#include <mpi.h>

#include <atomic>

struct ompi_communicator_t;
struct opal_info_t;

namespace {

std::atomic<long> num_calls;

// Counts, and calls the next symbol of that name.
template <class... Arguments>
int forward(const char* symbol, Arguments... arguments) {
    ++num_calls;
    using Function = int (*)(Arguments...);
    const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, symbol));
    return next != nullptr ? next(arguments...) : MPI_ERR_INTERN;
}

}  // namespace

extern "C" {

long split_counter_calls() { return num_calls; }

// In Open MPI's own tree, these are HiTopo.
#ifndef HITOPO_IN_TREE
int MPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
    return forward("MPI_Comm_split_type", comm, split_type, key, info, newcomm);
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
