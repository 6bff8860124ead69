// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The results of one exchange, which all trees from it share: the nodes, the names of the levels, the
// machines, the distinct places inside nodes, and the job's resource types.
#ifndef OMPI_MCA_HITOPO_CORE_TREE_JOB_FACTS_H
#define OMPI_MCA_HITOPO_CORE_TREE_JOB_FACTS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/machine/machine.h"
#include "ompi/mca/hitopo/core/record/node_record.h"
#include "ompi/mca/hitopo/core/tree/resource_type.h"

namespace hitopo {

struct NamedValue {
    std::string component;  // that gave it
    RawValue value;
};

// Numbers of a node's values of cluster, island and switch; -1: unknown.
using Branch = std::array<std::int32_t, kNode>;

// A distinct place inside a node.
struct PlaceInNode {
    InstanceNumbers instance_numbers;           // instances: of the node's machine
    CpuSet cpus;                                // that the process may run on
    std::uint32_t sharing = 0;                  // counted from the node's first: JobFacts::sharings
    std::int32_t machine = -1;                  // index into the machines; -1: none
    std::array<std::string, kNumLevels> names;  // explicit values of inner levels, as people see them
};

struct JobFacts {
    // The sources of a node's name and inside.
    struct Kind {
        std::int32_t machine;             // index into machines; -1: none
        std::string node, l2numa, inner;  // components that fill node, l2numa, and the others; may be ""
    };
    struct Node {
        std::uint64_t identity;
        std::uint32_t name_end;       // in node_names; it begins where the one before ends
        std::uint32_t branch;         // index into branches
        std::uint32_t kind;           // index into kinds
        std::uint32_t first_sharing;  // index into sharings
    };
    // Resources that processes of several nodes can share, or only some processes of one: containers
    // divide a node's memory, and simulated nodes share one.
    struct Sharing {
        std::uint32_t memory;  // equal where processes can share memory
        std::uint32_t sides;   // index into side_sets
    };
    struct SideType {
        std::string uri;
        std::vector<NamedValue> values;  // in their order
    };
    // Settings of some processes.
    struct SettingsOf {
        std::uint32_t lowest_rank;
        AgreedSettings settings;
    };

    std::int64_t identity = 0;                          // of the exchange
    std::array<std::vector<NamedValue>, kNode> values;  // cluster, island and switch, in their order
    std::vector<Branch> branches;                       // distinct
    std::vector<Node> nodes;                            // in their order
    std::string node_names;
    std::vector<Kind> kinds;  // distinct
    std::vector<Machine> machines;
    std::vector<PlaceInNode> places;
    std::vector<Sharing> sharings;
    std::vector<SideType> side_types;                  // that cross nodes, outermost first
    std::vector<std::vector<std::int32_t>> side_sets;  // by side type: the number of its value, or -1
    std::vector<ResourceType> types;    // all of the job, outermost first (core/tree/type_order.h)
    std::vector<SettingsOf> settings;   // distinct, by lowest rank
    std::vector<std::string> warnings;  // for the user, one sentence each

    // Adds a warning once, up to a limit.
    void warn(std::string text);
    std::string_view node_name(std::size_t node) const {
        const std::uint32_t begin = node == 0 ? 0 : nodes[node - 1].name_end;
        return std::string_view(node_names).substr(begin, nodes[node].name_end - begin);
    }
    const Kind& kind_of(std::size_t node) const { return kinds[nodes[node].kind]; }
    const Branch& branch_of(std::size_t node) const { return branches[nodes[node].branch]; }
    // Whether some process has an explicit value for a level inside the node.
    bool is_explicit(Level level) const;
};

// The index of a type among those of a machine (-1: no machine); -1: it has none, as of a level.
int index_in_machine(const JobFacts& facts, std::int32_t machine, const ResourceType& type);

// The instance of a type inside nodes that holds a process which lies so; -1: none does. index: of the
// type in the process's machine.
std::int64_t instance_of(const ResourceType& type, int index, const InstanceNumbers& instance_numbers);

// The CPUs of a type's instance that holds a place; INT_MAX where none does, and of a level.
int num_cpus(const JobFacts& facts, const ResourceType& type, const PlaceInNode& place);

// The lowest ranks that have a setting of that key, that have none, and whose setting is not rank 0's;
// empty where there is none.
struct SettingRanks {
    std::optional<std::uint32_t> having, lacking, differing;
};
SettingRanks ranks_of_setting(const JobFacts& facts, std::string_view key);

}  // namespace hitopo

#endif
