// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/oracle/plain_split.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "test/oracle/split_rules.h"

namespace hitopo::oracle {
namespace {

constexpr std::int32_t kNone = -1;

// Any numbers (below 0: none) become 0, 1, .. by their lowest ranks.
PlainSplit number_groups(const std::vector<std::int32_t>& numbers, const std::string& type) {
    std::map<std::int32_t, std::int32_t> number_of;
    PlainSplit split;
    for (const std::int32_t number : numbers) {
        const auto next = static_cast<std::int32_t>(number_of.size());
        split.group.push_back(number < 0 ? kNone : number_of.emplace(number, next).first->second);
    }
    split.types.assign(number_of.size(), type);
    return split;
}

// CPUs of the instance of a machine's type that a process is restricted to.
int num_cpus(const Table& table, std::size_t rank, const ResourceType& type) {
    const Placement& placement = table.pattern(rank).placement;
    const std::int32_t number = table.node(rank).machine;
    for (std::size_t i = 0; !type.is_level && number >= 0 && i < placement.instances.size(); ++i) {
        const MachineType& own =
            table.dictionary().machines()[static_cast<std::size_t>(number)].types()[i];
        if (own.name == type.name && placement.instances[i] >= 0) {
            return own.instances[static_cast<std::size_t>(placement.instances[i])].count();
        }
    }
    return split_rules::kUnknownCpus;
}

// The instances of all nesting types of a table.
std::vector<split_rules::Instances> instances_of(const Table& table) {
    std::vector<split_rules::Instances> types;
    for (const ResourceType& type : nesting_types(table)) {
        const std::vector<std::int32_t> domains = domains_of(table, type).domain;
        types.push_back({type.uri(), {domains.begin(), domains.end()}, {}});
        for (std::size_t rank = 0; rank < table.size(); ++rank) {
            types.back().num_cpus.push_back(num_cpus(table, rank, type));
        }
    }
    return types;
}

split_rules::Processes all_ranks(const Table& table) {
    split_rules::Processes ranks(table.size());
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

// depth: of `tree`. rank: in it, or -1.
void descend(const split_rules::Tree& tree, int rank, std::size_t depth, PlainHierarchy& out) {
    out.depth = std::max(out.depth, depth);
    for (std::size_t i = 0; i < tree.parts.size(); ++i) {
        const split_rules::Tree& part = tree.parts[i];
        const bool is_mine = std::count(part.members.begin(), part.members.end(), rank) > 0;
        if (is_mine) {
            const split_rules::Processes roots =
                part.members[0] == rank ? roots_of(tree) : split_rules::Processes();
            out.steps.push_back({{part.members.begin(), part.members.end()},
                                 {roots.begin(), roots.end()},
                                 part.uri,
                                 i,
                                 tree.parts.size()});
        }
        descend(part, is_mine ? rank : -1, depth + 1, out);
    }
}

}  // namespace

Ranks PlainSplit::members(std::int32_t number) const {
    Ranks ranks;
    for (std::uint32_t rank = 0; rank < group.size(); ++rank) {
        if (group[rank] == number) {
            ranks.push_back(rank);
        }
    }
    return ranks;
}

Ranks PlainSplit::lowest_ranks() const {
    Ranks ranks;
    for (std::size_t number = 0; number < types.size(); ++number) {
        ranks.push_back(members(static_cast<std::int32_t>(number))[0]);
    }
    return ranks;
}

PlainSplit plain_by_type(const Table& table, const ResourceType& type) {
    return number_groups(domains_of(table, type).domain, type.uri());
}

PlainSplit plain_by_shared_memory(const Table& table) {
    std::map<std::uint64_t, std::int32_t> number_of;
    std::vector<std::int32_t> numbers;
    for (std::size_t rank = 0; rank < table.size(); ++rank) {
        const auto next = static_cast<std::int32_t>(number_of.size());
        numbers.push_back(number_of.emplace(table.shared_id(rank), next).first->second);
    }
    return number_groups(numbers, "");
}

PlainSplit plain_unguided(const Table& table) {
    PlainSplit split = plain_nobody(table);
    for (const split_rules::Part& part :
         split_rules::split_unguided(all_ranks(table), instances_of(table))) {
        for (const int rank : part.members) {
            split.group[static_cast<std::size_t>(rank)] = static_cast<std::int32_t>(split.types.size());
        }
        split.types.push_back(part.uri);
    }
    return split;
}

PlainSplit plain_nobody(const Table& table) {
    return {std::vector<std::int32_t>(table.size(), kNone), {}};
}

PlainSplit plain_filled(PlainSplit split) {
    auto next = static_cast<std::int32_t>(split.types.size());
    const std::string type = split.types.empty() ? "" : split.types[0];
    for (std::int32_t& group : split.group) {
        group = group < 0 ? next++ : group;
    }
    return number_groups(split.group, type);
}

PlainHierarchy plain_hierarchy(const Table& table, std::uint32_t rank) {
    PlainHierarchy hierarchy;
    descend(split_rules::tree_of(all_ranks(table), instances_of(table)), static_cast<int>(rank), 0,
            hierarchy);
    return hierarchy;
}

}  // namespace hitopo::oracle
