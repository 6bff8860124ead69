/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The registry's functions for programs that are not linked with HiTopo: null where it is not preloaded.
 */
#ifndef TEST_MPI_REGISTRY_WEAK_REGISTRY_H
#define TEST_MPI_REGISTRY_WEAK_REGISTRY_H

#include <mpi.h>

#pragma weak MPIX_Comm_register
#pragma weak MPIX_Comm_unregister
#pragma weak MPIX_Comm_is_registered
int MPIX_Comm_register(MPI_Comm comm, const char *name);
int MPIX_Comm_unregister(MPI_Comm comm);
int MPIX_Comm_is_registered(MPI_Comm comm);

#endif
