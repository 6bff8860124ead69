// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <map>

#include "ompi/tools/hitopo/links/links.h"
#include "ompi/tools/hitopo/tune/tuning.h"

namespace hitopo::tool {
namespace {

// At least so many eighths of a place's pairs in a class are slow, and so many pairs in all.
constexpr std::size_t kLeastEighths = 7, kLeastPairs = 3;
// In the median of a class, the worst part's share of the best.
double least_agreement(const LinkClass& where) { return where.is_latency ? 0.6 : kSlowBandwidth; }

double slow_ratio(const LinkClass& where) {
    return where.is_latency ? 1 / kSlowLatency : kSlowBandwidth;
}

// A pair of ends; or all pairs together of two groups.
struct Reading {
    LinkClass where;
    std::array<LinkPlace, 2> sides;          // groups of its level, or ends
    std::vector<LinkPlace> suspects;         // that it crosses
    std::vector<LinkPlace> others;           // that carry a part of it
    std::array<double, kLinkParts> parts{};  // MB/s, or 1 / us: more is better
    double ratio = 1;                        // to the median of its class
    bool is_slow = false;

    double best() const { return *std::max_element(parts.begin(), parts.end()); }
    double worst() const { return *std::min_element(parts.begin(), parts.end()); }
    bool crosses(const std::vector<LinkPlace>& places) const {
        return std::any_of(places.begin(), places.end(), [&](const LinkPlace& place) {
            return std::count(suspects.begin(), suspects.end(), place) > 0 ||
                   std::count(others.begin(), others.end(), place) > 0;
        });
    }
};
using Readings = std::vector<Reading>;  // in the order of their classes

double median(std::vector<double> values) { return interval_of(std::move(values)).median; }

// ---- readings, each pair once ----

LinkPlace group_of(const MeasuredLinks& links, int end, Level level) {
    return {level, links.ends[static_cast<std::size_t>(end)].address[static_cast<std::size_t>(level)]};
}

// Its ends, and the uplinks of the groups in which these differ.
std::vector<LinkPlace> crossed_by(const MeasuredLinks& links, const std::pair<int, int>& pair) {
    std::vector<LinkPlace> places = {{kNode, pair.first}, {kNode, pair.second}};
    for (const Level level : {kSwitch, kIsland, kCluster}) {
        const LinkPlace a = group_of(links, pair.first, level), b = group_of(links, pair.second, level);
        if (a != b) {
            places.insert(places.end(), {a, b});
        }
    }
    return places;
}

using ByPair = std::map<std::pair<LinkClass, std::array<LinkPlace, 2>>, Reading>;

void add_round(const MeasuredLinks& links, std::size_t number, ByPair& all) {
    const LinkRound& round = links.rounds[number];
    const LinkClass bandwidth = {round.rail, round.level, round.is_together, false};
    LinkClass latency = bandwidth;
    latency.is_latency = true;
    ByPair own;
    for (const auto& pair : round.pairs) {
        const std::vector<LinkPlace> crossed = crossed_by(links, pair);
        const std::array<LinkPlace, 2> ends = {crossed[0], crossed[1]};
        const std::array<LinkPlace, 2> groups = {group_of(links, pair.first, round.level),
                                                 group_of(links, pair.second, round.level)};
        const std::array<LinkPlace, 2>& sides = round.level == kNode ? ends : groups;
        const std::array<LinkPlace, 2>& key = round.is_together ? groups : ends;
        Reading& rate = own[{bandwidth, key}];
        rate.sides = sides;
        rate.suspects =
            round.is_together ? std::vector<LinkPlace>(groups.begin(), groups.end()) : crossed;
        rate.others.insert(rate.others.end(), crossed.begin(), crossed.end());
        Reading trip{latency, sides, crossed, {}, {}};
        for (int part = 0; part < kLinkParts; ++part) {  // the worse of both directions
            const LinkValue& to = links.at(static_cast<std::size_t>(pair.second), number, part);
            const LinkValue& back = links.at(static_cast<std::size_t>(pair.first), number, part);
            const auto at = static_cast<std::size_t>(part);
            rate.parts[at] += std::min(to.mb_per_s, back.mb_per_s);
            trip.parts[at] = 1 / std::max({1e-9, to.us, back.us});
        }
        if (!round.is_together) {
            own[{latency, key}] = trip;
        }
    }
    for (auto& [key, reading] : own) {
        reading.where = key.first;
        const auto [kept, is_new] = all.emplace(key, reading);
        for (std::size_t part = 0; !is_new && part < kLinkParts; ++part) {
            kept->second.parts[part] = std::max(kept->second.parts[part], reading.parts[part]);
        }
    }
}

Readings readings_of(const MeasuredLinks& links) {
    ByPair all;
    for (std::size_t round = 0; round < links.rounds.size(); ++round) {
        add_round(links, round, all);
    }
    Readings readings;
    for (auto& [key, reading] : all) {
        readings.push_back(std::move(reading));
    }
    return readings;
}

// By class, of the medians of its sides: one slow node slows most pairs among three, but not most nodes.
template <class Value>
std::map<LinkClass, double> medians(const Readings& readings, Value value) {
    std::map<LinkClass, std::map<LinkPlace, std::vector<double>>> values;
    for (const Reading& reading : readings) {
        for (const LinkPlace& side : reading.sides) {
            values[reading.where][side].push_back(value(reading));
        }
    }
    std::map<LinkClass, double> medians;
    for (const auto& [where, by_place] : values) {
        std::vector<double> each;
        for (const auto& [place, own] : by_place) {
            each.push_back(median(own));
        }
        medians[where] = median(each);
    }
    return medians;
}

template <class Value>
void compare(Readings& readings, Value value) {
    const std::map<LinkClass, double> by_class = medians(readings, value);
    for (Reading& reading : readings) {
        reading.ratio = value(reading) / by_class.at(reading.where);
        reading.is_slow = reading.ratio < slow_ratio(reading.where);
    }
}

// ---- places that explain slow pairs ----

// The slow readings that each place explains, as indices, by class.
std::map<LinkPlace, std::vector<std::size_t>> explanations(const Readings& readings) {
    struct Crossing {
        std::vector<std::size_t> slow;
        std::size_t num = 0;
    };
    std::map<std::pair<LinkPlace, LinkClass>, Crossing> crossings;
    for (std::size_t i = 0; i < readings.size(); ++i) {
        for (const LinkPlace& place : readings[i].suspects) {
            Crossing& crossing = crossings[{place, readings[i].where}];
            ++crossing.num;
            if (readings[i].is_slow) {
                crossing.slow.push_back(i);
            }
        }
    }
    std::map<LinkPlace, std::vector<std::size_t>> explained;
    for (const auto& [key, crossing] : crossings) {
        if (crossing.slow.size() * 8 >= crossing.num * kLeastEighths) {
            std::vector<std::size_t>& own = explained[key.first];
            own.insert(own.end(), crossing.slow.begin(), crossing.slow.end());
        }
    }
    return explained;
}

LinkFault fault_of(const std::vector<LinkPlace>& places, const std::vector<std::size_t>& slow,
                   const Readings& readings) {
    LinkFault fault{places, readings[slow.front()].where};
    std::vector<double> ratios;
    for (const std::size_t i : slow) {
        if (!(fault.where < readings[i].where)) {
            ratios.push_back(readings[i].ratio);
        }
    }
    fault.ratio = median(ratios);
    fault.num_slow = static_cast<int>(ratios.size());
    for (const Reading& reading : readings) {
        const std::vector<LinkPlace>& crossed = reading.suspects;
        const bool is_own = std::count(crossed.begin(), crossed.end(), places.front()) > 0;
        fault.num_pairs += is_own && reading.where == fault.where ? 1 : 0;
    }
    return fault;
}

// Those together count as two: they are two at least.
std::size_t num_pairs(const std::vector<std::size_t>& indices, const Readings& readings) {
    std::size_t num = 0;
    for (const std::size_t i : indices) {
        num += readings[i].where.is_together ? 2 : 1;
    }
    return num;
}

std::vector<LinkFault> find_faults(Readings left) {
    std::vector<LinkFault> faults;
    for (;;) {
        const auto explained = explanations(left);
        const auto most = std::max_element(
            explained.begin(), explained.end(),
            [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
        if (most == explained.end() || num_pairs(most->second, left) < kLeastPairs) {
            return faults;
        }
        std::vector<LinkPlace> places;
        for (const auto& [place, slow] : explained) {
            if (slow == most->second) {
                places.push_back(place);
            }
        }
        faults.push_back(fault_of(places, most->second, left));
        left.erase(std::remove_if(left.begin(), left.end(),
                                  [&](const Reading& each) { return each.crosses(places); }),
                   left.end());
    }
}

// Whether some fault has one of these places.
bool are_among(const std::vector<LinkPlace>& places, const std::vector<LinkFault>& faults) {
    return std::any_of(faults.begin(), faults.end(), [&](const LinkFault& fault) {
        return std::find_first_of(places.begin(), places.end(), fault.places.begin(),
                                  fault.places.end()) != places.end();
    });
}

// The median ratio of bandwidths between the ends of a group; 0 where none were measured.
double ratio_inside(const LinkPlace& place, const MeasuredLinks& links, const Readings& readings) {
    std::vector<double> ratios;
    for (const Reading& reading : readings) {
        const LinkClass& where = reading.where;
        if (where.level > place.first && !where.is_together && !where.is_latency &&
            group_of(links, reading.suspects[0].second, place.first) == place) {
            ratios.push_back(reading.ratio);
        }
    }
    return ratios.empty() ? 0 : median(ratios);
}

// The share that a pair has in its worst part of its best; by class. Sums over pairs agree more than
// these, so that the less of both counts.
std::map<LinkClass, double> agreements(const Readings& readings) {
    std::map<LinkClass, double> shares =
        medians(readings, [](const Reading& each) { return each.worst() / each.best(); });
    for (auto& [where, share] : shares) {
        LinkClass alone = where;
        alone.is_together = false;
        share = std::min(share, shares.at(alone));
    }
    return shares;
}

// Those of classes whose parts agree: else a fault would not show, or noise would look like one.
Readings steady(Readings readings) {
    const std::map<LinkClass, double> by_class = agreements(readings);
    readings.erase(std::remove_if(readings.begin(), readings.end(),
                                  [&](const Reading& each) {
                                      return by_class.at(each.where) < least_agreement(each.where);
                                  }),
                   readings.end());
    return readings;
}

std::vector<LinkSummary> summaries(const Readings& readings, const std::vector<LinkFault>& faults) {
    const auto bests = medians(readings, [](const Reading& each) { return each.best(); });
    std::map<LinkClass, LinkSummary> by_class;
    for (const auto& [where, share] : agreements(readings)) {
        const double best = bests.at(where);
        by_class[where] = {where, 0, where.is_latency ? 1 / best : best,
                           false, 0, share < least_agreement(where)};
    }
    for (const Reading& reading : readings) {
        LinkSummary& summary = by_class[reading.where];
        const bool is_explained = std::any_of(faults.begin(), faults.end(), [&](const LinkFault& fault) {
            return reading.crosses(fault.places);
        });
        ++summary.num_pairs;
        summary.has_fault |= reading.is_slow && is_explained;
        summary.num_unexplained += reading.is_slow && !is_explained ? 1 : 0;
    }
    std::vector<LinkSummary> list;
    for (const auto& [where, summary] : by_class) {
        list.push_back(summary);
    }
    return list;
}

}  // namespace

LinkVerdict judge_links(const MeasuredLinks& links) {
    Readings readings = readings_of(links);
    if (std::any_of(readings.begin(), readings.end(),
                    [](const Reading& reading) { return reading.worst() <= 0; })) {
        return {};
    }
    compare(readings, [](const Reading& each) { return each.best(); });
    LinkVerdict verdict{find_faults(steady(readings)), {}};
    for (std::size_t part = 0; part < kLinkParts; ++part) {
        Readings of_part = steady(readings);
        compare(of_part, [&](const Reading& each) { return each.parts[part]; });
        const std::vector<LinkFault> here = find_faults(std::move(of_part));
        verdict.faults.erase(
            std::remove_if(verdict.faults.begin(), verdict.faults.end(),
                           [&](const LinkFault& fault) { return !are_among(fault.places, here); }),
            verdict.faults.end());
    }
    for (LinkFault& fault : verdict.faults) {
        fault.inside = ratio_inside(fault.places.front(), links, readings);
    }
    verdict.classes = summaries(readings, verdict.faults);
    return verdict;
}

}  // namespace hitopo::tool
