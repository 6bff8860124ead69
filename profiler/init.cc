// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// MPI's begin and end by their other names: a tool that stands before the profiler calls PMPI_Init, and
// would leave it unaware of the job. From our own wrappers these are nested calls.
#include "profiler/count/fortran.h"
#include "profiler/count/scope.h"

using hitopo::profile::next_definition;
using hitopo::profile::Scope;

namespace {

template <class... Arguments>
int call_next(const char* name, Arguments... arguments) {
    void* const next = next_definition(name);
    return next == nullptr ? MPI_ERR_OTHER : reinterpret_cast<int (*)(Arguments...)>(next)(arguments...);
}

template <class Call>
int init(hitopo::profile::Function function, Call&& call) {
    Scope scope(function);
    if (scope.is_outermost()) {
        scope.enter_init();
    }
    const int rc = call();
    if (scope.is_outermost() && rc == MPI_SUCCESS) {
        scope.leave_init();
    }
    return rc;
}

}  // namespace

extern "C" int PMPI_Init(int* argc, char*** argv) {
    return init(hitopo::profile::kMPI_Init, [&] { return call_next("PMPI_Init", argc, argv); });
}

extern "C" int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    return init(hitopo::profile::kMPI_Init_thread,
                [&] { return call_next("PMPI_Init_thread", argc, argv, required, provided); });
}

extern "C" int PMPI_Finalize() {
    Scope scope(hitopo::profile::kMPI_Finalize);
    if (scope.is_outermost()) {
        scope.finalize();
    }
    return call_next("PMPI_Finalize");
}
