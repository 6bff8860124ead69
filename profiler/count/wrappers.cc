// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// MPI's functions, in C and as Fortran names them: mpif.h and use mpi, and mpi_f08. Open MPI's call
// PMPI_, so that those in C would not see them.
#include <dlfcn.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <type_traits>

#include "ompi/mpiext/hitopo/c/mpiext_hitopo_c.h"
#include "profiler/count/call.h"
#include "profiler/job.h"

using namespace hitopo::profile;

namespace {

// The definition of this name that comes after ours; null where there is none.
void* next_definition(const char* symbol) { return dlsym(RTLD_NEXT, symbol); }

template <class... Arguments>
void call_fortran(void* next, Arguments... arguments) {
    if (next != nullptr) {
        reinterpret_cast<void (*)(Arguments...)>(next)(arguments...);
    }
}

// MPI_IN_PLACE for Fortran's, else the buffer. A descriptor (ISO C's CFI_cdesc_t) begins with its
// address.
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

// ---- Fortran's arguments, as C has them ----

static_assert(sizeof(MPI_Fint) == sizeof(int), "INTEGER is read as int");

inline void convert(MPI_Fint handle, MPI_Comm& to) { to = PMPI_Comm_f2c(handle); }
inline void convert(MPI_Fint handle, MPI_Datatype& to) { to = PMPI_Type_f2c(handle); }
inline void convert(MPI_Fint handle, MPI_Message& to) { to = PMPI_Message_f2c(handle); }
inline void convert(MPI_Fint handle, MPI_Op& to) { to = PMPI_Op_f2c(handle); }
inline void convert(MPI_Fint handle, MPI_Request& to) { to = PMPI_Request_f2c(handle); }
inline void convert(MPI_Fint handle, MPI_Win& to) { to = PMPI_Win_f2c(handle); }

// An argument that is passed by reference: a number, or the integer of a handle.
template <class T>
T from_fortran(const void* argument) {
    if constexpr (std::is_integral_v<T>) {
        return *static_cast<const T*>(argument);
    } else {
        T value;
        convert(*static_cast<const MPI_Fint*>(argument), value);
        return value;
    }
}

// An array of handles.
template <class Handle>
class FortranArray {
public:
    explicit FortranArray(const void* argument) : integers_(static_cast<const MPI_Fint*>(argument)) {}
    Handle operator[](std::size_t i) const { return from_fortran<Handle>(integers_ + i); }
    const MPI_Fint* integers() const { return integers_; }

private:
    const MPI_Fint* integers_;
};

// A string without the blanks that fill the variable; null where memory is short. Some compilers pass
// lengths of int.
class FortranString {
public:
    FortranString(const void* argument, int length) {
        const auto* const text = static_cast<const char*>(argument);
        while (length > 0 && text[length - 1] == ' ') {
            --length;
        }
        text_.reset(strndup(text, static_cast<std::size_t>(length)));
    }
    operator const char*() const { return text_.get(); }

private:
    std::unique_ptr<char, decltype(&std::free)> text_{nullptr, std::free};
};

// ---- names of calls.table ----

constexpr const MPI_Request* no_requests = nullptr;

}  // namespace

#pragma GCC visibility push(default)

#include "profiler/count/made_fortran_wrappers.h"
#include "profiler/count/made_wrappers.h"

// MPI_PCONTROL has no ierror, and in C any number of arguments: it does not fit the table.
extern "C" int MPI_Pcontrol(const int level, ...) {
    control(level);
    return PMPI_Pcontrol(level);
}

extern "C" void mpi_pcontrol_(const MPI_Fint* level) {
    control(*level);
    static void* const next = next_definition("mpi_pcontrol_");
    call_fortran(next, level);
}
extern "C" decltype(mpi_pcontrol_) mpi_pcontrol __attribute__((alias("mpi_pcontrol_")));
extern "C" decltype(mpi_pcontrol_)
    mpi_pcontrol__  // NOLINT(bugprone-reserved-identifier): as compilers name it
    __attribute__((alias("mpi_pcontrol_")));
extern "C" decltype(mpi_pcontrol_) MPI_PCONTROL __attribute__((alias("mpi_pcontrol_")));
extern "C" decltype(mpi_pcontrol_) mpi_pcontrol_f08_ __attribute__((alias("mpi_pcontrol_")));

// ---- MPI's begin and end by their other names ----
//
// A tool that stands before the profiler calls PMPI_Init, and would leave it unaware of the job. From
// our own wrappers these are nested calls.

namespace {

template <class... Arguments>
int call_next(const char* name, Arguments... arguments) {
    void* const next = next_definition(name);
    return next == nullptr ? MPI_ERR_OTHER : reinterpret_cast<int (*)(Arguments...)>(next)(arguments...);
}

template <class... Arguments>
int init(Function function, const char* name, Arguments... arguments) {
    Call call(function);
    if (call.is_outermost()) {
        call.enter_init();
    }
    const int rc = call_next(name, arguments...);
    if (call.is_outermost() && rc == MPI_SUCCESS) {
        call.leave_init();
    }
    return rc;
}

}  // namespace

extern "C" int PMPI_Init(int* argc, char*** argv) { return init(kMPI_Init, "PMPI_Init", argc, argv); }

extern "C" int PMPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
    return init(kMPI_Init_thread, "PMPI_Init_thread", argc, argv, required, provided);
}

extern "C" int PMPI_Finalize() {
    Call call(kMPI_Finalize);
    if (call.is_outermost()) {
        call.finalize();
    }
    const int rc = call_next("PMPI_Finalize");
    if (call.is_outermost() && rc == MPI_SUCCESS) {
        call.leave_finalize();
    }
    return rc;
}

#pragma GCC visibility pop
