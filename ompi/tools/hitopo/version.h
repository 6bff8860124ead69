// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// This command's version.
#ifndef OMPI_TOOLS_HITOPO_VERSION_H
#define OMPI_TOOLS_HITOPO_VERSION_H

namespace hitopo {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace hitopo

#endif
