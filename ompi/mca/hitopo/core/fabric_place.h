// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The raw values of levels switch and island, from a fabric and one of its ports.
#ifndef OMPI_MCA_HITOPO_CORE_FABRIC_PLACE_H
#define OMPI_MCA_HITOPO_CORE_FABRIC_PLACE_H

#include <cstdint>
#include <optional>

#include "ompi/mca/hitopo/core/fabric.h"
#include "ompi/mca/hitopo/core/name.h"

namespace hitopo {

struct FabricPlace {
    RawValue leaf;
    RawValue island;
};

// Where the port stands; empty if the fabric does not list it. Switches are shown by their description,
// or by their GUID where that is empty or another switch has it too; an island by its L2 switch of the
// lowest GUID, or by its only leaf where it has no L2 switch. Equal values are one switch or one island
// of one subnet: paths are (what people see, subnet prefix, the switch's GUID or a hash of the island's
// set of L2 switches, what people see), so that both stand in the natural order of their names.
std::optional<FabricPlace> place_port(const Fabric& fabric, std::uint64_t port_guid,
                                      std::uint64_t subnet_prefix);

}  // namespace hitopo

#endif
