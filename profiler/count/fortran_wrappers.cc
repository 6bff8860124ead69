// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// MPI's functions as Fortran names them: mpif.h and use mpi, and mpi_f08. Open MPI's call PMPI_, so that
// those in C would not see them.
#include "profiler/count/fortran.h"
#include "profiler/count/scope.h"

using namespace hitopo::profile;

#include "profiler/count/made_fortran_wrappers.h"
