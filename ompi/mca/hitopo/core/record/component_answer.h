// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What one process has to say, of which its record is made.
#ifndef OMPI_MCA_HITOPO_CORE_RECORD_COMPONENT_ANSWER_H
#define OMPI_MCA_HITOPO_CORE_RECORD_COMPONENT_ANSWER_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/network/uplinks.h"
#include "ompi/mca/hitopo/core/record/node_record.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// What a component answers for one type of side resource.
struct SideAnswer {
    std::string type;    // URI: "nvlink://Domain"
    std::int32_t order;  // among the types: smaller is further out
    RawValue value;      // equal where processes share one, in whatever nodes they are
    bool is_for_node;    // it counts for all processes of the node, of which one asked
};

// Why it told that type, or could not: for people, never sent.
struct SideReason {
    std::string type;
    std::string text;
};

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
    SameWords words;                             // each key once; without those of `forced`
};

// The name of the component under which the framework reports the host name, at the lowest priority.
inline constexpr std::string_view kFrameworkComponent = "hitopo";

}  // namespace hitopo

#endif
