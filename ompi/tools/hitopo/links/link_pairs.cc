// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>
#include <set>

#include "ompi/tools/hitopo/links/links.h"

namespace hitopo::tool {
namespace {

using Group = std::vector<std::size_t>;                                  // ends
using Groups = std::map<std::vector<std::int32_t>, std::vector<Group>>;  // by the group outside

// In each turn, group a meets the one with a + b = turn, modulo the number of groups if that is odd; the
// last of an even number meets the one that would meet itself. Pairs alone do not meet again.
void add_rounds(const LinkClass& where, const Groups& all, std::vector<LinkPair>& pairs) {
    std::size_t num_each = where.is_together() ? SIZE_MAX : 1;
    for (const auto& [path, groups] : all) {
        for (const Group& group : groups) {
            num_each = groups.size() == 1 ? num_each : std::min(num_each, group.size());
        }
    }
    std::set<std::pair<std::size_t, std::size_t>> met;
    for (std::size_t number = 0; number < kMostLinkRounds; ++number) {
        const std::size_t round = pairs.empty() ? 0 : pairs.back().round + 1;
        for (const auto& [path, groups] : all) {
            const std::size_t seats = groups.size() - 1 + groups.size() % 2;
            const std::size_t turn = number % seats, cycle = number / seats;
            // Far from each other, where there are many: inside of different groups.
            const auto end_of = [&](const Group& group, std::size_t i) {
                const std::size_t step = std::max<std::size_t>(1, group.size() / kMostLinkRounds);
                return where.is_together() ? group[i] : group[(turn + cycle) * step % group.size()];
            };
            const bool is_over = where.is_together() && (cycle > 0 || num_each == 1);
            for (std::size_t a = 0; a < seats && !is_over; ++a) {
                const std::size_t same = (turn + seats - a) % seats, b = same == a ? seats : same;
                for (std::size_t i = 0; b > a && b < groups.size() && i < num_each; ++i) {
                    const std::size_t first = end_of(groups[a], i), second = end_of(groups[b], i);
                    if (where.is_together() || met.emplace(first, second).second) {
                        pairs.push_back({where, round, first, second});
                    }
                }
            }
        }
    }
}

// The NICs of a rank, as places among those that its node uses; 0 where they are unknown.
std::vector<int> rails_of(const DeviceJob& devices, std::size_t rank) {
    std::vector<int> rails;
    if (rank < devices.ranks.size()) {
        const DeviceRank& own = devices.ranks[rank];
        const NodeDevices& node = devices.devices_of(own);
        const std::vector<int> used = used_nics(node);
        const std::vector<int> near = !own.nics.nics.empty() ? own.nics.nics
                                      : own.cpus.is_empty()  ? used
                                                             : nearest_nics(node, own.cpus);
        for (std::size_t rail = 0; rail < used.size(); ++rail) {
            if (std::count(near.begin(), near.end(), used[rail]) > 0) {
                rails.push_back(static_cast<int>(rail));
            }
        }
    }
    return rails.empty() ? std::vector<int>{0} : rails;
}

}  // namespace

std::vector<LinkEnd> link_ends(const TableDocument& table, const DeviceJob& devices) {
    std::vector<LinkEnd> ends;
    std::set<std::pair<int, int>> taken;  // rails of nodes
    for (std::size_t rank = 0; rank < table.ranks.size(); ++rank) {
        const RankRow& row = table.ranks[rank];
        const std::vector<int> rails = rails_of(devices, rank);
        const auto rail = std::find_if(rails.begin(), rails.end(),
                                       [&](int each) { return taken.emplace(row.node, each).second; });
        if (rail != rails.end()) {
            LinkEnd end{static_cast<std::int32_t>(rank), *rail, {0, 0, 0, row.node}};
            for (const Level level : {kCluster, kIsland, kSwitch}) {
                end.address[level] = table.levels[level].known == Known::kAll ? row.address[level] : 0;
            }
            ends.push_back(end);
        }
    }
    std::stable_sort(ends.begin(), ends.end(),
                     [](const LinkEnd& a, const LinkEnd& b) { return a.address < b.address; });
    return ends;
}

std::vector<LinkPair> link_pairs(const std::vector<LinkEnd>& ends) {
    std::map<std::pair<int, Level>, Groups> all;
    for (std::size_t end = 0; end < ends.size(); ++end) {
        const auto& address = ends[end].address;
        for (const Level level : {kCluster, kIsland, kSwitch, kNode}) {
            const std::vector<std::int32_t> outside(address.begin(), address.begin() + level);
            std::vector<Group>& groups = all[{ends[end].rail, level}][outside];
            if (groups.empty() || ends[groups.back()[0]].address[level] != address[level]) {
                groups.emplace_back();
            }
            groups.back().push_back(end);
        }
    }
    std::vector<LinkPair> pairs;
    for (const auto& [where, groups] : all) {
        add_rounds({where.first, where.second, LinkKind::kAlone}, groups, pairs);
        add_rounds({where.first, where.second, LinkKind::kTogether}, groups, pairs);
    }
    return pairs;
}

}  // namespace hitopo::tool
