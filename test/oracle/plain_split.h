// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Splits worked out for each process by itself, with numbers, ranks and names of all groups: what
// core/table/grouping.h and hierarchy.h say by nodes and seats. Takes the domains of each process as
// given, and nothing else.
#ifndef TEST_ORACLE_PLAIN_SPLIT_H
#define TEST_ORACLE_PLAIN_SPLIT_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/table/domain.h"

namespace hitopo::oracle {

using Ranks = std::vector<std::uint32_t>;

struct PlainSplit {
    std::vector<std::int32_t> group;  // by rank; -1: none
    std::vector<std::string> types;   // by group

    Ranks members(std::int32_t number) const;
    Ranks lowest_ranks() const;
};

PlainSplit plain_by_type(const Table& table, const ResourceType& type);
PlainSplit plain_by_shared_memory(const Table& table);
PlainSplit plain_unguided(const Table& table);
PlainSplit plain_nobody(const Table& table);

// Each process without a group has one of its own.
PlainSplit plain_filled(PlainSplit split);

struct PlainStep {
    Ranks ranks, roots;
    std::string type;
    std::size_t number = 0, num_siblings = 0;
};
struct PlainHierarchy {
    std::vector<PlainStep> steps;
    std::size_t depth = 0;
};
PlainHierarchy plain_hierarchy(const Table& table, std::uint32_t rank);

}  // namespace hitopo::oracle

#endif
