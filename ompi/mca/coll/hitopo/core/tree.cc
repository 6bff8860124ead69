// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/tree.h"

#include <algorithm>

namespace hitopo::coll {
namespace {

int modulo(int a, int n) { return (a % n + n) % n; }

// A chain of n: 0, 1, 2, ..
template <class ToChild>
int chain(int n, int index, ToChild to_child) {
    if (index + 1 < n) {
        to_child(index + 1);
    }
    return index - 1;
}

// The children of i are 2 i + 1 and 2 i + 2.
template <class ToChild>
int binary(int n, int index, ToChild to_child) {
    for (long child = 2L * index + 1; child <= 2L * index + 2 && child < n; ++child) {
        to_child(static_cast<int>(child));
    }
    return index == 0 ? kNobody : (index - 1) / 2;
}

// A k-nomial tree of n with its root at 0. to_child(index) for each child of `index`, the largest
// subtree first. Returns the parent's, kNobody for the root.
template <class ToChild>
int knomial(int radix, int n, int index, ToChild to_child) {
    if (radix == kBinary) {
        return binary(n, index, to_child);
    }
    if (radix < 2) {
        return chain(n, index, to_child);
    }
    long stride = 1;  // of the subtree below index, were the tree complete
    while (stride < n && index % (stride * radix) == 0) {
        stride *= radix;
    }
    for (long step = stride / radix; step >= 1; step /= radix) {
        for (int i = 1; i < radix && index + i * step < n; ++i) {
            to_child(static_cast<int>(index + i * step));
        }
    }
    return index == 0 ? kNobody : static_cast<int>(index - index % (stride * radix));
}

// The children of a group in the order of one segment's tree: one leads, and the others begin elsewhere
// in each turn. The child that holds the absent root comes last, where it serves no other; it has no
// part at all where the root is alone in it.
class Order {
public:
    Order(int num_children, int leading, int last, bool is_last_left_out, unsigned turn)
        : last_(last),
          num_turning_(last == kNobody ? num_children : num_children - 1),
          size_(is_last_left_out ? num_turning_ : num_children),
          leading_(without_last(leading)) {
        const auto num_others = static_cast<unsigned>(num_turning_) - 1;
        shift_ = num_turning_ > 1
                     ? static_cast<int>(turn / static_cast<unsigned>(num_children) % num_others)
                     : 0;
    }

    int size() const { return size_; }

    int index_of(int child) const {
        if (child == last_) {
            return num_turning_;
        }
        const int distance = modulo(without_last(child) - leading_, num_turning_);
        return distance == 0 ? 0 : 1 + modulo(distance - 1 - shift_, num_turning_ - 1);
    }

    int child_at(int index) const {
        if (index == num_turning_) {
            return last_;
        }
        const int distance = index == 0 ? 0 : 1 + modulo(index - 1 + shift_, num_turning_ - 1);
        const int child = modulo(leading_ + distance, num_turning_);
        return last_ != kNobody && child >= last_ ? child + 1 : child;
    }

private:
    // Children are counted as if the last one were not among them.
    int without_last(int child) const { return last_ != kNobody && child > last_ ? child - 1 : child; }

    int last_, num_turning_, size_, leading_;
    int shift_ = 0;
};

// One group in one segment's tree.
class Division {
public:
    // Positions. lead: of the leader. absent: of the root where a proxy serves all others, or kNobody:
    // it has no part in the tree, and processes that share its links should serve no other.
    Division(const Groups& groups, const Group& group, const TreeShape& shape, int lead, int absent,
             unsigned turn)
        : groups_(groups), group_(group), shape_(shape), lead_(lead), absent_(absent), turn_(turn) {}

    int leader_of_child(int child) const {
        const Interval whole = group_.child(child);
        if (whole.holds(lead_)) {
            return lead_;
        }
        if (!whole.holds(absent_) || whole.size() == 1) {
            return leader_of(whole, turn_, shape_.num_leaders);
        }
        const Interval skipped = groups_.child_with(absent_, whole);
        const int position =
            leader_of({whole.first, whole.last - skipped.size()}, turn_, shape_.num_leaders);
        return position < skipped.first ? position : position + skipped.size();
    }

    // The parent of the leader of the own child, kNobody if it leads the group; to_child for each of its
    // children. Positions.
    template <class ToChild>
    int branch(ToChild to_child) const {
        const Order order = make_order();
        const int radix = shape_.radix[static_cast<std::size_t>(group_.level)];
        const int parent = knomial(radix, order.size(), order.index_of(group_.own),
                                   [&](int index) { to_child(leader_of_child(order.child_at(index))); });
        return parent == kNobody ? kNobody : leader_of_child(order.child_at(parent));
    }

private:
    Order make_order() const {
        const int leading = group_.child_of(lead_);
        const int holder = group_.whole().holds(absent_) ? group_.child_of(absent_) : kNobody;
        const bool is_alone = holder != kNobody && group_.child(holder).size() == 1;
        return {group_.num_children(), leading, holder == leading ? kNobody : holder, is_alone, turn_};
    }

    const Groups& groups_;
    const Group& group_;
    const TreeShape& shape_;
    int lead_, absent_;
    unsigned turn_;
};

}  // namespace

int leader_of(Interval group, unsigned turn, int num_leaders) {
    const int num = std::min(num_leaders, group.size());
    const auto which = static_cast<long>(turn % static_cast<unsigned>(num));
    return group.first + static_cast<int>(which * group.size() / num);
}

void find_tree_position(const Groups& groups, const TreeShape& shape, const Route& route,
                        TreePosition& tree_position) {
    const int own = groups.own_position();
    const bool has_proxy = route.proxy != kNobody;
    tree_position.parent = has_proxy && own == route.proxy ? groups.rank_of(route.root) : kNobody;
    tree_position.children.clear();
    if (has_proxy && own == route.root) {
        tree_position.children.push_back(groups.rank_of(route.proxy));
        return;
    }
    int lead = has_proxy ? route.proxy : route.root;
    for (const Group& group : groups.path()) {
        const Division division(groups, group, shape, lead, has_proxy ? route.root : kNobody,
                                route.turn);
        const bool is_in_node = group.level == kProcess;
        const bool is_in_part =
            group.level > shape.exchanging &&
            (route.part == Route::Part::kWhole || is_in_node == (route.part == Route::Part::kInNode));
        lead = division.leader_of_child(group.own);
        if (lead == own && is_in_part) {
            const int parent = division.branch(
                [&](int position) { tree_position.children.push_back(groups.rank_of(position)); });
            if (parent != kNobody) {
                tree_position.parent = groups.rank_of(parent);
            }
        }
    }
}

Route route_from_all(const Groups& groups, const TreeShape& shape, unsigned turn) {
    const Group& group = groups.path().front();
    const auto num_children = static_cast<unsigned>(group.num_children());
    const Interval child = group.child(static_cast<int>(turn % num_children));
    return {leader_of(child, turn / num_children, shape.num_leaders), kNobody, turn};
}

Route route_by_proxy(const Groups& groups, const TreeShape& shape, int root, unsigned turn) {
    const Group& group = groups.path().front();
    const auto num_others = static_cast<unsigned>(group.num_children()) - 1;
    const auto next = static_cast<unsigned>(group.child_of(root)) + 1 + turn % num_others;
    const Interval child = group.child(static_cast<int>(next % (num_others + 1)));
    return {root, leader_of(child, turn / num_others, shape.num_leaders), turn};
}

}  // namespace hitopo::coll
