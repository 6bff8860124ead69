/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * mpicc -c 04-missing-header.c
 * Debian does not ship ompi/mpi/fortran/base/fint_2_int.h, which op.h includes.
 */
#include "ompi_config.h"
#include "ompi/op/op.h"
