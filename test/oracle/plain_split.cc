// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/oracle/plain_split.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

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

Ranks all_ranks(std::size_t count) {
    Ranks ranks(count);
    std::iota(ranks.begin(), ranks.end(), 0U);
    return ranks;
}

struct Group {
    Ranks ranks;
    std::size_t type;
};

// The domains of all types of a communicator, by rank.
class Catalogue {
public:
    explicit Catalogue(const Table& table) : types_(nesting_types(table)) {
        for (const ResourceType& type : types_) {
            domains_.push_back(domains_of(table, type).domain);
        }
    }

    // The unguided split of the communicator of `ranks`, by lowest ranks.
    std::vector<Group> split(const Ranks& ranks) const {
        std::vector<Group> sections;
        for (std::size_t type = 0; type < types_.size(); ++type) {
            for (auto& [domain, members] : cut(type, ranks)) {
                if (members.size() < ranks.size()) {
                    sections.push_back({members, type});
                }
            }
        }
        std::sort(sections.begin(), sections.end(), [](const Group& a, const Group& b) {
            return std::make_tuple(b.ranks.size(), a.type, a.ranks[0]) <
                   std::make_tuple(a.ranks.size(), b.type, b.ranks[0]);
        });
        std::set<std::uint32_t> taken;
        std::vector<Group> groups;
        for (const Group& section : sections) {
            const auto is_taken = [&](std::uint32_t rank) { return taken.count(rank) > 0; };
            if (std::none_of(section.ranks.begin(), section.ranks.end(), is_taken)) {
                taken.insert(section.ranks.begin(), section.ranks.end());
                groups.push_back({section.ranks, name(section.ranks, ranks)});
            }
        }
        std::sort(groups.begin(), groups.end(),
                  [](const Group& a, const Group& b) { return a.ranks[0] < b.ranks[0]; });
        return groups;
    }

    std::string uri(std::size_t type) const { return types_[type].uri(); }

private:
    // A type's domains, cut to a communicator.
    std::map<std::int32_t, Ranks> cut(std::size_t type, const Ranks& ranks) const {
        std::map<std::int32_t, Ranks> members;
        for (const std::uint32_t rank : ranks) {
            if (domains_[type][rank] >= 0) {
                members[domains_[type][rank]].push_back(rank);
            }
        }
        return members;
    }

    // The innermost type of a machine that has a domain of exactly these; else the innermost level.
    std::size_t name(const Ranks& group, const Ranks& ranks) const {
        std::size_t level = 0;
        std::size_t machine = types_.size();
        for (std::size_t type = 0; type < types_.size(); ++type) {
            const std::int32_t domain = domains_[type][group[0]];
            std::size_t num_members = 0;
            for (const std::uint32_t rank : ranks) {
                num_members += domain >= 0 && domains_[type][rank] == domain ? 1 : 0;
            }
            const bool is_it = num_members == group.size() &&
                               std::all_of(group.begin(), group.end(), [&](std::uint32_t rank) {
                                   return domains_[type][rank] == domain;
                               });
            (types_[type].is_level ? level : machine) = is_it                   ? type
                                                        : types_[type].is_level ? level
                                                                                : machine;
        }
        return machine < types_.size() ? machine : level;
    }

    std::vector<ResourceType> types_;
    std::vector<std::vector<std::int32_t>> domains_;  // by type, then rank
};

void descend(const Catalogue& catalogue, const Ranks& parent, std::uint32_t rank, bool is_own,
             std::size_t depth, PlainHierarchy& out) {
    out.depth = std::max(out.depth, depth);
    const std::vector<Group> groups = catalogue.split(parent);
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const Ranks& ranks = groups[i].ranks;
        const bool is_mine = is_own && std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
        if (is_mine) {
            PlainStep step = {ranks, {}, catalogue.uri(groups[i].type), i, groups.size()};
            for (const Group& group : groups) {
                if (ranks[0] == rank) {
                    step.roots.push_back(group.ranks[0]);
                }
            }
            out.steps.push_back(step);
        }
        descend(catalogue, ranks, rank, is_mine, depth + 1, out);
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
    const Catalogue catalogue(table);
    PlainSplit split = plain_nobody(table);
    for (const Group& group : catalogue.split(all_ranks(table.size()))) {
        for (const std::uint32_t rank : group.ranks) {
            split.group[rank] = static_cast<std::int32_t>(split.types.size());
        }
        split.types.push_back(catalogue.uri(group.type));
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
    descend(Catalogue(table), all_ranks(table.size()), rank, true, 0, hierarchy);
    return hierarchy;
}

}  // namespace hitopo::oracle
