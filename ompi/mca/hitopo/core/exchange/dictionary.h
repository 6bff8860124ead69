// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What all tables of a job share: the nodes, the names of the levels, the machines, and the distinct
// places that processes have inside a node.
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_DICTIONARY_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_DICTIONARY_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/exchange/plan.h"
#include "ompi/mca/hitopo/core/machine/machine.h"
#include "ompi/mca/hitopo/core/machine/placement.h"

namespace hitopo {

// One distinct value of a network level.
struct LevelValue {
    std::string component;
    RawValue value;
};

struct NodeInfo {
    std::uint64_t identity = 0;
    std::string name;
    std::string component;  // that gave the name
    // Index into Dictionary::values of cluster, island and switch; -1: unknown.
    std::array<std::int32_t, kNode> values = {-1, -1, -1};
    std::int32_t machine = -1;       // index into Dictionary::machines; -1: none
    std::uint32_t first_shared = 0;  // index into Dictionary::shared_ids
    // That fill l2numa, and socket, core and hwthread: by explicit values or by the machine; may be "".
    std::string l2numa_component;
    std::string inner_component;
};

// A distinct place inside a node.
struct Pattern {
    Placement placement;  // instances: of the node's machine
    CpuSet cpus;
    std::uint32_t shared = 0;                   // counted from NodeInfo::first_shared
    std::array<std::string, kNumLevels> names;  // inner levels with explicit values: what people see
};

struct Dictionary {
    std::array<std::vector<LevelValue>, kNode> values;  // cluster, island, switch; in their order
    std::vector<NodeInfo> nodes;                        // in their order
    std::vector<Machine> machines;
    std::vector<std::string> machine_components;  // that told each
    std::vector<Pattern> patterns;
    std::vector<std::uint64_t> shared_ids;  // Plan::shared_ids
    std::vector<LayerClass> layers;         // as of the plan
    std::vector<std::string> warnings;      // what the job should be told, one sentence each
};

// Where a layer above HiTopo is: the lowest ranks with and without it; empty where there is none.
struct LayerPresence {
    std::optional<std::uint32_t> present, missing;
};
LayerPresence presence_of(const Dictionary& dictionary, std::string_view layer);

// A process by its indices into a dictionary.
struct Process {
    std::uint32_t node;
    std::uint32_t pattern;
};

struct Directory {
    Dictionary dictionary;
    std::vector<Process> processes;  // by rank
};

// plan: of the summary; its names get those that leaders told. led: what the plan's leaders told, as of
// core/network/uplinks.h; what makes no sense costs what it should have told. Time O(P + N log N), N
// nodes.
Directory make_directory(const Summary& summary, Plan& plan, const std::vector<std::string>& led);

}  // namespace hitopo

#endif
