// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/topo/hitopo/core/slots.h"

#include <algorithm>

namespace hitopo::topo {
namespace {

constexpr std::uint32_t kNobody = UINT32_MAX;

// Who found no room, with the position that it wants; ascending positions.
struct Left {
    std::uint32_t vertex, wanted;
};

// Puts those who are left into free slots of the group [first, end) that they want to be in.
void fill(std::uint32_t first, std::uint32_t end, PerProcess& vertex_at, std::vector<Left>& left,
          std::vector<Left>& still_left, std::size_t& next) {
    std::uint32_t slot = first;
    for (; next < left.size() && left[next].wanted < end; ++next) {
        slot = static_cast<std::uint32_t>(
            std::find(vertex_at.begin() + slot, vertex_at.begin() + end, kNobody) - vertex_at.begin());
        if (slot < end) {
            vertex_at[slot] = left[next].vertex;
        } else {
            still_left.push_back(left[next]);
        }
    }
}

void fill_groups(const PerProcess& starts, PerProcess& vertex_at, std::vector<Left>& left) {
    std::vector<Left> still_left;
    std::size_t next = 0;
    for (std::size_t group = 0; group < starts.size(); ++group) {
        const std::uint32_t end =
            group + 1 < starts.size() ? starts[group + 1] : static_cast<std::uint32_t>(vertex_at.size());
        fill(starts[group], end, vertex_at, left, still_left, next);
    }
    left = std::move(still_left);
}

}  // namespace

PerProcess one_in_each_slot(const std::vector<std::int32_t>& wanted, const Places& places) {
    PerProcess vertex_at(places.size(), kNobody);
    std::vector<Left> left;
    for (std::uint32_t v = 0; v < wanted.size(); ++v) {
        const auto position = static_cast<std::uint32_t>(wanted[v]);
        if (vertex_at[position] == kNobody) {
            vertex_at[position] = v;
        } else {
            left.push_back({v, position});
        }
    }
    std::stable_sort(left.begin(), left.end(),
                     [](const Left& a, const Left& b) { return a.wanted < b.wanted; });
    for (std::size_t i = places.levels().size(); i-- > 0;) {
        fill_groups(places.starts(i), vertex_at, left);
    }
    fill_groups({0}, vertex_at, left);
    PerProcess new_rank(places.size());
    for (std::size_t p = 0; p < vertex_at.size(); ++p) {
        new_rank[places.rank_at()[p]] = vertex_at[p];
    }
    return new_rank;
}

}  // namespace hitopo::topo
