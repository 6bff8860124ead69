// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "ompi/mca/hitopo/core/tree/partition.h"
#include "ompi/mca/hitopo/core/tree/type_order.h"

namespace hitopo {
namespace {

// ---- the parts of an unguided split ----

using SeatList = std::vector<std::uint32_t>;                 // of a layout, counted from its first seat
using SeatDomains = std::vector<std::vector<std::int32_t>>;  // by type, the outermost first, and seat

// The first node of each part of nodes [begin, end), and the end: the largest domains of network levels
// that are strict subsets, or nodes. end - begin > 1. Levels nest: the nodes of one instance have the
// same outer levels.
std::vector<std::uint32_t> parts_of_nodes(const AddressTree& tree, std::uint32_t begin,
                                          std::uint32_t end) {
    std::vector<std::uint32_t> parts;
    for (std::uint32_t node = begin; node < end;) {
        parts.push_back(node);
        std::uint32_t next = node + 1;
        for (const Level level : {kCluster, kIsland, kSwitch}) {
            const std::int32_t own = tree.network_number(node, level);
            const bool is_strict =
                own != tree.network_number(begin, level) || own != tree.network_number(end - 1, level);
            if (own >= 0 && is_strict) {
                while (next < end && tree.network_number(next, level) == own) {
                    ++next;
                }
                break;
            }
        }
        node = next;
    }
    parts.push_back(end);
    return parts;
}

SeatList all_seats(const TreeLayout& layout) {
    SeatList all(layout.num_seats);
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

// The domains of the types that nest inside nodes.
SeatDomains seat_domains(const AddressTree& tree, const TreeLayout& layout) {
    SeatDomains domains;
    for (const ResourceType& type : nesting_types(tree)) {
        if (type.is_inside_node()) {
            domains.push_back(domains_in_layout(tree, type, layout));
        }
    }
    return domains;
}

// The largest strict subsets of `seats` among all domains, cut to them; where two cross, the larger,
// then that of the outer type stands whole.
std::vector<SeatList> parts_of_seats(const SeatDomains& domains, const SeatList& seats) {
    struct Section {
        SeatList::const_iterator begin, end;  // in one of by_domain
        std::size_t size() const { return static_cast<std::size_t>(end - begin); }
    };
    std::vector<SeatList> by_domain;  // of each type: the seats, those of one domain behind each other
    std::vector<Section> sections;
    by_domain.reserve(domains.size());
    for (const std::vector<std::int32_t>& domain : domains) {
        const auto is_before = [&](std::uint32_t a, std::uint32_t b) { return domain[a] < domain[b]; };
        if (std::none_of(seats.begin(), seats.end(),
                         [&](std::uint32_t seat) { return domain[seat] != domain[seats[0]]; })) {
            continue;  // all in one, or in none
        }
        SeatList& own = by_domain.emplace_back(seats);
        std::stable_sort(own.begin(), own.end(), is_before);
        for (auto begin = own.cbegin(); begin != own.cend();) {
            const auto end = std::upper_bound(begin, own.cend(), *begin, is_before);
            if (domain[*begin] >= 0) {
                sections.push_back({begin, end});
            }
            begin = end;
        }
    }
    std::stable_sort(sections.begin(), sections.end(),
                     [](const Section& a, const Section& b) { return a.size() > b.size(); });
    std::vector<bool> is_taken(seats.empty() ? 0 : seats.back() + std::size_t{1}, false);
    std::vector<SeatList> parts;
    for (const Section& section : sections) {
        if (std::none_of(section.begin, section.end,
                         [&](std::uint32_t seat) { return is_taken[seat]; })) {
            parts.emplace_back(section.begin, section.end);
            for (const std::uint32_t seat : parts.back()) {
                is_taken[seat] = true;
            }
        }
    }
    return parts;
}

}  // namespace

Partition Partition::unguided(const AddressTree& tree) {
    Partition out(tree);
    out.is_unguided_ = true;
    const auto num_nodes = static_cast<std::uint32_t>(tree.nodes().size());
    if (num_nodes > 1) {
        out.take_nodes();
        const std::vector<std::uint32_t> parts = parts_of_nodes(tree, 0, num_nodes);
        out.num_groups_ = parts.size() - 1;
        for (std::size_t part = 0; part < out.num_groups_; ++part) {
            out.group_of_slot_.resize(parts[part + 1], static_cast<std::int32_t>(part));
        }
        return out;
    }
    out.take_slots([&](const TreeLayout& layout) {
        Slots slots(layout.num_seats, Split::kNone);
        std::int32_t slot = 0;
        for (const SeatList& part : parts_of_seats(seat_domains(tree, layout), all_seats(layout))) {
            for (const std::uint32_t seat : part) {
                slots[seat] = slot;
            }
            ++slot;
        }
        return slots;
    });
    return out;
}

// ---- the hierarchy ----

namespace {

std::size_t depth_of_seats(const SeatDomains& domains, const SeatList& seats) {
    std::size_t most = 0;
    for (const SeatList& part : parts_of_seats(domains, seats)) {
        most = std::max(most, 1 + depth_of_seats(domains, part));
    }
    return most;
}

// inner_depths: by layout.
std::size_t depth_of_nodes(const AddressTree& tree, const std::vector<std::size_t>& inner_depths,
                           std::uint32_t begin, std::uint32_t end) {
    if (end - begin == 1) {
        return inner_depths[tree.layout_number(begin)];
    }
    std::size_t most = 0;
    const std::vector<std::uint32_t> parts = parts_of_nodes(tree, begin, end);
    for (std::size_t part = 0; part + 1 < parts.size(); ++part) {
        most = std::max(most, 1 + depth_of_nodes(tree, inner_depths, parts[part], parts[part + 1]));
    }
    return most;
}

std::size_t depth_of(const AddressTree& tree) {
    std::vector<std::size_t> inner_depths;
    for (const TreeLayout& layout : tree.layouts()) {
        inner_depths.push_back(depth_of_seats(seat_domains(tree, layout), all_seats(layout)));
    }
    return depth_of_nodes(tree, inner_depths, 0, static_cast<std::uint32_t>(tree.nodes().size()));
}

// Turns ranks in `group` into ranks of the whole communicator.
void renumber(Ranks& ranks, const Ranks& group) {
    for (std::uint32_t& rank : ranks) {
        rank = group[rank];
    }
}

}  // namespace

Hierarchy make_hierarchy(const AddressTree& tree, std::uint32_t rank) {
    Hierarchy out;
    out.depth = depth_of(tree);
    std::optional<AddressTree> part;  // of the latest group; before the first step there is none
    for (std::uint32_t own_rank = rank;;) {
        const AddressTree& parent = part ? *part : tree;
        const Partition partition = Partition::unguided(parent);
        HierarchyStep step = {partition.own(own_rank), {}};
        if (step.ranks.empty()) {
            return out;
        }
        if (step.ranks[0] == own_rank) {
            step.roots = partition.lowest_ranks();
        }
        own_rank = static_cast<std::uint32_t>(
            std::lower_bound(step.ranks.begin(), step.ranks.end(), own_rank) - step.ranks.begin());
        part = parent.restrict_to(step.ranks);
        if (!out.steps.empty()) {
            renumber(step.ranks, out.steps.back().ranks);
            renumber(step.roots, out.steps.back().ranks);
        }
        out.steps.push_back(std::move(step));
    }
}

}  // namespace hitopo
