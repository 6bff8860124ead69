// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The report on the NVLink fabric of a node's GPUs, as hitopo_nvml_fabric.c prints it.
#ifndef OMPI_MCA_HITOPO_NVML_FABRIC_REPORT_H
#define OMPI_MCA_HITOPO_NVML_FABRIC_REPORT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hitopo {

// All GPUs of a node that are in a fabric are in the same one.
struct NodeFabric {
    std::optional<std::string> cluster;   // its UUID, 32 hexadecimal digits
    std::optional<std::uint32_t> clique;  // its number there; empty where GPUs are in several
    std::string reason;                   // for people: the findings, or the reason for none
    bool has_library = true;              // false: it cannot be used, for that reason
};

// text: any bytes. A GPU is in a fabric if its state is completed, its status is success, and its
// cluster's UUID is not zero. If GPUs of the node are in several clusters, that of a process is unknown.
NodeFabric read_fabric_report(std::string_view text);

}  // namespace hitopo

#endif
