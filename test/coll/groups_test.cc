// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Tests groups.cc and positions.cc.
#include "ompi/mca/coll/hitopo/core/groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "test/coll/random_rows.h"
#include "test/core/record/for_seeds.h"
#include "test/support/counted_memory.h"
#include "test/support/random_cases.h"

namespace hitopo::coll {
namespace {

std::vector<int> ranks_in(const Groups& groups, Interval interval) {
    std::vector<int> ranks;
    for (int position = interval.first; position < interval.last; ++position) {
        ranks.push_back(groups.rank_of(position));
    }
    std::sort(ranks.begin(), ranks.end());
    return ranks;
}

// The distinct groups of all ranks by the levels up to `level`.
std::set<std::vector<int>> groups_up_to(const Rows& rows, int level, unsigned levels) {
    std::set<std::vector<int>> all;
    for (int rank = 0; rank < rows.size(); ++rank) {
        all.insert(group_of(rows, rank, level, levels));
    }
    return all;
}

void expect_path(const Rows& rows, const Groups& groups, int own, unsigned levels) {
    std::vector<int> whole = group_of(rows, own, -1, levels);
    for (const Group& group : groups.path()) {
        ASSERT_EQ(ranks_in(groups, group.whole()), whole);
        ASSERT_GT(group.num_children(), 1);
        for (int child = 0; child < group.num_children(); ++child) {
            const int first = groups.rank_of(group.child(child).first);
            ASSERT_EQ(ranks_in(groups, group.child(child)), group_of(rows, first, group.level, levels));
            ASSERT_EQ(group.child_of(group.child(child).last - 1), child);
            ASSERT_EQ(groups.child_with(group.child(child).last - 1, group.whole()), group.child(child));
        }
        whole = group_of(rows, own, group.level, levels);
        ASSERT_EQ(ranks_in(groups, group.child(group.own)), whole);
    }
    ASSERT_EQ(whole, std::vector<int>{own});
}

// Whether the ranks of each group follow each other, round the end too.
bool are_intervals(const std::set<std::vector<int>>& groups, int num_ranks) {
    return std::all_of(groups.begin(), groups.end(), [&](const std::vector<int>& group) {
        return std::count_if(group.begin(), group.end(), [&](int rank) {
                   return !std::binary_search(group.begin(), group.end(), (rank + 1) % num_ranks);
               }) <= 1;
    });
}

void expect_shape(const Rows& rows, const Shape& shape, unsigned levels) {
    int outer = -1;
    bool is_by_slot = true;
    for (int level = 0; level < kNumDivisions; ++level) {
        const auto at = static_cast<std::size_t>(level);
        if (level != kProcess && (levels >> level & 1u) == 0) {
            ASSERT_EQ(shape.num_groups[at], 0);
            continue;
        }
        const std::set<std::vector<int>> inner = groups_up_to(rows, level, levels);
        ASSERT_EQ(shape.num_groups[at], static_cast<int>(inner.size()));
        is_by_slot = is_by_slot && are_intervals(inner, rows.size());
        int most = 0;
        for (const std::vector<int>& group : groups_up_to(rows, outer, levels)) {
            const auto is_inside = [&](const std::vector<int>& child) {
                return std::includes(group.begin(), group.end(), child.begin(), child.end());
            };
            const auto num = std::count_if(inner.begin(), inner.end(), is_inside);
            most = std::max(most, num > 1 ? static_cast<int>(num) : 0);
        }
        ASSERT_EQ(shape.max_children[at], most) << level;
        outer = level;
    }
    ASSERT_EQ(shape.is_by_slot, is_by_slot);
}

TEST(Groups, each_is_an_interval_of_those_that_share_an_address) {
    int num_by_slot[2] = {};  // no, yes
    for_seeds(random_cases(200), [&](std::mt19937_64& random) {
        const Rows rows = random_rows(random);
        const auto levels = static_cast<unsigned>(random() % 256);
        const std::vector<Groups> groups = rows.groups(levels);
        for (int rank = 0; rank < rows.size(); ++rank) {
            const Groups& own = groups[static_cast<std::size_t>(rank)];
            expect_path(rows, own, rank, levels);
            expect_shape(rows, own.shape(), levels);
        }
        ++num_by_slot[groups[0].shape().is_by_slot ? 1 : 0];
    });
    EXPECT_GT(num_by_slot[0], 0);
    EXPECT_GT(num_by_slot[1], 0);
}

TEST(Groups, are_on_several_nodes_or_on_one) {
    int num_alone = 0;
    for_seeds(300, [&](std::mt19937_64& random) {
        const Rows rows = random_rows(random);
        const bool is_alone = groups_up_to(rows, kNode, kCountingLevels).size() == 1;
        num_alone += is_alone ? 1 : 0;
        ASSERT_NE(has_several_nodes(rows.groups(kCountingLevels)[0].shape()), is_alone);
    });
    EXPECT_GT(num_alone, 0);
}

// 100 000 processes, 50 a node, 20 nodes a switch, 10 switches an island; ranks as positions.
class BySlot : public Positions {
public:
    int size() const override { return 100000; }
    int rank_of(int position) const override { return position; }
    int position_of(int rank) const override { return rank; }
    int group_at(int level, int position) const override { return position / members(level); }
    int group_begin(int level, int group) const override { return group * members(level); }

private:
    static int members(int level) {
        return level == kNode ? 50 : level == kSwitch ? 1000 : level == kIsland ? 10000 : 100000;
    }
};

TEST(Groups, of_100000_processes_keep_what_the_own_groups_take) {
    const auto positions = std::make_shared<BySlot>();
    const CountedMemory memory;
    const Groups groups(positions, 54321);
    ASSERT_EQ(groups.path().size(), 4U);
    EXPECT_EQ(groups.path()[3].whole(), (Interval{54300, 54350}));
    EXPECT_EQ(groups.shape().num_groups[kNode], 2000);
    EXPECT_LT(sizeof groups + memory.kept_bytes(), 1024U);
}

}  // namespace
}  // namespace hitopo::coll
