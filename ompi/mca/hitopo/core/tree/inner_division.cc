// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/inner_division.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "ompi/mca/hitopo/core/tree/inner_instances.h"

namespace hitopo {

std::vector<SeatList> largest_domains(const std::vector<std::vector<std::int32_t>>& domains,
                                      const SeatList& seats) {
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

InnerDivision::InnerDivision(const AddressTree& tree, const std::vector<ResourceType>& types,
                             std::size_t layout)
    : tree_(tree), layout_(tree.layouts()[layout]) {
    for (const ResourceType& type : types) {
        if (type.is_inside_node()) {
            types_.push_back(&type);
            domains_.push_back(InnerInstances(tree.facts(), type).in_layout(tree, layout_));
        }
    }
}

SeatList InnerDivision::all() const {
    SeatList all(layout_.num_seats);
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

std::size_t InnerDivision::depth(const SeatList& seats) const {
    std::size_t most = 0;
    for (const SeatList& part : divide(seats)) {
        most = std::max(most, 1 + depth(part));
    }
    return most;
}

// What has the processes of a part has as many of them: CPUs tell.
std::size_t InnerDivision::deepest(const SeatList& parent, const SeatList& part) const {
    return deepest_type(types_.size(), [&](std::size_t type) -> std::optional<DomainSize> {
        const std::vector<std::int32_t>& domain = domains_[type];
        const std::int32_t own = domain[part[0]];
        const auto is_in = [&](std::uint32_t seat) { return domain[seat] == own; };
        const bool is_one = own >= 0 && std::all_of(part.begin(), part.end(), is_in) &&
                            std::count_if(parent.begin(), parent.end(), is_in) ==
                                static_cast<std::ptrdiff_t>(part.size());
        const InnerPlace& place = tree_.place(layout_.first_seat + part[0]);
        return is_one ? std::optional(
                            DomainSize{0, InnerInstances(tree_.facts(), *types_[type]).num_cpus(place)})
                      : std::nullopt;
    });
}

std::string InnerDivision::type_of(const SeatList& parent, const SeatList& part) const {
    return types_[deepest(parent, part)]->uri();
}

// Level node is outer than all of these.
std::string InnerDivision::type_of_node() const {
    const std::size_t type = deepest(all(), all());
    return type < types_.size() ? types_[type]->uri() : "hitopo://" + std::string(level_type(kNode));
}

}  // namespace hitopo
