// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the component oci reads, apart from where it reads it.
#ifndef OMPI_MCA_HITOPO_OCI_HITOPO_OCI_INPUT_H
#define OMPI_MCA_HITOPO_OCI_HITOPO_OCI_INPUT_H

#include <string>

#include "ompi/mca/hitopo/support/reporter.h"

namespace hitopo {

// The variables; texts empty where unset.
struct OciSettings {
    std::string url;
    std::string program;
    int timeout_ms = 0;
};

// Asks only in the process that asks for its node.
void answer_oci(const OciSettings& settings, Reporter& reporter);

}  // namespace hitopo

#endif
