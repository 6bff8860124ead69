// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/domain.h"

#include <numeric>

#include "test/tools/show_fixtures.h"

namespace hitopo::tool {
namespace {

void expect_children_ordered_and_finer(const Domain& domain) {
    for (std::size_t i = 0; i < domain.children.size(); ++i) {
        const Domain& child = domain.children[i];
        EXPECT_GT(child.level, domain.level);
        EXPECT_FALSE(all_ranks(child).empty());
        if (i > 0) {
            const Domain& previous = domain.children[i - 1];
            EXPECT_TRUE(std::pair(previous.level, previous.number) <
                        std::pair(child.level, child.number));
        }
        expect_children_ordered_and_finer(child);
    }
}

TEST(Domains, each_rank_is_in_exactly_one) {
    for (const char* name : {"two-islands", "partly-known", "one-node-unbound", "hostile-names"}) {
        const TableDocument table = table_fixture(name);
        std::vector<int> all(table.ranks.size());
        std::iota(all.begin(), all.end(), 0);
        const Domain job = make_domains(table);
        EXPECT_EQ(all_ranks(job), all) << name;
        for (const Domain& root : job.children) {
            expect_children_ordered_and_finer(root);
        }
    }
}

TEST(Domains, counts_of_the_main_job) {
    const std::array<std::size_t, kNumLevels> expected = {1, 2, 4, 8, 0, 16, 32, 0};
    EXPECT_EQ(count_domains(make_domains(table_fixture("two-islands"))), expected);
}

TEST(Domains, levels_that_nobody_knows_are_left_out) {
    const Domain job = make_domains(table_fixture("one-node-unbound"));
    ASSERT_EQ(job.children.size(), 1U);
    EXPECT_EQ(job.children[0].level, kNode);
    EXPECT_EQ(job.children[0].own_ranks, (std::vector<int>{0, 1, 2, 3}));
    EXPECT_TRUE(job.children[0].children.empty());
}

TEST(Domains, an_unknown_level_is_skipped) {
    const Domain job = make_domains(table_fixture("partly-known"));
    ASSERT_EQ(job.children.size(), 1U);
    const std::vector<Domain>& in_cluster = job.children[0].children;
    ASSERT_EQ(in_cluster.size(), 2U);
    EXPECT_EQ(in_cluster[0].level, kIsland);
    EXPECT_EQ(in_cluster[1].level, kNode);
    EXPECT_EQ(in_cluster[1].own_ranks, std::vector<int>{5});
}

TEST(Domains, boards_are_shown_where_a_node_has_several) {
    TableDocument table = regular_table(1, 4);
    table.levels[kL2Numa].known = Known::kAll;
    EXPECT_EQ(count_domains(make_domains(table))[kL2Numa], 0U);
    table.ranks[3].address[kL2Numa] = 1;
    EXPECT_EQ(count_domains(make_domains(table))[kL2Numa], 2U);
}

TEST(Domains, nothing_known_leaves_the_ranks_at_the_top) {
    TableDocument table = regular_table(1, 2);
    for (LevelSummary& level : table.levels) {
        level.known = Known::kNone;
    }
    EXPECT_EQ(make_domains(table).own_ranks, (std::vector<int>{0, 1}));
    EXPECT_TRUE(make_domains(table).children.empty());
}

TEST(JobCounts, clusters_count_only_if_several) {
    TableDocument table = table_fixture("two-islands");
    EXPECT_EQ(job_counts(table).size(), 4U);
    table.ranks[0].address[kCluster] = 1;
    EXPECT_EQ(job_counts(table).back(), "2 clusters");
}

TEST(Looseness, only_where_finer_places_exist) {
    EXPECT_EQ(looseness(kNode, kCore), "unbound");
    EXPECT_EQ(looseness(kSocket, kCore), "on several cores");
    EXPECT_EQ(looseness(kNode, kNode), "");
    EXPECT_EQ(looseness(kSocket, kSocket), "");
    EXPECT_EQ(looseness(kSwitch, kCore), "");
}

}  // namespace
}  // namespace hitopo::tool
