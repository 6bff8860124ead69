// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The node's ports by libibverbs.
#ifndef OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_VERBS_H
#define OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_VERBS_H

#include "ompi/mca/hitopo/openib/hitopo_openib_input.h"

namespace hitopo {

// Local calls to the kernel; devices are closed again. A device that may not be opened is left out, with
// the reason.
class VerbsPorts : public PortLister {
public:
    bool has_devices() override;
    IbPorts list() override;
};

}  // namespace hitopo

#endif
