// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/tree.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "test/coll/random_rows.h"
#include "test/core/record/random_job.h"
#include "test/support/random_cases.h"

namespace hitopo::coll {
namespace {

// All places of one segment's tree, by rank.
std::vector<TreePosition> places(const std::vector<Groups>& groups, const TreeShape& shape,
                                 const Route& route) {
    std::vector<TreePosition> all(groups.size());
    for (std::size_t rank = 0; rank < groups.size(); ++rank) {
        find_tree_position(groups[rank], shape, route, all[rank]);
    }
    return all;
}

const TreePosition& of(const std::vector<TreePosition>& all, int rank) {
    return all[static_cast<std::size_t>(rank)];
}

// Each process but the root is the child of its parent, and all are below the root.
void expect_tree(const std::vector<TreePosition>& all, int root) {
    std::vector<int> reached = {root};
    ASSERT_EQ(of(all, root).parent, kNobody);
    for (std::size_t i = 0; i < reached.size(); ++i) {
        for (const int child : of(all, reached[i]).children) {
            ASSERT_EQ(of(all, child).parent, reached[i]);
            reached.push_back(child);
            ASSERT_LE(reached.size(), all.size());
        }
    }
    ASSERT_EQ(reached.size(), all.size());
}

// A segment enters each group once; that of the root only where a proxy serves it, and others are there.
void expect_each_group_entered_once(const Rows& rows, const std::vector<TreePosition>& all,
                                    unsigned levels, int root, bool has_proxy) {
    for (int rank = 0; rank < rows.size(); ++rank) {
        for (int level = 0; level < kNumLevels; ++level) {
            const std::vector<int> group = group_of(rows, rank, level, levels);
            const auto is_in = [&](int other) {
                return std::binary_search(group.begin(), group.end(), other);
            };
            const auto enters = [&](int member) {
                return of(all, member).parent != kNobody && !is_in(of(all, member).parent);
            };
            const bool is_whole = group.size() == all.size();
            const bool is_served = !is_in(root) || (has_proxy && group.size() > 1);
            ASSERT_EQ(std::count_if(group.begin(), group.end(), enters), is_served && !is_whole ? 1 : 0)
                << "level " << level << " of rank " << rank;
        }
    }
}

// body(rows, groups of all ranks, levels, shape, random numbers)
template <class Body>
void for_communicators(Body body) {
    for (int i = 0; i < random_cases(300) && !testing::Test::HasFatalFailure(); ++i) {
        const std::uint64_t seed = test_seed() + static_cast<std::uint64_t>(i);
        SCOPED_TRACE("HITOPO_TEST_SEED=" + std::to_string(seed));
        std::mt19937_64 random(seed);
        const Rows rows = random_rows(random);
        const auto levels = static_cast<unsigned>(random() % 256);
        TreeShape shape;
        for (int& radix : shape.radix) {
            radix = static_cast<int>(random() % 6);
        }
        shape.num_leaders = 1 + static_cast<int>(random() % 5);
        body(rows, rows.groups(levels), levels, shape, random);
    }
}

TEST(Tree, of_any_root_enters_each_group_once) {
    for_communicators([](const Rows& rows, const std::vector<Groups>& groups, unsigned levels,
                         const TreeShape& shape, std::mt19937_64& random) {
        Route route;
        route.root = static_cast<int>(random() % groups.size());
        route.turn = static_cast<unsigned>(random());
        const std::vector<TreePosition> all = places(groups, shape, route);
        const int root = groups[0].rank_of(route.root);
        expect_tree(all, root);
        expect_each_group_entered_once(rows, all, levels, root, false);
    });
}

TEST(Tree, by_a_proxy_enters_each_group_once_and_leaves_the_root_once) {
    for_communicators([](const Rows& rows, const std::vector<Groups>& groups, unsigned levels,
                         const TreeShape& shape, std::mt19937_64& random) {
        if (groups.size() < 3) {
            return;
        }
        const int position = static_cast<int>(random() % groups.size());
        const Route route = route_by_proxy(groups[0], shape, position, static_cast<unsigned>(random()));
        const std::vector<TreePosition> all = places(groups, shape, route);
        const int root = groups[0].rank_of(position);
        expect_tree(all, root);
        ASSERT_EQ(of(all, root).children.size(), 1U);
        expect_each_group_entered_once(rows, all, levels, root, true);
    });
}

// A process's children in its node follow those in others. It has a parent in one part at most.
TEST(Tree, parts_are_the_whole) {
    for_communicators([](const Rows&, const std::vector<Groups>& groups, unsigned,
                         const TreeShape& shape, std::mt19937_64& random) {
        Route route;
        route.root = static_cast<int>(random() % groups.size());
        route.turn = static_cast<unsigned>(random());
        const std::vector<TreePosition> whole = places(groups, shape, route);
        route.part = Route::Part::kAmongNodes;
        const std::vector<TreePosition> among = places(groups, shape, route);
        route.part = Route::Part::kInNode;
        const std::vector<TreePosition> inside = places(groups, shape, route);
        for (std::size_t rank = 0; rank < groups.size(); ++rank) {
            std::vector<int> children = among[rank].children;
            children.insert(children.end(), inside[rank].children.begin(), inside[rank].children.end());
            ASSERT_EQ(whole[rank].children, children);
            ASSERT_EQ(whole[rank].parent, std::max(among[rank].parent, inside[rank].parent));
            ASSERT_TRUE(among[rank].parent == kNobody || inside[rank].parent == kNobody);
            const bool leads = inside[rank].parent == kNobody;
            ASSERT_TRUE(leads || among[rank].children.empty());
        }
    });
}

// Over all turns each child of the outermost group is the root as often, and sends as many copies.
TEST(Tree, turns_load_all_children_alike) {
    for_communicators([](const Rows&, const std::vector<Groups>& groups, unsigned,
                         const TreeShape& shape, std::mt19937_64&) {
        if (groups.size() < 2) {
            return;
        }
        const Group& outermost = groups[0].path().front();
        const int n = outermost.num_children();
        std::vector<int> num_roots(static_cast<std::size_t>(n)), num_sent(static_cast<std::size_t>(n));
        const auto child_of = [&](int rank) {
            return static_cast<std::size_t>(outermost.child_of(groups[0].position_of(rank)));
        };
        for (unsigned turn = 0; turn < static_cast<unsigned>(n * (n - 1)); ++turn) {
            const Route route = route_from_all(groups[0], shape, turn);
            const std::vector<TreePosition> all = places(groups, shape, route);
            ++num_roots[child_of(groups[0].rank_of(route.root))];
            for (std::size_t rank = 0; rank < all.size(); ++rank) {
                const int parent = all[rank].parent;
                if (parent != kNobody && child_of(parent) != child_of(static_cast<int>(rank))) {
                    ++num_sent[child_of(parent)];
                }
            }
        }
        // n - 1 copies a segment.
        ASSERT_EQ(num_roots, std::vector<int>(static_cast<std::size_t>(n), n - 1));
        ASSERT_EQ(num_sent, std::vector<int>(static_cast<std::size_t>(n), (n - 1) * (n - 1)));
    });
}

// Eight in a group by radix 2: 0 has 4, 2, 1; 4 has 6, 5; 2 has 3; 6 has 7.
TEST(Tree, of_radix_2_is_binomial) {
    const Rows rows(std::vector<std::array<std::int32_t, kNumLevels>>(8));
    const std::vector<TreePosition> all = places(rows.groups(0), {}, {});
    EXPECT_EQ(of(all, 0).children, (std::vector<int>{4, 2, 1}));
    EXPECT_EQ(of(all, 4).children, (std::vector<int>{6, 5}));
    EXPECT_EQ(of(all, 2).children, (std::vector<int>{3}));
    EXPECT_EQ(of(all, 7).parent, 6);
}

// Seven: 0 has 1, 2; 1 has 3, 4; 2 has 5, 6.
TEST(Tree, a_binary_one_gives_nobody_more_than_two) {
    const Rows rows(std::vector<std::array<std::int32_t, kNumLevels>>(7));
    TreeShape shape;
    shape.radix.fill(kBinary);
    const std::vector<TreePosition> all = places(rows.groups(0), shape, {});
    EXPECT_EQ(of(all, 0).children, (std::vector<int>{1, 2}));
    EXPECT_EQ(of(all, 1).children, (std::vector<int>{3, 4}));
    EXPECT_EQ(of(all, 2).children, (std::vector<int>{5, 6}));
    EXPECT_EQ(of(all, 6).parent, 2);
}

TEST(Tree, leaders_are_spread_over_the_group) {
    EXPECT_EQ(leader_of({10, 18}, 0, 4), 10);
    EXPECT_EQ(leader_of({10, 18}, 1, 4), 12);
    EXPECT_EQ(leader_of({10, 18}, 3, 4), 16);
    EXPECT_EQ(leader_of({10, 18}, 4, 4), 10);
    EXPECT_EQ(leader_of({10, 12}, 3, 4), 11);
}

}  // namespace
}  // namespace hitopo::coll
