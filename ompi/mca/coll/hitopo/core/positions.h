// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The positions of a communicator's processes in the order of their addresses. So each group of each
// level is an interval of positions, whatever the ranks are.
#ifndef OMPI_MCA_COLL_HITOPO_CORE_POSITIONS_H
#define OMPI_MCA_COLL_HITOPO_CORE_POSITIONS_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ompi/mca/hitopo/core/address/level.h"

namespace hitopo::coll {

// Positions first .. last - 1.
struct Interval {
    int first = 0, last = 0;

    int size() const { return last - first; }
    bool holds(int position) const { return position >= first && position < last; }

    friend bool operator==(const Interval& a, const Interval& b) {
        return a.first == b.first && a.last == b.last;
    }
};

// The levels that count in collectives. Rebinds change places inside of nodes, and processes would not
// follow at the same calls.
inline constexpr unsigned kCountingLevels = 1u << kCluster | 1u << kIsland | 1u << kSwitch | 1u << kNode;

class Positions {
public:
    virtual ~Positions() = default;

    virtual int size() const = 0;
    virtual int rank_of(int position) const = 0;
    virtual int position_of(int rank) const = 0;

    // Bit l is set if level l counts.
    virtual unsigned levels() const { return kCountingLevels; }
    // The processes whose counting levels down to `level` equal those of the process at that position.
    virtual Interval group(int level, int position) const = 0;
};

// A row of kNumLevels numbers for each rank, as of ompi_hitopo_get_addrs.
using AddressRows = const std::int32_t* const*;

// Positions by a table of addresses: by the levels that count, then by rank.
class RowPositions : public Positions {
public:
    // rows: read here only. O(P log P).
    RowPositions(AddressRows rows, int num_ranks, unsigned levels = kCountingLevels);

    int size() const override { return static_cast<int>(rank_of_.size()); }
    int rank_of(int position) const override { return rank_of_[static_cast<std::size_t>(position)]; }
    int position_of(int rank) const override { return position_of_[static_cast<std::size_t>(rank)]; }
    unsigned levels() const override { return levels_; }
    Interval group(int level, int position) const override;

private:
    unsigned levels_;
    std::vector<int> rank_of_, position_of_;
    std::vector<std::vector<int>> starts_;  // by level, of its groups, and the end of the last
};

}  // namespace hitopo::coll

#endif
