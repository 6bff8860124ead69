// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/unguided.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "ompi/mca/hitopo/core/tree/inner_instances.h"
#include "ompi/mca/hitopo/core/tree/type_order.h"

namespace hitopo {

// Levels nest: what the nodes of an instance know of outer levels is the same.
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

SeatDomains seat_domains(const AddressTree& tree, const TreeLayout& layout) {
    SeatDomains domains;
    for (const ResourceType& type : nesting_types(tree)) {
        if (type.is_inside_node()) {
            domains.push_back(InnerInstances(tree.facts(), type).in_layout(tree, layout));
        }
    }
    return domains;
}

std::vector<SeatList> parts_of_seats(const SeatDomains& domains, const SeatList& seats) {
    std::vector<SeatList> sections;  // by type
    for (const std::vector<std::int32_t>& domain : domains) {
        std::map<std::int32_t, SeatList> own;
        for (const std::uint32_t seat : seats) {
            own[domain[seat]].push_back(seat);
        }
        own.erase(-1);
        for (auto& [number, members] : own) {
            if (members.size() < seats.size()) {
                sections.push_back(std::move(members));
            }
        }
    }
    std::stable_sort(sections.begin(), sections.end(),
                     [](const SeatList& a, const SeatList& b) { return a.size() > b.size(); });
    std::vector<bool> is_taken(seats.empty() ? 0 : seats.back() + std::size_t{1}, false);
    std::vector<SeatList> parts;
    for (SeatList& section : sections) {
        if (std::none_of(section.begin(), section.end(),
                         [&](std::uint32_t seat) { return is_taken[seat]; })) {
            for (const std::uint32_t seat : section) {
                is_taken[seat] = true;
            }
            parts.push_back(std::move(section));
        }
    }
    return parts;
}

}  // namespace hitopo
