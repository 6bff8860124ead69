// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The positions of a communicator's processes in the order of their addresses, so that each group of
// each level is an interval of positions, whatever the ranks are; and the groups of near processes, as
// one process needs them for a collective: those that hold it, from the whole communicator inwards, each
// with the children that it is divided into.
#ifndef OMPI_MCA_COLL_HITOPO_CORE_GROUPS_H
#define OMPI_MCA_COLL_HITOPO_CORE_GROUPS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/level.h"

namespace hitopo::coll {

// ---- positions.cc ----

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
    // The groups of processes whose counting levels down to `level` are equal are numbered in the order
    // of positions. The one that holds a position; and its first position, of the one behind the last
    // the number of positions.
    virtual int group_at(int level, int position) const = 0;
    virtual int group_begin(int level, int group) const = 0;
    Interval group(int level, int position) const {
        const int group = group_at(level, position);
        return {group_begin(level, group), group_begin(level, group + 1)};
    }
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
    int group_at(int level, int position) const override;
    int group_begin(int level, int group) const override {
        return starts_[static_cast<std::size_t>(level)][static_cast<std::size_t>(group)];
    }

private:
    unsigned levels_;
    std::vector<int> rank_of_, position_of_;
    std::vector<std::vector<int>> starts_;  // by level, of its groups, and the end of the last
};

// ---- groups.cc ----

// The level of a group that is divided into single processes: inside of all levels of an address.
inline constexpr int kProcess = kNumLevels;
inline constexpr int kNumDivisions = kNumLevels + 1;

// "cluster" .. "hwthread", "process".
std::string_view division_name(int level);

template <class T>
using ByDivision = std::array<T, kNumDivisions>;

// A group of which this process is a member, and that has two children at least.
struct Group {
    int level = kProcess;     // at which its children differ
    std::vector<int> starts;  // the first position of each child, and the end of the last
    int own = 0;              // the child that holds this process

    int num_children() const { return static_cast<int>(starts.size()) - 1; }
    Interval child(int i) const {
        return {starts[static_cast<std::size_t>(i)], starts[static_cast<std::size_t>(i) + 1]};
    }
    Interval whole() const { return {starts.front(), starts.back()}; }
    int child_of(int position) const;
};

// The communicator as a whole, for decisions that all its processes make alike.
struct Shape {
    int num_processes = 0;
    ByDivision<int> max_children = {};  // of one group; 0: no group is divided at this level
    ByDivision<int> num_groups = {};  // that the processes are in by this level and those outside of it
    bool is_by_slot = true;           // the ranks of each group follow each other
    // Short calls pass through memory that a node's processes share (coll_hitopo_share).
    bool shares_memory = false;
    bool may_exchange = true;  // leaders may exchange short sums (coll_hitopo_exchange)
};

class Groups {
public:
    // Processes that do not differ in the levels that count are divided as kProcess. Time and memory
    // O(P); it keeps the groups of path().
    Groups(std::shared_ptr<const Positions> positions, int own_rank);

    const std::vector<Group>& path() const { return path_; }  // outermost first
    const Shape& shape() const { return shape_; }
    // All processes, divided into nodes: the innermost groups that count. Time O(nodes).
    Group nodes() const;
    int size() const { return positions_->size(); }
    int own_position() const { return own_position_; }
    const Positions& positions() const { return *positions_; }
    int rank_of(int position) const { return positions_->rank_of(position); }
    int position_of(int rank) const { return positions_->position_of(rank); }

    // The child that holds `position` of the group that is `whole`, which may be any group that holds
    // it; a single process is its own child.
    Interval child_with(int position, Interval whole) const;

private:
    std::shared_ptr<const Positions> positions_;
    std::vector<Group> path_;
    Shape shape_;
    int own_position_;
};

// Whether the largest node has so many processes that short messages pass through memory which they
// share. least: coll_hitopo_share; 0: never.
bool shares_memory(const Shape& shape, int least);

// Inside of one node, other components do better.
bool has_several_nodes(const Shape& shape);

}  // namespace hitopo::coll

#endif
