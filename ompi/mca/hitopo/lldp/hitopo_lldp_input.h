// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the component lldp reads, apart from where it reads it.
#ifndef OMPI_MCA_HITOPO_LLDP_HITOPO_LLDP_INPUT_H
#define OMPI_MCA_HITOPO_LLDP_HITOPO_LLDP_INPUT_H

#include <string>

#include "ompi/mca/hitopo/support/reporter.h"

namespace hitopo {

// The variables; texts empty where unset.
struct LldpSettings {
    std::string program;
    std::string socket;
    std::string interfaces;
    std::string pattern;
    int timeout_ms = 0;
};

// Asks only in the process that asks for its node. interfaces: the system's folder of them.
void answer_lldp(const LldpSettings& settings, const std::string& interfaces, Reporter& reporter);

}  // namespace hitopo

#endif
