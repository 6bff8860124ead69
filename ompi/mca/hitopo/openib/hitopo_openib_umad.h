// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Questions to the fabric by libibumad.
#ifndef OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_UMAD_H
#define OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_UMAD_H

#include <memory>

#include "ompi/mca/hitopo/openib/hitopo_openib_input.h"

namespace hitopo {

// The library is loaded when the first port is opened: nodes without InfiniBand, or without the library,
// do not need it. Where it was not there at build time, no port can be opened.
std::shared_ptr<SmpClient> make_umad_client();

}  // namespace hitopo

#endif
