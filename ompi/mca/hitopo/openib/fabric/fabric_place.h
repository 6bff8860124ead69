// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A leaf switch of an InfiniBand fabric as level switch names it, and what is above it.
#ifndef OMPI_MCA_HITOPO_OPENIB_FABRIC_FABRIC_PLACE_H
#define OMPI_MCA_HITOPO_OPENIB_FABRIC_FABRIC_PLACE_H

#include <cstdint>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/openib/fabric/fabric.h"

namespace hitopo {

// The raw value of a leaf switch, shown as its GUID: the same whoever found it. Switches are told apart
// by subnet and GUID, never by LID.
RawValue leaf_value(std::uint64_t subnet_prefix, std::uint64_t guid);

struct LeafUplinks {
    std::string name;                        // of the leaf; "": none
    std::vector<std::uint64_t> l2_switches;  // GUIDs of the switches above it; ascending, distinct
    std::string first_name;                  // of the one of the lowest GUID; "": none
};

// `leaf`: of find_port() in a finished fabric. The L2 switches are those of its island by all leaves of
// the fabric: of a leaf that lost links, also those it has no link to. Names are descriptions that no
// other switch has too.
LeafUplinks uplinks_of(const Fabric& fabric, std::uint64_t leaf);

}  // namespace hitopo

#endif
