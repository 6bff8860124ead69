// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// MPI's functions in C.
#include "ompi/mpiext/hitopo/c/mpiext_hitopo_c.h"
#include "profiler/count/scope.h"

using namespace hitopo::profile;

#include "profiler/count/made_wrappers.h"
