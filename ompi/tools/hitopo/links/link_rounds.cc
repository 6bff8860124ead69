// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <climits>
#include <map>
#include <numeric>
#include <set>

#include "ompi/mca/coll/hitopo/core/groups.h"
#include "ompi/tools/hitopo/links/links.h"

namespace hitopo::tool {
namespace {

using coll::Interval;
using coll::RowPositions;

// The ranks of one node that measure, each with its NIC's place among those that the node uses.
std::vector<std::pair<int, int>> ends_of_node(const std::vector<int>& ranks, const DeviceJob& devices) {
    std::vector<std::pair<int, int>> ends;
    std::set<int> taken;
    const bool is_known = devices.ranks.size() > static_cast<std::size_t>(ranks.back());
    const std::vector<int> nics =
        is_known ? used_nics(devices.devices_of(devices.rank(ranks.front()))) : std::vector<int>();
    for (std::size_t rail = 0; nics.size() > 1 && rail < nics.size(); ++rail) {
        const auto rank = std::find_if(ranks.begin(), ranks.end(), [&](int each) {
            const DeviceRank& own = devices.rank(each);
            const NodeDevices& node = devices.devices_of(own);
            const std::vector<int> near = !own.nics.nics.empty() ? own.nics.nics
                                          : own.cpus.is_empty()  ? nics
                                                                 : nearest_nics(node, own.cpus);
            return taken.count(each) == 0 && std::count(near.begin(), near.end(), nics[rail]) > 0;
        });
        if (rank != ranks.end()) {
            taken.insert(*rank);
            ends.emplace_back(*rank, static_cast<int>(rail));
        }
    }
    return ends.empty() ? std::vector<std::pair<int, int>>{{ranks.front(), 0}} : ends;
}

// The groups of a level within one.
std::vector<Interval> parts_of(const RowPositions& all, Level level, Interval whole) {
    std::vector<Interval> parts;
    for (int at = whole.first; at < whole.last; at = parts.back().last) {
        parts.push_back(all.group(level, at));
    }
    return parts;
}

// In how many turns of a tournament each of so many has met each other; with an odd number, each rests
// once.
int num_turns(int num) { return num + num % 2 - 1; }

// The pairs of one turn: all but the last sit around a table and move on by a seat at each turn.
std::vector<std::pair<int, int>> turn_of(int num, int turn) {
    const int seats = num_turns(num);
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i <= seats / 2; ++i) {
        const int a = (turn + i) % seats;
        const int b = i == 0 ? seats : (turn % seats - i + seats) % seats;
        if (b < num) {
            pairs.emplace_back(a, b);
        }
    }
    return pairs;
}

// The rounds of one rail at one level.
class LevelRounds {
public:
    LevelRounds(const RowPositions& all, Level level) : all_(all), level_(level) {
        const Interval whole = {0, all.size()};
        const std::vector<Interval> outer = level == kCluster
                                                ? std::vector<Interval>{whole}
                                                : parts_of(all, static_cast<Level>(level - 1), whole);
        for (const Interval group : outer) {
            groups_.push_back(parts_of(all, level, group));
            const auto num = static_cast<int>(groups_.back().size());
            for (const Interval part : groups_.back()) {
                most_turns_ = num == 1 ? most_turns_ : std::max(most_turns_, num_turns(num));
                largest_ = std::max(largest_, part.size());
                num_together_ = num == 1 ? num_together_ : std::min(num_together_, num_inside(part));
            }
        }
    }

    int num_rounds(bool is_together) const {
        return is_together && num_together_ == 1
                   ? 0
                   : std::min(kMostLinkRounds, most_turns_ * (is_together ? 1 : largest_));
    }

