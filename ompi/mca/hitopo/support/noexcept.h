/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * HITOPO_NOEXCEPT: of functions that are written in C++ for C, which no exception may reach.
 */
#ifndef OMPI_MCA_HITOPO_SUPPORT_NOEXCEPT_H
#define OMPI_MCA_HITOPO_SUPPORT_NOEXCEPT_H

#ifdef __cplusplus
#define HITOPO_NOEXCEPT noexcept
#else
#define HITOPO_NOEXCEPT
#endif

#endif
