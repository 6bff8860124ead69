// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>
#include <set>

#include "ompi/tools/hitopo/links/links.h"
#include "ompi/tools/hitopo/tune/tuning.h"

namespace hitopo::tool {
namespace {

// At least so many eighths of a place's pairs in a class are slow, and so many pairs in all.
constexpr std::size_t kLeastEighths = 7, kLeastPairs = 3;

// A pair; or all pairs together of two groups.
struct Reading {
    LinkClass where;
    std::set<LinkPlace> crossed, around;  // ends and uplinks; groups that all its ends are in
    std::set<LinkPlace> suspects;  // of those crossed, if it is slow; none once one crossed is at fault
    std::size_t num_pairs = 0;
    LinkParts parts{};     // MB/s or 1 / us; sums
    double ratio = 1;      // of its best part, to that of its class
    bool is_sure = false;  // it is slow in each part by itself

    double best() const { return *std::max_element(parts.begin(), parts.end()); }
    double worst() const { return *std::min_element(parts.begin(), parts.end()); }
    double limit() const { return where.is_latency() ? kSlowLatency : kSlowBandwidth; }
};
// By class, round, and the side of the first ends, which has one in each round.
using Readings = std::map<std::tuple<LinkClass, std::size_t, LinkPlace>, Reading>;

void add(const MeasuredLinks& links, std::size_t number, const LinkClass& where, Readings& readings) {
    const LinkPair& pair = links.pairs[number];
    Reading& reading = readings[{where, pair.round, links.place_of(pair.first, where.level)}];
    reading.where = where;
    ++reading.num_pairs;
    for (const Level level : {kCluster, kIsland, kSwitch, kNode}) {
        const LinkPlace a = links.place_of(pair.first, level), b = links.place_of(pair.second, level);
        (a == b ? reading.around : reading.crossed).insert({a, b});
        // An end that is slow is so alone, too.
        if (a != b && (level == where.level || !where.is_together())) {
            reading.suspects.insert({a, b});
        }
    }
    for (std::size_t part = 0; part < kNumLinkParts; ++part) {
        reading.parts[part] += links.values[number][where.is_latency() ? 1 : 0][part];
    }
}

// By class, of the medians of groups: one slow node slows most pairs among three, but not most nodes.
std::map<LinkClass, double> medians(const Readings& readings, double (Reading::*value)() const) {
    std::map<std::pair<LinkClass, LinkPlace>, std::vector<double>> by_place;
    for (const auto& [key, reading] : readings) {
        for (const LinkPlace& place : reading.suspects) {
            if (place.first == reading.where.level) {
                by_place[{reading.where, place}].push_back((reading.*value)());
            }
        }
    }
    std::map<LinkClass, std::vector<double>> by_class;
    for (const auto& [key, values] : by_place) {
        by_class[key.first].push_back(interval_of(values).median);
    }
    std::map<LinkClass, double> medians;
    for (const auto& [where, values] : by_class) {
        medians[where] = interval_of(values).median;
    }
    return medians;
}

// The slow pairs that each place explains, of the classes in which nearly all of its pairs are slow.
using Slow = std::vector<const Reading*>;
std::map<LinkPlace, Slow> explanations(const Readings& readings) {
    std::map<std::pair<LinkPlace, LinkClass>, std::pair<Slow, std::size_t>> crossings;
    for (const auto& [key, reading] : readings) {
        for (const LinkPlace& place : reading.suspects) {
            auto& [slow, num] = crossings[{place, reading.where}];
            ++num;
            if (reading.is_sure) {
                slow.push_back(&reading);
            }
        }
    }
    std::map<LinkPlace, Slow> explained;
    for (const auto& [key, crossing] : crossings) {
        const auto& [slow, num] = crossing;
        if (slow.size() * 8 >= num * kLeastEighths) {
            explained[key.first].insert(explained[key.first].end(), slow.begin(), slow.end());
        }
    }
    return explained;
}

// The place that explains most slow pairs comes first. Pairs that cross it speak for no others any more.
std::vector<LinkFault> find_faults(Readings& readings) {
    for (std::vector<LinkFault> faults;;) {
        const std::map<LinkPlace, Slow> explained = explanations(readings);
        const auto most = std::max_element(
            explained.begin(), explained.end(),
            [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
        LinkFault fault;
        std::size_t num_pairs = 0;
        std::vector<double> ratios, inside;
        for (const Reading* reading : most == explained.end() ? Slow() : most->second) {
            fault.where = num_pairs == 0 ? reading->where : fault.where;
            num_pairs += reading->num_pairs;
            if (!(fault.where < reading->where)) {
                ratios.push_back(reading->ratio);
            }
        }
        if (num_pairs < kLeastPairs) {
            return faults;
        }
        for (const auto& [place, slow] : explained) {
            if (slow == most->second) {
                fault.places.push_back(place);
            }
        }
        for (auto& [key, reading] : readings) {
            const bool is_there =
                reading.suspects.count(most->first) > 0 && reading.where.order() == fault.where.order();
            fault.num_pairs += is_there ? 1 : 0;
            if (reading.where.kind == LinkKind::kAlone && reading.around.count(most->first) > 0) {
                inside.push_back(reading.ratio);
            }
            if (reading.crossed.count(most->first) > 0) {
                reading.suspects.clear();
            }
        }
        fault.num_slow = ratios.size();
        fault.ratio = interval_of(ratios).median;
        fault.inside = inside.empty() ? 0 : interval_of(inside).median;
        faults.push_back(fault);
    }
}

}  // namespace

std::vector<LinkSummary> judge_links(const MeasuredLinks& links, std::vector<LinkFault>& faults) {
    Readings readings;
    for (std::size_t i = 0; i < links.pairs.size(); ++i) {
        const LinkClass& where = links.pairs[i].where;
        add(links, i, where, readings);
        if (!where.is_together()) {
            add(links, i, {where.rail, where.level, LinkKind::kLatency}, readings);
        }
    }
    const auto bests = medians(readings, &Reading::best), worsts = medians(readings, &Reading::worst);
    for (auto& [key, reading] : readings) {
        if (reading.worst() <= 0) {
            return {};
        }
        reading.ratio = reading.best() / bests.at(reading.where);
        reading.is_sure = reading.best() < reading.limit() * worsts.at(reading.where);
    }
    faults = find_faults(readings);
    std::vector<LinkSummary> classes;
    for (const auto& [key, reading] : readings) {
        const double best = bests.at(reading.where), worst = worsts.at(reading.where);
        if (classes.empty() || classes.back().where < reading.where) {
            classes.push_back({reading.where});
        }
        LinkSummary& summary = classes.back();
        ++summary.num_pairs;
        summary.median = reading.where.is_latency() ? 1 / best : best;
        (reading.suspects.empty() ? summary.has_fault : summary.is_noisy) |=
            reading.ratio < reading.limit();
        summary.is_noisy |= worst < reading.limit() * best;
    }
    return classes;
}

}  // namespace hitopo::tool
