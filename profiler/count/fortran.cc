// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/count/fortran.h"

#include <dlfcn.h>

#include "profiler/job.h"

namespace hitopo::profile {

void* next_definition(const char* symbol) { return dlsym(RTLD_NEXT, symbol); }

const void* fortran_buffer(const void* argument, bool is_descriptor) {
    const void* const buffer = is_descriptor ? *static_cast<const void* const*>(argument) : argument;
    // A common block of Open MPI's, under one of a compiler's usual names for it.
    static const void* const in_place[] = {
        dlsym(RTLD_DEFAULT, "mpi_fortran_in_place_"), dlsym(RTLD_DEFAULT, "mpi_fortran_in_place"),
        dlsym(RTLD_DEFAULT, "mpi_fortran_in_place__"), dlsym(RTLD_DEFAULT, "MPI_FORTRAN_IN_PLACE")};
    for (const void* address : in_place) {
        if (buffer == address && address != nullptr) {
            return MPI_IN_PLACE;
        }
    }
    return buffer;
}

}  // namespace hitopo::profile

using hitopo::profile::control;
using hitopo::profile::next_definition;

// MPI_PCONTROL has no ierror, and in C any number of arguments: it does not fit the table.
extern "C" int MPI_Pcontrol(const int level, ...) {
    control(level);
    return PMPI_Pcontrol(level);
}

extern "C" void mpi_pcontrol_(const MPI_Fint* level) {
    control(*level);
    static void* const next = next_definition("mpi_pcontrol_");
    if (next != nullptr) {
        reinterpret_cast<void (*)(const MPI_Fint*)>(next)(level);
    }
}
extern "C" decltype(mpi_pcontrol_) mpi_pcontrol __attribute__((alias("mpi_pcontrol_")));
extern "C" decltype(mpi_pcontrol_)
    mpi_pcontrol__  // NOLINT(bugprone-reserved-identifier): as compilers name it
    __attribute__((alias("mpi_pcontrol_")));
extern "C" decltype(mpi_pcontrol_) MPI_PCONTROL __attribute__((alias("mpi_pcontrol_")));
extern "C" decltype(mpi_pcontrol_) mpi_pcontrol_f08_ __attribute__((alias("mpi_pcontrol_")));
