// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What PMIx tells a process of its place in the fabric, and the levels that follow from it.
#ifndef OMPI_MCA_HITOPO_PMIX_PMIX_PLACE_H
#define OMPI_MCA_HITOPO_PMIX_PMIX_PLACE_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

struct PmixDevice {
    std::size_t fabric = 0;                 // the number of the fabric that it belongs to
    std::string name;                       // "hsn0"
    std::vector<std::uint32_t> coordinate;  // in the logical view; empty if there is none
};

// PMIx's values for a process, by the names of their keys; empty where the environment gives none.
struct PmixFacts {
    std::string host_name;                 // PMIX_HOSTNAME
    std::optional<std::uint32_t> node_id;  // PMIX_NODEID
    std::string locality;                  // PMIX_LOCALITY_STRING
    std::string groups;                    // PMIX_FABRIC_GROUPS: "0:n0,n2;1:n1,n3"
    std::vector<std::string> switches;     // PMIX_SWITCH_PEERS: each device's PMIX_FABRIC_SWITCH
    std::vector<PmixDevice> devices;       // PMIX_FABRIC_COORDINATES
};

// The level that each dimension of a coordinate ends, outermost dimension first; none for a dimension
// that ends no level.
using PmixDimensions = std::vector<std::optional<Level>>;

// "island,switch,-": a word for each dimension, outermost first: island, switch or -. Levels stand from
// the outside in, each once. "" has no dimensions. kMalformed otherwise, with the column.
Result<PmixDimensions> parse_pmix_dimensions(std::string_view text);

struct PmixPlace {
    RawAddress levels;                            // of island, switch and node
    std::array<std::string, kNumLevels> reasons;  // of the same
    std::optional<Error> error;                   // the first of broken input
};

// Island: the number of the one fabric group that lists this node. Switch: the ID of the switch, or of
// all switches in natural order with commas between, that the node's devices are linked to. Otherwise
// both by the coordinates, whose dimensions mean what `dimensions` says: PMIx's standard gives them no
// meaning. A level's value is then the coordinate from the outside up to its dimension, if all devices
// of the first fabric agree. Node: PMIx's name or number, only where the machine has no host name.
PmixPlace place_by_pmix(const PmixFacts& facts, const PmixDimensions& dimensions,
                        std::string_view host_name);

}  // namespace hitopo

#endif
