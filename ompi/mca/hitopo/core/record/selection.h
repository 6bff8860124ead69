// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Selection of the component that fills a network level of a node, and of processes to find out more.
#ifndef OMPI_MCA_HITOPO_CORE_RECORD_SELECTION_H
#define OMPI_MCA_HITOPO_CORE_RECORD_SELECTION_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/record/node_record.h"

namespace hitopo {

// The key of the setting that names the component which is to fill a level: "hitopo_base_level_switch".
std::string forcing_key(Level level);
// The component that rank 0's settings name for a level; "": none, or no record has rank 0.
std::string_view forced_component(const RecordMessage& message, Level level);

// A component that can fill a level.
struct Candidate {
    std::string_view name;
    std::int32_t priority;
};
// The component `forced` fills a level before others, then that of the highest priority, of equals that
// of the lowest name.
bool is_preferred(const Candidate& a, const Candidate& b, std::string_view forced);

// The answer that fills a network level of a node.
struct Selected {
    LevelAnswer answer;                       // component 0: the level is unknown
    std::uint32_t rank = 0;                   // the lowest that gave it
    std::optional<std::uint32_t> other_rank;  // the lowest that gives another value of that component
    bool can_have_uplinks = false;            // its component can report the uplinks of its switch
};

// node: the records of one, in the order of their first ranks. A component's priority is the highest in
// some record, and its value that of its lowest rank.
Selected select_answer(const RecordMessage& message, const std::vector<const NodeRecord*>& node,
                       Level level, std::string_view forced);

// The records of each node: nodes and records in the order of their first ranks.
std::vector<std::vector<const NodeRecord*>> records_by_node(const std::vector<NodeRecord>& records);

// The lowest rank of each host of which no process asked its components for all of it; any order.
std::vector<std::uint32_t> hosts_to_ask(const std::vector<NodeRecord>& records);

struct SwitchToAsk {
    std::uint32_t rank = UINT32_MAX;  // the lowest below it that gave the value which fills its level
    std::uint32_t component = 0;      // index into names
};
// The leaf switches whose uplinks count, since they fill a node's switch or island; any order.
std::vector<SwitchToAsk> switches_to_ask(const RecordMessage& message);

}  // namespace hitopo

#endif
