// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo check --links`: pairs of processes that measure at the same time, and the node or uplink that
// explains why some are slow. All but measure_links.cc is pure.
#ifndef OMPI_TOOLS_HITOPO_LINKS_LINKS_H
#define OMPI_TOOLS_HITOPO_LINKS_LINKS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/address/level.h"
#include "ompi/tools/hitopo/devices/job.h"
#include "ompi/tools/hitopo/document.h"

namespace hitopo::tool {

// A process that measures for its node, or for one of its node's NICs.
struct LinkEnd {
    std::int32_t rank = 0;
    std::int32_t rail = 0;  // which of the NICs that its node uses
    // A level that some rank does not know is 0 for all; the node is its index in the table.
    std::array<std::int32_t, kNumLevels> address{};
};

// The lowest rank of each node; where that uses several NICs, for each of them the lowest rank that is
// near to it, or chose it, and is no end yet. In the order of addresses; rank 0 is one.
std::vector<LinkEnd> link_ends(const TableDocument& table, const DeviceJob& devices);

// Pairs to compare with each other: they differ at that level, at none outside. Inner levels first.
enum class LinkKind { kAlone, kTogether, kLatency };  // the first two are bandwidths
struct LinkClass {
    int rail = 0;
    Level level = kNode;
    LinkKind kind = LinkKind::kAlone;

    bool is_latency() const { return kind == LinkKind::kLatency; }
    bool is_together() const { return kind == LinkKind::kTogether; }
    std::tuple<int, int, LinkKind> order() const { return {rail, -level, kind}; }
    friend bool operator<(const LinkClass& a, const LinkClass& b) { return a.order() < b.order(); }
};

struct LinkPair {
    LinkClass where;
    std::size_t round = 0, first = 0, second = 0;  // the last two: indices of ends
};

// By round, each of one class; no end is twice in it. kAlone: an uplink carries one. kTogether: those of
// that level carry as many as the smallest group has ends, as only many show that some cables of one are
// lost. Each group meets all others, or kMostLinkRounds; ends take turns. Empty: all are on one node.
inline constexpr std::size_t kMostLinkRounds = 12;
std::vector<LinkPair> link_pairs(const std::vector<LinkEnd>& ends);

// MB/s, and 1 / us of half the time there and back: the best of each part of the repetitions, so that
// what one part shows can be found again in others. 0: the part has no repetition.
inline constexpr std::size_t kNumLinkParts = 3;
using LinkParts = std::array<double, kNumLinkParts>;
using LinkValues = std::array<LinkParts, 2>;

// Where a fault can be: an end (kNode, its index), or the uplink of a group (its level and number).
using LinkPlace = std::pair<Level, int>;

struct MeasuredLinks {
    std::vector<LinkEnd> ends;
    std::vector<LinkPair> pairs;     // link_pairs(ends)
    std::vector<LinkValues> values;  // by pair

    LinkPlace place_of(std::size_t end, Level level) const {
        return {level, level == kNode ? static_cast<int>(end) : ends[end].address[level]};
    }
};

// Measures in MPI_COMM_WORLD for so many seconds and one round at most. Ends and pairs (one or more) are
// the same at all processes; rank 0 gets the values. Collective. In measure_links.cc.
void measure_links(MeasuredLinks& links, int seconds);

struct LinkFault {
    std::vector<LinkPlace> places;            // one; several if the same pairs speak for each
    LinkClass where = {};                     // the first class in which the place is slow
    std::size_t num_slow = 0, num_pairs = 0;  // there
    double ratio = 1;                         // the median of the slow ones, of the class's; below 1
    double inside = 0;  // the ratio of the bandwidths inside of its group; 0: of an end, or unknown
};

struct LinkSummary {
    LinkClass where = {};
    std::size_t num_pairs = 0;  // kTogether: of groups
    double median = 0;          // MB/s or us, of the medians of ends or groups
    bool has_fault = false;
    bool is_noisy = false;

    const char* unit() const { return where.is_latency() ? "us" : "MB/s"; }
    const char* answer() const { return has_fault ? "fault" : is_noisy ? "too noisy to tell" : "ok"; }
};

// A pair is slow below this share of its class's median bandwidth, or of its median 1 / latency. A place
// is at fault if nearly all its pairs of a class are, three or more, in each part by itself; that which
// explains most is found first, and its pairs say no more about others. Too noisy to tell: a class with
// slow pairs left, or parts that differ as much. No class: a part has no repetition. In judge_links.cc.
inline constexpr double kSlowBandwidth = 0.7, kSlowLatency = 0.4;
std::vector<LinkSummary> judge_links(const MeasuredLinks& links, std::vector<LinkFault>& faults);

}  // namespace hitopo::tool

#endif
