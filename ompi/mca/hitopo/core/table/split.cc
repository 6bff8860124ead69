// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/split.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace hitopo {
namespace {

// Any numbers of groups (below 0: none), all of one type.
Split number_groups(std::vector<std::int32_t> group, const std::string& type) {
    const auto highest = std::max_element(group.begin(), group.end());
    const std::size_t count =
        highest == group.end() ? 0 : static_cast<std::size_t>(std::max(*highest, Split::kNone) + 1);
    return without_empty_groups({std::move(group), std::vector<std::string>(count, type)});
}

// The processes of one domain within a communicator.
struct Section {
    const std::uint32_t* begin;
    const std::uint32_t* end;
    std::size_t type;
    std::size_t size() const { return static_cast<std::size_t>(end - begin); }
};

bool comes_first(const Section& a, const Section& b) {
    return std::make_tuple(b.size(), a.type, *a.begin) < std::make_tuple(a.size(), b.type, *b.begin);
}

// The ranks that have a domain, domain after domain; sections are views into them.
Ranks sort_by_domain(const Domains& domains, const Ranks& ranks) {
    std::vector<std::uint64_t> order;
    order.reserve(ranks.size());
    for (const std::uint32_t rank : ranks) {
        if (domains.domain[rank] >= 0) {
            order.push_back(static_cast<std::uint64_t>(domains.domain[rank]) << 32 | rank);
        }
    }
    std::sort(order.begin(), order.end());
    Ranks sorted(order.size());
    std::transform(order.begin(), order.end(), sorted.begin(),
                   [](std::uint64_t value) { return static_cast<std::uint32_t>(value); });
    return sorted;
}

void add_sections(const Domains& domains, std::size_t type, const Ranks& sorted, std::size_t size_of_all,
                  std::vector<Section>& sections) {
    const std::uint32_t* const end = sorted.data() + sorted.size();
    for (const std::uint32_t* at = sorted.data(); at != end;) {
        const std::int32_t domain = domains.domain[*at];
        const std::uint32_t* next =
            std::find_if(at, end, [&](std::uint32_t rank) { return domains.domain[rank] != domain; });
        if (static_cast<std::size_t>(next - at) < size_of_all) {
            sections.push_back({at, next, type});
        }
        at = next;
    }
}

Ranks all_ranks(std::size_t count) {
    Ranks ranks(count);
    std::iota(ranks.begin(), ranks.end(), 0U);
    return ranks;
}

}  // namespace

Ranks Split::members(std::size_t group_number) const {
    Ranks ranks;
    for (std::uint32_t rank = 0; rank < group.size(); ++rank) {
        if (group[rank] == static_cast<std::int32_t>(group_number)) {
            ranks.push_back(rank);
        }
    }
    return ranks;
}

Split split_by_type(const Table& table, const ResourceType& type) {
    return number_groups(domains_of(table, type).domain, type.uri());
}

Split split_by_shared_memory(const Table& table) {
    std::vector<std::uint64_t> ids(table.size());
    table.places().for_each(
        [&](std::size_t rank, RankMap::Place at) { ids[rank] = table.shared_id(at); });
    std::vector<std::uint64_t> distinct = ids;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    std::vector<std::int32_t> group(ids.size());
    std::transform(ids.begin(), ids.end(), group.begin(), [&](std::uint64_t id) {
        return static_cast<std::int32_t>(std::lower_bound(distinct.begin(), distinct.end(), id) -
                                         distinct.begin());
    });
    return number_groups(std::move(group), "");
}

Split split_nobody(std::size_t num_processes) {
    return {std::vector<std::int32_t>(num_processes, Split::kNone), {}};
}

Split split_alone(std::size_t num_processes) {
    std::vector<std::int32_t> group(num_processes);
    std::iota(group.begin(), group.end(), 0);
    return number_groups(std::move(group), "");
}

Split split_by_color(const std::vector<std::int64_t>& colors) {
    std::map<std::int64_t, std::int32_t> groups = {{0, Split::kNone}};
    std::vector<std::int32_t> group;
    group.reserve(colors.size());
    for (const std::int64_t color : colors) {
        group.push_back(groups.emplace(color, static_cast<std::int32_t>(groups.size())).first->second);
    }
    return number_groups(std::move(group), "");
}

Split fill_with_singles(Split split) {
    auto next = static_cast<std::int32_t>(split.count());
    const std::string type = split.types.empty() ? "" : split.types[0];
    for (std::int32_t& group : split.group) {
        group = group < 0 ? next++ : group;
    }
    return number_groups(std::move(split.group), type);
}

Split without_empty_groups(const Split& split) {
    std::vector<std::int32_t> number(split.count(), Split::kNone);
    Split result;
    for (const std::int32_t group : split.group) {
        if (group < 0) {
            result.group.push_back(Split::kNone);
            continue;
        }
        std::int32_t& own = number[static_cast<std::size_t>(group)];
        if (own == Split::kNone) {
            own = static_cast<std::int32_t>(result.count());
            result.types.push_back(split.types[static_cast<std::size_t>(group)]);
        }
        result.group.push_back(own);
    }
    return result;
}

