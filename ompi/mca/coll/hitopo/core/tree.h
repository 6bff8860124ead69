// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The tree along which one segment of a message goes: one k-nomial tree for each group, put together at
// the processes that lead their groups. A segment's turn determines the leaders, and the first child of
// a group, so that the trees of consecutive segments share the load of all links: each link carries each
// byte once each way.
#ifndef OMPI_MCA_COLL_HITOPO_CORE_TREE_H
#define OMPI_MCA_COLL_HITOPO_CORE_TREE_H

#include <memory>
#include <vector>

#include "ompi/mca/coll/hitopo/core/groups.h"
#include "ompi/mca/coll/hitopo/core/rounds.h"

namespace hitopo::coll {

inline constexpr int kNobody = -1;

// As a radix: a tree in which no process has more than two children. It is not much deeper than a
// binomial one, where few have many and most have none.
inline constexpr int kBinary = 0;

struct TreeShape {
    ByDivision<int> radix = {2, 2, 2, 2, 2, 2, 2, 2, 2};  // 2: binomial; 1: a chain
    int num_leaders = 1;                                  // of a group, that take turns
    // The first processes of the groups of this level exchange their sums in these rounds: the trees of
    // one segment that goes up and comes down connect the processes of such a group alone. kNobody,
    // NULL: there is one tree.
    int exchanging = kNobody;
    std::shared_ptr<const Rounds> rounds = nullptr;
};

// The begin of a segment's tree; positions.
struct Route {
    int root = 0;
    // The root's only child, which serves all others, so that the root's own links carry the message
    // once; kNobody: the root serves them.
    int proxy = kNobody;
    unsigned turn = 0;
    // The tree, or the part of it that connects nodes, which their leaders are in, or that in this
    // process's node.
    enum class Part { kWhole, kAmongNodes, kInNode } part = Part::kWhole;
};

// One process in one segment's tree; ranks.
struct TreePosition {
    int parent = kNobody;
    // Children over the outermost levels first, and of a group the largest subtree: in this order they
    // are sent to, and merged in the opposite one.
    std::vector<int> children;
};

// The leader of the group in this turn, if the root is not in it.
int leader_of(Interval group, unsigned turn, int num_leaders);

// This process's place in a segment's tree. `tree_position` is overwritten, so that its memory serves
// again.
void find_tree_position(const Groups& groups, const TreeShape& shape, const Route& route,
                        TreePosition& tree_position);

// The routes of consecutive segments that may have any root: each child of the outermost group in its
// turn.
Route route_from_all(const Groups& groups, const TreeShape& shape, unsigned turn);

// The way of one root's segments by a proxy in another child of the outermost group.
Route route_by_proxy(const Groups& groups, const TreeShape& shape, int root, unsigned turn);

}  // namespace hitopo::coll

#endif
