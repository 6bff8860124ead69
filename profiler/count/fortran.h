// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What Fortran passes, as C has it: for the wrappers that wrappers.awk makes.
#ifndef PROFILER_COUNT_FORTRAN_H
#define PROFILER_COUNT_FORTRAN_H

#include <mpi.h>

#include <cstddef>

namespace hitopo::profile {

static_assert(sizeof(MPI_Fint) == sizeof(int), "arrays of INTEGER are read as arrays of int");

// The definition of this Fortran name that comes after ours; null where there is none.
void* next_definition(const char* symbol);

// MPI_IN_PLACE for Fortran's, else the buffer. A descriptor (ISO C's CFI_cdesc_t) begins with its
// address.
const void* fortran_buffer(const void* argument, bool is_descriptor);

inline void convert(MPI_Fint number, int& to) { to = number; }
inline void convert(MPI_Fint handle, MPI_Comm& to) { to = PMPI_Comm_f2c(handle); }
inline void convert(MPI_Fint handle, MPI_Datatype& to) { to = PMPI_Type_f2c(handle); }
inline void convert(MPI_Fint handle, MPI_Group& to) { to = PMPI_Group_f2c(handle); }
inline void convert(MPI_Fint handle, MPI_Message& to) { to = PMPI_Message_f2c(handle); }
inline void convert(MPI_Fint handle, MPI_Op& to) { to = PMPI_Op_f2c(handle); }
inline void convert(MPI_Fint handle, MPI_Request& to) { to = PMPI_Request_f2c(handle); }
inline void convert(MPI_Fint handle, MPI_Win& to) { to = PMPI_Win_f2c(handle); }

// An argument that is passed by reference: a number, or the integer of a handle.
template <class T>
T from_fortran(const void* argument) {
    T value;
    convert(*static_cast<const MPI_Fint*>(argument), value);
    return value;
}

// An array of handles.
template <class Handle>
class FortranArray {
public:
    explicit FortranArray(const void* argument) : integers_(static_cast<const MPI_Fint*>(argument)) {}
    Handle operator[](std::size_t i) const { return from_fortran<Handle>(integers_ + i); }

private:
    const MPI_Fint* integers_;
};

}  // namespace hitopo::profile

#endif
