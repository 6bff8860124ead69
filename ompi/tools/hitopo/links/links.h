// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo check --links`: rounds of disjoint pairs of processes, which measure at the same time; and the
// node or uplink that explains why some pairs are slow. All but measure_links.cc is pure.
#ifndef OMPI_TOOLS_HITOPO_LINKS_LINKS_H
#define OMPI_TOOLS_HITOPO_LINKS_LINKS_H

#include <array>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/address/level.h"
#include "ompi/tools/hitopo/devices/job.h"
#include "ompi/tools/hitopo/document.h"

namespace hitopo::tool {

// ---- link_rounds.cc ----

// A process that measures for its node, or for one of its node's NICs.
struct LinkEnd {
    std::int32_t rank = 0;
    std::int32_t rail = 0;  // which of the NICs that its node uses
    // A level that some rank does not know is 0 for all; the node is its index in the table.
    std::array<std::int32_t, kNumLevels> address{};
};

// The lowest rank of each node; where that uses several NICs, for each of them the lowest rank that is
// near to it, or chose it, and is no end yet. Empty where the job has one node.
std::vector<LinkEnd> link_ends(const TableDocument& table, const DeviceJob& devices);

// Pairs of one rail and level, as indices of ends: they differ at that level, but at none outside of it.
// No end is in two. Each uplink that carries any, of groups of that level, carries equally many, so that
// pairs of one level can be compared: one, or with is_together as many as the smallest group can send
// from different groups inside, since an uplink of many cables shows only to many that it has lost some.
struct LinkRound {
    int rail = 0;
    Level level = kNode;
    bool is_together = false;
    std::vector<std::pair<int, int>> pairs;
};

// The same at all processes that have the same ends. Each group of each level meets as many others as
// there are, or kMostLinkRounds, and its ends take turns.
inline constexpr int kMostLinkRounds = 12;
std::vector<LinkRound> link_rounds(const std::vector<LinkEnd>& ends);

// ---- what is measured ----

// Repetitions belong to parts in turn, so that what one part shows can be found again in the others.
inline constexpr int kLinkParts = 3;

// The best of a part's repetitions, as one end of a pair finds it: of what came to it. 0: nothing came.
struct LinkValue {
    double us = 0;  // half of there and back
    double mb_per_s = 0;
};

struct MeasuredLinks {
    std::vector<LinkEnd> ends;
    std::vector<LinkRound> rounds;  // link_rounds(ends)
    std::vector<LinkValue> values;  // by end, round and part

    const LinkValue& at(std::size_t end, std::size_t round, int part) const {
        return values[(end * rounds.size() + round) * kLinkParts + static_cast<std::size_t>(part)];
    }
};

// Measures in MPI_COMM_WORLD for so many seconds and one round at most. Ends and rounds are the same at
// all processes; rank 0 gets the values. Collective. In measure_links.cc, which alone needs MPI.
void measure_links(MeasuredLinks& links, int seconds);

// ---- judge_links.cc ----

// Pairs that are compared with each other. Ordered: inner levels first, and bandwidth.
struct LinkClass {
    int rail = 0;
    Level level = kNode;
    bool is_together = false;
    bool is_latency = false;

    std::tuple<int, int, bool, bool> order() const { return {rail, -level, is_latency, is_together}; }
    friend bool operator<(const LinkClass& a, const LinkClass& b) { return a.order() < b.order(); }
    friend bool operator==(const LinkClass& a, const LinkClass& b) { return a.order() == b.order(); }
};

// Where a fault can be: at an end (kNode and its index), or in the uplink of a group (its level and
// number).
using LinkPlace = std::pair<Level, int>;

struct LinkFault {
    std::vector<LinkPlace> places;  // one; several if the same pairs speak for each
    LinkClass where = {};           // the first class in which the place is slow
    double ratio = 1;               // there, the median of its pairs, of the class's
    int num_slow = 0, num_pairs = 0;
    double inside = 0;  // the ratio of the bandwidths inside of its group; 0: of an end, or unknown
};

struct LinkSummary {
    LinkClass where;
    int num_pairs = 0;
    double median = 0;             // MB/s or us, of the medians of ends or groups
    bool has_fault = false;        // that explains slow pairs
    int num_unexplained = 0;       // slow pairs, of which no place is slow in its other pairs
    bool do_parts_differ = false;  // so much that a fault would not show

    bool is_noisy() const { return num_unexplained > 0 || do_parts_differ; }
};

struct LinkVerdict {
    std::vector<LinkFault> faults;
    std::vector<LinkSummary> classes;  // ordered; empty: a part has no repetition, nothing can be told
};

// A pair is slow below this share of its class's median bandwidth, or at more than so many times its
// latency.
inline constexpr double kSlowBandwidth = 0.7;
inline constexpr double kSlowLatency = 2.5;

// A place is at fault if nearly all its pairs of a class are slow, three or more, and in each part by
// itself. That which explains most slow pairs is found first, and its pairs say no more about others.
// Too noisy to tell: a class with slow pairs left, such as those of a place that only some parts show;
// or whose parts differ, in which no fault is looked for.
LinkVerdict judge_links(const MeasuredLinks& links);

}  // namespace hitopo::tool

#endif
