// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What PMIx tells a process of its place in the fabric, and the levels that follow from it.
#ifndef OMPI_MCA_HITOPO_PMIX_PMIX_PLACE_H
#define OMPI_MCA_HITOPO_PMIX_PMIX_PLACE_H

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// PMIx's values for a process, by the names of their keys; empty where the environment gives none.
struct PmixFacts {
    std::string host_name;              // PMIX_HOSTNAME
    std::string groups;                 // PMIX_FABRIC_GROUPS: "0:n0,n2;1:n1,n3"
    std::vector<std::string> switches;  // PMIX_SWITCH_PEERS: each device's PMIX_FABRIC_SWITCH
};

struct PmixPlace {
    RawAddress levels;                            // of island and switch
    std::array<std::string, kNumLevels> reasons;  // of the same
    std::optional<Error> error;                   // of broken input
};

// Island: the number of the one fabric group that lists this node. Switch: the ID of the switch, or of
// all switches in natural order with commas between, that the node's devices are linked to.
PmixPlace place_by_pmix(const PmixFacts& facts, std::string_view host_name);

}  // namespace hitopo

#endif
