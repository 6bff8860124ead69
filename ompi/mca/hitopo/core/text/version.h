// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// HiTopo's version, as in configure.ac's AC_INIT; Open MPI's configure has only its own.
#ifndef OMPI_MCA_HITOPO_CORE_TEXT_VERSION_H
#define OMPI_MCA_HITOPO_CORE_TEXT_VERSION_H

namespace hitopo {

inline constexpr const char* kHitopoVersion = "0.2.0";

}  // namespace hitopo

#endif
