// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What one process tells the others, as bytes. What many say alike is equal byte for byte, and so said
// once for all of them (core/exchange/summary.h).
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_CONTRIBUTION_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_CONTRIBUTION_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/exchange/side_claim.h"
#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/network/uplinks.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// The version of the bytes: processes of different versions do not understand each other.
inline constexpr std::uint16_t kExchangeVersion = 6;

inline constexpr int kNumCandidates = 2;  // of each level: the two that could win

// What one component said in one process.
struct ComponentAnswer {
    std::string component;
    int priority = 0;
    unsigned levels = 0;  // that it can fill: bit l is level l
    int status = 0;       // its return code
    RawAddress values;
    bool replaces_node = false;
    unsigned node_levels = 0;        // whose values count for the whole node: bit l is level l
    std::optional<int> max_uplinks;  // it can tell at most so many uplinks of its switch, if asked
    std::optional<Uplinks> uplinks;  // that it told when it was
    std::array<std::string, kNumLevels> reasons;  // "" where it gave none for that level
    std::string reason;                           // for all of its levels
    std::vector<SideAnswer> side;                 // each type once
    std::vector<SideReason> side_reasons;         // likewise
    std::optional<Error> error;
    std::optional<std::string> machine;  // encoded
    std::optional<std::string> binding;  // simulated: a rule or a list of CPUs
};

// What the framework itself knows of this process.
struct ProcessFacts {
    std::string host_name;
    std::string boot_id;  // "" where unreadable
    CpuSet cpus;          // all that it may run on
    std::uint64_t shm_device = 0;
    std::uint64_t ipc_namespace = 0;
    bool speaks_for_node = false;                // components were asked for the whole node
    std::array<std::string, kNumLevels> forced;  // component named by hitopo_base_level_<name>
    std::string settings;                        // all that must be equal in the whole job
    std::string layers;                          // above HiTopo, which this process has: "coll prof"
};

// The name of the component under which the framework reports the host name, at the lowest priority.
inline constexpr std::string_view kFrameworkComponent = "hitopo";

// Read by core/exchange/cards.h.
struct Contribution {
    std::string node_card;  // of its node and the network: mostly that of all processes of the node
    std::string
        process_card;     // of its place inside its node, and of itself: mostly the same in many nodes
    std::string machine;  // component and encoded machine, as ByteWriter strings; "": tells none
    std::uint64_t host_id = 0;  // of the operating system instance
    bool speaks_for_node = false;
    bool may_lead = false;  // it could tell the uplinks of its switch
};
Contribution make_contribution(const ProcessFacts& facts, const std::vector<ComponentAnswer>& answers);

// As a member tells it to its leader, and back.
std::string encode(const Contribution& contribution);
Result<Contribution> decode_contribution(std::string_view bytes);

// A node card is that many ByteWriter::put_short strings: identity, what of memory can be shared,
// component that may lead, two candidates of each network level, and side resources.
enum NodeField : std::uint8_t {
    kIdentityField,
    kSharedField,
    kUplinksField,
    kFirstCandidateField,
    kSideField = kFirstCandidateField + kNumCandidates * (kNode + 1)
};
inline constexpr std::size_t kNumNodeFields = kSideField + 1;

// A candidate's name is sent; it counts for all processes of the node, of which one was to ask.
enum CandidateFlag : std::uint8_t { kIsNamed = 1, kIsForNode = 2 };

// Flags of the process card.
enum ProcessFlag : std::uint8_t {
    kSpeaksForNode = 1,  // it told of the whole node what it could: machine, network
    kHasMachine = 2,
    kHasForced = 4,  // hitopo_base_level_<name> for some level
    kHasError = 8
};

}  // namespace hitopo

#endif
