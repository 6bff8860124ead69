// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What component openib learns from: the node's ports, and sources that know the fabric.
#ifndef OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_INPUT_H
#define OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_INPUT_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/fabric_place.h"
#include "ompi/mca/hitopo/core/result.h"

namespace hitopo {

struct IbPort {
    std::string device;  // "mlx5_0"
    int number = 0;      // of the device's ports, from 1
    std::uint64_t guid = 0;
    std::uint64_t subnet_prefix = 0;
    unsigned lid = 0;
    bool is_active = false;
    bool is_infiniband = false;  // its link layer: false for Ethernet (RoCE)
};

struct IbPorts {
    std::vector<IbPort> ports;
    std::string reason;  // why devices could not be asked; empty if all were
};

class PortLister {
public:
    virtual ~PortLister() = default;
    virtual IbPorts list() = 0;  // all ports of all devices, in any order
};

struct FabricAnswer {
    std::optional<FabricPlace> place;
    std::string reason;          // what the source found, or why it does not know
    std::optional<Error> error;  // bad input, where that is why
};

// One way to learn where a port stands in the fabric.
class FabricSource {
public:
    virtual ~FabricSource() = default;

    // `ports`: active InfiniBand ports, at least one, the preferred one first. The place is that of the
    // first that the source knows. Bounded in time.
    virtual FabricAnswer locate(const std::vector<IbPort>& ports) = 0;
};

}  // namespace hitopo

#endif
