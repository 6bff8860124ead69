// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What the component lldp reads, apart from where it reads it.
#ifndef OMPI_MCA_HITOPO_LLDP_HITOPO_LLDP_INPUT_H
#define OMPI_MCA_HITOPO_LLDP_HITOPO_LLDP_INPUT_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/answer.h"
#include "ompi/mca/hitopo/lldp/lldp_neighbour.h"

namespace hitopo {

// The variables; texts empty where unset.
struct LldpSettings {
    std::string program;  // the default, too
    std::string socket;
    std::string interfaces;
    std::string pattern;
    int timeout_ms = 0;
    bool is_own_program = false;  // the user's, not the default
};

// Asks only in the process that asks for its node. interfaces: the system's folder of them.
void answer_lldp(const LldpSettings& settings, const std::string& interfaces, const Question& question,
                 Answer& answer);

// ---- what lldpcli prints ----

// Reads the output of `lldpcli -f json0 show neighbors`, whose form is the same for one neighbour and
// for many; has_rdma and speed_mbps are not told there. Empty where it is no JSON, or none of that form.
// At most the first 256.
std::optional<std::vector<LldpNeighbour>> parse_lldp_neighbours(std::string_view json);

// What lldpcli printed, in two parts: what it says of errors, the last line of that without time and
// rank, and the JSON from its first line on, which is "{".
struct LldpcliOutput {
    std::string complaint;
    std::string_view json;  // within the text
};
LldpcliOutput split_output(std::string_view text);

}  // namespace hitopo

#endif