    // As positions.
    std::vector<std::pair<int, int>> round(bool is_together, int number) const {
        std::vector<std::pair<int, int>> pairs;
        for (const std::vector<Interval>& parts : groups_) {
            const auto num = static_cast<int>(parts.size());
            if (num == 1) {
                continue;
            }
            const int num_each = is_together ? num_together_ : 1;
            for (const auto& [a, b] : turn_of(num, number)) {
                const std::vector<int> from =
                    ends_in(parts[static_cast<std::size_t>(a)], num_each, number, num_turns(num));
                const std::vector<int> to =
                    ends_in(parts[static_cast<std::size_t>(b)], num_each, number, num_turns(num));
                for (int i = 0; i < num_each; ++i) {
                    pairs.emplace_back(from[static_cast<std::size_t>(i)],
                                       to[static_cast<std::size_t>(i)]);
                }
            }
        }
        return pairs;
    }

private:
    std::vector<Interval> inside(Interval part) const {
        return level_ == kNode ? std::vector<Interval>{part}
                               : parts_of(all_, static_cast<Level>(level_ + 1), part);
    }
    int num_inside(Interval part) const { return static_cast<int>(inside(part).size()); }

    // The groups inside take turns, and the ends of each. They move on by one when turns and groups
    // would meet again, so that the same two do not.
    std::vector<int> ends_in(Interval part, int num_ends, int number, int turns) const {
        const std::vector<Interval> groups = inside(part);
        const auto num = static_cast<int>(groups.size());
        const int first = (number + number / std::lcm(turns, num)) * num_ends;
        std::vector<int> ends;
        for (int turn = first; turn < first + num_ends; ++turn) {
            const Interval group = groups[static_cast<std::size_t>(turn % num)];
            ends.push_back(group.first + turn / num % group.size());
        }
        return ends;
    }

    const RowPositions& all_;
    Level level_;
    std::vector<std::vector<Interval>> groups_;  // that are divided, each as its parts
    int most_turns_ = 0, largest_ = 1, num_together_ = INT_MAX;
};

}  // namespace

std::vector<LinkEnd> link_ends(const TableDocument& table, const DeviceJob& devices) {
    std::map<int, std::vector<int>> nodes;
    for (std::size_t rank = 0; rank < table.ranks.size(); ++rank) {
        nodes[table.ranks[rank].node].push_back(static_cast<int>(rank));
    }
    std::vector<LinkEnd> ends;
    for (const auto& [node, ranks] : nodes) {
        for (const auto& [rank, rail] : ends_of_node(ranks, devices)) {
            LinkEnd end{rank, rail, {}};
            for (const Level level : {kCluster, kIsland, kSwitch}) {
                const auto at = static_cast<std::size_t>(level);
                end.address[at] = table.levels[at].known == Known::kAll
                                      ? table.ranks[static_cast<std::size_t>(rank)].address[at]
                                      : 0;
            }
            end.address[kNode] = node;
            ends.push_back(end);
        }
    }
    return nodes.size() > 1 ? ends : std::vector<LinkEnd>();
}

std::vector<LinkRound> link_rounds(const std::vector<LinkEnd>& ends) {
    std::map<int, std::vector<int>> rails;
    for (std::size_t end = 0; end < ends.size(); ++end) {
        rails[ends[end].rail].push_back(static_cast<int>(end));
    }
    std::vector<LinkRound> rounds;
    for (const auto& [rail, members] : rails) {
        std::vector<const std::int32_t*> rows;
        for (const int end : members) {
            rows.push_back(ends[static_cast<std::size_t>(end)].address.data());
        }
        const RowPositions all(rows.data(), static_cast<int>(rows.size()));
        const auto end_at = [&, &members = members](int position) {
            return members[static_cast<std::size_t>(all.rank_of(position))];
        };
        for (const Level level : {kNode, kSwitch, kIsland, kCluster}) {
            const LevelRounds at_level(all, level);
            for (const bool is_together : {false, true}) {
                for (int number = 0; number < at_level.num_rounds(is_together); ++number) {
                    rounds.push_back({rail, level, is_together, {}});
                    for (const auto& [a, b] : at_level.round(is_together, number)) {
                        rounds.back().pairs.emplace_back(end_at(a), end_at(b));
                    }
                }
            }
        }
    }
    return rounds;
}

}  // namespace hitopo::tool
