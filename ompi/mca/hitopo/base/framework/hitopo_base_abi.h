/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Programs of MPI's standard ABI (MPI 5.0, chapter 20): same functions, other handles. Their library, libmpi_abi,
 * stands on the same Open MPI as libmpi, so HiTopo can come into such a process by LD_PRELOAD or the hook. It then
 * stays out: a handle of theirs is none of ours. In tree it serves them: libmpi_abi's own functions convert handles.
 */
#ifndef OMPI_MCA_HITOPO_BASE_ABI_H
#define OMPI_MCA_HITOPO_BASE_ABI_H

#include <stdbool.h>

#include "ompi/mca/hitopo/support/noexcept.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)
/* Looks whether the process has a libmpi_abi now, loaded however; for MPI_Init, MPI_Session_init and functions that may
 * be called before them. Returns ompi_hitopo_base_stays_out(). Yes stays yes, and is printed once on stderr where
 * OMPI_MCA_hitopo_base_verbose is set to more than 0. Calls nothing of MPI. Local; thread safe. */
bool ompi_hitopo_base_find_abi(void) HITOPO_NOEXCEPT;
/* Whether the last call found one: for libraries in front of MPI's functions. One load. Local; thread safe. */
bool ompi_hitopo_base_has_abi(void) HITOPO_NOEXCEPT;
/* Whether HiTopo does nothing in this process, since it has one: never in tree. Local; thread safe. */
bool ompi_hitopo_base_stays_out(void) HITOPO_NOEXCEPT;
#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
