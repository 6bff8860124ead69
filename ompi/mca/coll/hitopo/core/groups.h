// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Who is near whom, as one process needs it to take part in a collective: the groups that hold it, from
// the whole communicator inwards, each with the children that it is divided into.
//
// Processes stand in the order of their addresses; where one stands is its position. So each group of
// each level is an interval of positions, whatever the ranks are.
#ifndef OMPI_MCA_COLL_HITOPO_CORE_GROUPS_H
#define OMPI_MCA_COLL_HITOPO_CORE_GROUPS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/level.h"

namespace hitopo::coll {

// The level of a group that is divided into single processes: inside of all levels of an address.
inline constexpr int kProcess = kNumLevels;
inline constexpr int kNumDivisions = kNumLevels + 1;

// "cluster" .. "hwthread", "process".
std::string_view division_name(int level);

template <class T>
using ByDivision = std::array<T, kNumDivisions>;

// A row of kNumLevels numbers for each rank, as of ompi_hitopo_get_addrs.
using AddressRows = const std::int32_t* const*;

// Positions first .. last - 1.
struct Interval {
    int first = 0, last = 0;

    int size() const { return last - first; }
    bool holds(int position) const { return position >= first && position < last; }

    friend bool operator==(const Interval& a, const Interval& b) {
        return a.first == b.first && a.last == b.last;
    }
};

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

// The communicator as a whole, for what all its processes have to decide alike.
struct Shape {
    int num_processes = 0;
    ByDivision<int> max_children = {};  // of one group; 0: no group is divided at this level
    ByDivision<int> num_groups = {};  // that the processes are in by this level and those outside of it
    ByDivision<int> max_leaving =
        {};  // of one such group's: whose next rank (round the end) is in another
};

class Groups {
public:
    // rows: one for each of num_ranks ranks; read here only. levels: bit l says whether level l counts;
    // processes that do not differ in those are divided as kProcess. O(P log P).
    Groups(AddressRows rows, int num_ranks, int own_rank, unsigned levels);

    const std::vector<Group>& path() const { return path_; }  // outermost first
    const Shape& shape() const { return shape_; }
    int size() const { return static_cast<int>(rank_of_.size()); }
    int own_position() const { return own_position_; }
    int rank_of(int position) const { return rank_of_[static_cast<std::size_t>(position)]; }
    int position_of(int rank) const { return position_of_[static_cast<std::size_t>(rank)]; }
    bool is_in_rank_order() const { return is_in_rank_order_; }

    // The child that holds `position` of the group that is `whole`, which may be any group that holds
    // it; a single process is its own child.
    Interval child_with(int position, Interval whole) const;

private:
    void divide(AddressRows rows, unsigned levels);
    int most_leaving(const std::vector<int>& starts) const;
    void follow_own_path();

    // Where the groups of a level that counts begin, and the end of the last.
    struct Division {
        int level;
        std::vector<int> starts;
    };

    std::vector<int> rank_of_, position_of_;
    std::vector<Division> divisions_;  // outermost first; not that into single processes
    std::vector<Group> path_;
    Shape shape_;
    int own_position_ = 0;
    bool is_in_rank_order_ = true;
};

// The levels that count in collectives. Rebinds change what is inside of nodes, and processes would not
// follow at the same calls.
inline constexpr unsigned kCountingLevels = 1u << kCluster | 1u << kIsland | 1u << kSwitch | 1u << kNode;

// Inside of one node others do better.
bool has_several_nodes(const Groups& groups);

}  // namespace hitopo::coll

#endif
