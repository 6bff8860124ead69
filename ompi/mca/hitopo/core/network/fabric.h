// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// An InfiniBand fabric as data: its switches, their links and the hosts' ports; and its leaf switches as
// level switch names them, with the switches above.
#ifndef OMPI_MCA_HITOPO_CORE_NETWORK_FABRIC_H
#define OMPI_MCA_HITOPO_CORE_NETWORK_FABRIC_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

struct FabricSwitch {
    std::uint64_t guid = 0;
    std::string description;                // of the node, as its administrator named it; may be empty
    std::vector<std::uint64_t> neighbours;  // GUIDs of the switches it has links to; ascending, distinct
};

// A host's port that is linked to a switch, which is a leaf switch thereby.
struct FabricPort {
    std::uint64_t guid = 0;
    std::uint64_t switch_guid = 0;
    unsigned lid = 0;
    int line = 0;                  // of the file
    std::string description = {};  // of the host's adapter; may be empty
};

// Fill both in any order, with repeats, then call finish().
struct Fabric {
    std::vector<FabricSwitch> switches;  // ascending by GUID, distinct, once finished
    std::vector<FabricPort> ports;       // ascending by GUID, distinct, once finished
    Skipped skipped;                     // lines of the file that are of no known kind

    // Sorts; entries of one GUID become one: links are joined, of all else the first stands.
    void finish();

    const FabricSwitch* find_switch(std::uint64_t guid) const;  // NULL if absent
    const FabricPort* find_port(std::uint64_t guid) const;      // NULL if absent
};

// "0x0002c903000a1b2c", as administrators know it.
std::string guid_to_string(std::uint64_t guid);

// The raw value of a leaf switch, shown as its GUID; the same from all sources. Subnet and GUID identify
// it, never its LID.
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

// ---- core/network/ibnetdiscover.cc ----

inline constexpr std::size_t kMaxFabricBytes = std::size_t{64} << 20;  // 100 000 hosts have 50 MB

// A finished fabric whose neighbours are all listed. Takes any bytes; linear but for the sorting of its
// result. `where` names the file in errors. Reads the output of `ibnetdiscover`, also with --full,
// --grouping, --show or a node name map, but not of --ports, --list and --diff. Lines of no known kind,
// such as warnings, cost themselves and stand in `skipped`; a file without others is kMalformed. A
// broken line of a switch or port costs the file, as does one that is missing: islands would come out
// wrong. Errors: kTooLarge; kMalformed, also for a file without switches and for one that was cut short
// (a linked switch is not listed).
Result<Fabric> parse_ibnetdiscover(std::string_view text, std::string_view where);

}  // namespace hitopo

#endif