DomainCatalogue::DomainCatalogue(const Table& table) : types_(resource_types(table)) {
    for (const ResourceType& type : types_) {
        domains_.push_back(domains_of(table, type));
    }
}

std::vector<DomainCatalogue::Group> DomainCatalogue::split(const Ranks& ranks) const {
    std::vector<Ranks> sorted;  // by type
    std::vector<Section> sections;
    sorted.reserve(types_.size());
    for (std::size_t type = 0; type < types_.size(); ++type) {
        sorted.push_back(sort_by_domain(domains_[type], ranks));
        add_sections(domains_[type], type, sorted.back(), ranks.size(), sections);
    }
    std::sort(sections.begin(), sections.end(), comes_first);

    std::vector<bool> is_taken(ranks.empty() ? 0 : ranks.back() + std::size_t{1}, false);
    std::vector<Group> groups;
    for (const Section& section : sections) {
        if (std::any_of(section.begin, section.end,
                        [&](std::uint32_t rank) { return is_taken[rank]; })) {
            continue;
        }
        for (const std::uint32_t* rank = section.begin; rank != section.end; ++rank) {
            is_taken[*rank] = true;
        }
        groups.push_back({Ranks(section.begin, section.end), section.type});
    }
    std::sort(groups.begin(), groups.end(),
              [](const Group& a, const Group& b) { return a.ranks[0] < b.ranks[0]; });
    name_groups(sorted, groups);
    return groups;
}

void DomainCatalogue::name_groups(const std::vector<Ranks>& sorted, std::vector<Group>& groups) const {
    for (Group& group : groups) {
        group.type = deepest_type(
            types_, [&](std::size_t type) { return is_domain(type, sorted[type], group.ranks); });
    }
}

// Whether one domain, cut to the communicator whose ranks are sorted by it, is exactly `group`.
bool DomainCatalogue::is_domain(std::size_t type, const Ranks& sorted, const Ranks& group) const {
    const std::vector<std::int32_t>& domain = domains_[type].domain;
    const std::int32_t own = domain[group[0]];
    if (own < 0 || domain[group.back()] != own) {
        return false;
    }
    const auto in_order = [&](std::uint32_t a, std::uint32_t b) {
        return std::make_pair(domain[a], a) < std::make_pair(domain[b], b);
    };
    const auto begin = std::lower_bound(sorted.begin(), sorted.end(), group[0], in_order);
    const auto num_left = static_cast<std::size_t>(sorted.end() - begin);
    return num_left >= group.size() && std::equal(group.begin(), group.end(), begin) &&
           (begin == sorted.begin() || domain[*(begin - 1)] != own) &&
           (num_left == group.size() ||
            domain[*(begin + static_cast<std::ptrdiff_t>(group.size()))] != own);
}

Split split_unguided(const Table& table) {
    const DomainCatalogue catalogue(table);
    Split split;
    split.group.assign(table.size(), Split::kNone);
    for (const DomainCatalogue::Group& group : catalogue.split(all_ranks(table.size()))) {
        for (const std::uint32_t rank : group.ranks) {
            split.group[rank] = static_cast<std::int32_t>(split.count());
        }
        split.types.push_back(catalogue.types()[group.type].uri());
    }
    return split;
}

// ---- the whole hierarchy ----

namespace {

class HierarchyBuilder {
public:
    HierarchyBuilder(const Table& table, std::uint32_t rank) : catalogue_(table), rank_(rank) {}

    Hierarchy build(std::size_t num_processes) {
        descend(all_ranks(num_processes), 0, true);
        return std::move(out_);
    }

private:
    void descend(const Ranks& parent, std::size_t depth, bool is_own) {
        const std::vector<DomainCatalogue::Group> groups = catalogue_.split(parent);
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const Ranks& ranks = groups[i].ranks;
            const bool is_mine = is_own && std::binary_search(ranks.begin(), ranks.end(), rank_);
            if (is_mine) {
                add_step(groups, i);
            }
            out_.depth = std::max(out_.depth, depth + 1);
            descend(ranks, depth + 1, is_mine);
        }
    }

    void add_step(const std::vector<DomainCatalogue::Group>& groups, std::size_t own) {
        HierarchyStep step;
        step.ranks = groups[own].ranks;
        step.type = catalogue_.types()[groups[own].type].uri();
        step.number = own;
        step.num_siblings = groups.size();
        if (step.ranks[0] == rank_) {
            for (const DomainCatalogue::Group& group : groups) {
                step.roots.push_back(group.ranks[0]);
            }
        }
        out_.steps.push_back(std::move(step));
    }

    const DomainCatalogue catalogue_;
    const std::uint32_t rank_;
    Hierarchy out_;
};

}  // namespace

Hierarchy make_hierarchy(const Table& table, std::uint32_t rank) {
    return HierarchyBuilder(table, rank).build(table.size());
}

}  // namespace hitopo
