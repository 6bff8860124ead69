// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The MAC addresses that a Slingshot fabric manager gives its nodes: the place of the switch port that
// the NIC is linked to (HPE's documents on Slingshot host software, "Algorithmic MAC Address").
#ifndef OMPI_MCA_HITOPO_SLINGSHOT_ALGORITHMIC_MAC_H
#define OMPI_MCA_HITOPO_SLINGSHOT_ALGORITHMIC_MAC_H

#include <optional>
#include <string_view>

namespace hitopo {

struct AlgorithmicMac {
    unsigned group = 0;         // of the dragonfly: 0 .. 511
    unsigned group_switch = 0;  // in its group: 0 .. 31
    unsigned port = 0;          // of the switch: 0 .. 63
};

// Reads an address as the kernel writes it, in any case. Empty for one that a fabric manager did not
// give, and for any other text.
std::optional<AlgorithmicMac> parse_algorithmic_mac(std::string_view text);

}  // namespace hitopo

#endif
