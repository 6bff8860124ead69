// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the program of component nvml prints: a cluster that is taken stands in the text, a clique has a
// cluster, and there is always a reason.
#include <cstdint>
#include <string>

#include "ompi/mca/hitopo/nvml/fabric_report.h"
#include "test/fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const hitopo::NodeFabric fabric = hitopo::read_fabric_report(text);
    require(!fabric.clique || fabric.cluster);
    require(fabric.cluster ? fabric.cluster->size() == 32 && !fabric.reason.empty() &&
                                 text.find(' ' + *fabric.cluster) != std::string_view::npos
                           : true);
    return 0;
}
