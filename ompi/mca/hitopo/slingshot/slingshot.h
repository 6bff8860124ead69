// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The input of the component slingshot: the MAC addresses that a Slingshot fabric manager gives its
// nodes. Each is the place of the switch port that the NIC is linked to (HPE's documents on Slingshot
// host software, "Algorithmic MAC Address").
#ifndef OMPI_MCA_HITOPO_SLINGSHOT_SLINGSHOT_H
#define OMPI_MCA_HITOPO_SLINGSHOT_SLINGSHOT_H

#include <optional>
#include <string>
#include <string_view>

#include "ompi/mca/hitopo/core/address/answer.h"

namespace hitopo {

struct AlgorithmicMac {
    unsigned group = 0;         // of the dragonfly: 0 .. 511
    unsigned group_switch = 0;  // in its group: 0 .. 31
    unsigned port = 0;          // of the switch: 0 .. 63
};

// Reads an address as the kernel writes it, in any case. Empty for one that a fabric manager did not
// give, and for any other text.
std::optional<AlgorithmicMac> parse_algorithmic_mac(std::string_view text);

// interfaces: a folder as /sys/class/net, with a folder for each interface. Read only in the process
// that asks for its node.
void answer_slingshot(const std::string& interfaces, const Question& question, Answer& answer);

}  // namespace hitopo

#endif
