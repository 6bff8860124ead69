/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The registry's functions for programs that are not linked with HiTopo: null where it is not preloaded.
 */
#ifndef TEST_MPI_SHORT_NAMES_H
#define TEST_MPI_SHORT_NAMES_H

#include <mpi.h>

#pragma weak Comm_register
#pragma weak Comm_unregister
#pragma weak Comm_is_registered
int Comm_register(MPI_Comm comm, char *name);
int Comm_unregister(MPI_Comm comm);
int Comm_is_registered(MPI_Comm comm);

#endif
