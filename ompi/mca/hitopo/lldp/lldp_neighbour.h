// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What a node's interfaces hear of what they are linked to (IEEE 802.1AB), and which of it is the
// node's switch.
#ifndef OMPI_MCA_HITOPO_LLDP_LLDP_NEIGHBOUR_H
#define OMPI_MCA_HITOPO_LLDP_LLDP_NEIGHBOUR_H

#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"

namespace hitopo {

// One frame that an interface heard; empty texts where it tells nothing.
struct LldpNeighbour {
    std::string interface;     // of this node: "ens1"
    bool has_rdma = false;     // the interface carries RDMA (RoCE), too
    long speed_mbps = 0;       // of the link; 0 or less: unknown
    std::string protocol;      // "LLDP", or another that lldpd also hears: "CDPv2"
    std::string chassis_type;  // what kind of name the next is: "mac", "local", ..
    std::string chassis;       // the same at all ports of a switch, and of no other of that type
    std::string name;          // of the system: "leaf-1"
    std::string port;          // of the neighbour: "swp7"
    bool tells_capabilities = false;
    bool forwards = false;  // it is a bridge or a router, and enabled as such
};

// Why it is not the node's switch; "" if it can be.
std::string why_no_switch(const LldpNeighbour& neighbour);

// The switch as the level's value: its chassis with the type of that, and the name that people know.
RawValue to_switch(const LldpNeighbour& neighbour);

// "ens1 is linked to leaf-1 (mac 8a:57:28:c6:e7:4a), port swp7", with why_no_switch behind it.
std::string describe(const LldpNeighbour& neighbour);

// Interfaces with RDMA first, else those of faster links, then in natural order (ens2 before ens10),
// then by chassis. So it is the same whatever order they were heard in.
void sort_neighbours(std::vector<LldpNeighbour>& neighbours);

// The first that can be the node's switch; nullptr if none can.
const LldpNeighbour* find_switch(const std::vector<LldpNeighbour>& neighbours);

}  // namespace hitopo

#endif
