// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Splits as data: which processes of a communicator belong together. What MPI calls make of it is in
// ompi/communicator.
#ifndef OMPI_MCA_HITOPO_CORE_TREE_SPLIT_H
#define OMPI_MCA_HITOPO_CORE_TREE_SPLIT_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hitopo {

using Ranks = std::vector<std::uint32_t>;  // of the communicator, ascending

// Brings ranks below `size` into their order; each stands there once.
void put_in_order(Ranks& ranks, std::size_t size);

struct OwnGroup;

// Each process is in one group or in none; groups are numbered by their lowest ranks. 4 bytes a process:
// for where processes say themselves who takes part. Else core/tree/partition.h does.
struct Split {
    static constexpr std::int32_t kNone = -1;
    std::vector<std::int32_t> group;  // by rank
    std::size_t count = 0;

    // The group of the process `rank`; its type is "".
    OwnGroup own(std::uint32_t rank) const;
};

// What one process knows of a split.
struct OwnGroup {
    Ranks ranks;                         // empty: it is in no group
    std::int32_t number = Split::kNone;  // of its group
    std::string type;                    // its group's resource type, a URI; "" where it has none
    std::size_t count = 0;               // of all groups
};

// Processes of one color; 0: none.
Split split_by_color(const std::vector<std::int64_t>& colors);

// Any numbers of groups (below 0: none) by rank, numbered anew: without those that have no process, by
// their lowest ranks.
Split split_by_number(const std::vector<std::int32_t>& numbers);

}  // namespace hitopo

#endif
