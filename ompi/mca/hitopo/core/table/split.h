// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Splits as data: which processes of a communicator belong together. What MPI calls make of it is in
// ompi/communicator.
#ifndef OMPI_MCA_HITOPO_CORE_TABLE_SPLIT_H
#define OMPI_MCA_HITOPO_CORE_TABLE_SPLIT_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/table/domain.h"

namespace hitopo {

using Ranks = std::vector<std::uint32_t>;  // of the communicator, ascending

// Each process is in one group or in none; groups are numbered by their lowest ranks.
struct Split {
    static constexpr std::int32_t kNone = -1;
    std::vector<std::int32_t> group;  // by rank
    std::vector<std::string> types;   // by group: its resource type's URI; "" where it has none
    std::size_t count() const { return types.size(); }

    Ranks members(std::size_t group_number) const;
};

Split split_by_type(const Table& table, const ResourceType& type);

// Processes that can share memory.
Split split_by_shared_memory(const Table& table);

// Nobody is in any group.
Split split_nobody(std::size_t num_processes);

// Each process alone.
Split split_alone(std::size_t num_processes);

// Processes of one color; 0: none.
Split split_by_color(const std::vector<std::int64_t>& colors);

// Gives each process without a group one of its own: what Open MPI's own split types promise.
Split fill_with_singles(Split split);

// Without groups that have no process, the others numbered by their lowest ranks.
Split without_empty_groups(const Split& split);

// The domains of all resource types of a communicator: what unguided splits choose from.
class DomainCatalogue {
public:
    explicit DomainCatalogue(const Table& table);

    struct Group {
        Ranks ranks;
        std::size_t type;  // index into types(): the deepest that has exactly these processes
    };

    // The unguided split of the communicator of `ranks`: of all domains, cut to it, the largest strict
    // subsets; where two cross, the larger, then the outer type, then the lower first rank stands whole.
    // Ordered by their lowest ranks. Time O(types * ranks + domains log domains).
    std::vector<Group> split(const Ranks& ranks) const;

    const std::vector<ResourceType>& types() const { return types_; }

private:
    void name_groups(const std::vector<Ranks>& sorted, std::vector<Group>& groups) const;
    bool is_domain(std::size_t type, const Ranks& sorted, const Ranks& group) const;

    std::vector<ResourceType> types_;
    std::vector<Domains> domains_;  // by type
};

Split split_unguided(const Table& table);

// ---- the whole hierarchy ----

struct HierarchyStep {
    Ranks ranks;             // of this process's communicator
    std::string type;        // URI
    Ranks roots;             // of the roots communicator; empty if this process is not in it
    std::size_t number = 0;  // of its communicator among the children of its parent
    std::size_t num_siblings = 0;
};

struct Hierarchy {
    std::vector<HierarchyStep> steps;  // of this process
    std::size_t depth = 0;             // the most steps that any process has
};

// The unguided split of the communicator, of what it gave this process, and so on.
Hierarchy make_hierarchy(const Table& table, std::uint32_t rank);

}  // namespace hitopo

#endif
