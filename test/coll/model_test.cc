// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/model.h"

#include <gtest/gtest.h>

#include "test/coll/random_rows.h"
#include "test/core/record/for_seeds.h"

namespace hitopo::coll {
namespace {

constexpr std::size_t kMiB = 1 << 20;
constexpr Pattern kByTrees[] = {Pattern::kFromRoot, Pattern::kToRoot, Pattern::kThereAndBack,
                                Pattern::kFromEach, Pattern::kToEach};

Links equal_links(const Link& link) {
    Links links;
    links.fill(link);
    return links;
}

Shape processes(int n) {
    Shape shape;
    shape.num_processes = n;
    shape.max_children[kProcess] = n > 1 ? n : 0;
    shape.num_groups[kProcess] = n;
    return shape;
}

// The namespace lab: 4 switches of 2 nodes of 4 processes, trunks of 12 bytes a microsecond.
Shape lab() {
    Shape shape = processes(32);
    shape.max_children[kSwitch] = 4;
    shape.num_groups[kSwitch] = 4;
    shape.max_children[kNode] = 2;
    shape.num_groups[kNode] = 8;
    shape.max_children[kProcess] = 4;
    return shape;
}
Links lab_links() {
    Links links;
    links[kSwitch] = {150, 12, 100};
    links[kNode] = {170, 80, 95};
    links[kProcess] = {80, 70, 10};
    return links;
}

// 10 us, and 1000 bytes at 100 a microsecond.
TEST(Model, two_processes_take_latency_and_length) {
    const Links links = equal_links({10, 100, 1});
    EXPECT_DOUBLE_EQ(choose(processes(2), links, Pattern::kFromRoot, 1000, 1, 1).us, 20);
    EXPECT_DOUBLE_EQ(choose(processes(2), links, Pattern::kThereAndBack, 1000, 1, 1).us, 40);
    EXPECT_DOUBLE_EQ(choose(processes(2), links, Pattern::kThereAndBack, 0, 1, 1).us, 20);
}

// Eight, nothing to move: by radix 2 three latencies, by 3 or 4 two and two messages more, by 8 one and
// six messages more.
TEST(Model, radix_is_wide_where_messages_are_cheap_and_narrow_where_they_are_not) {
    const auto radix = [](double message_us) {
        return choose(processes(8), equal_links({10, 1e9, message_us}), Pattern::kFromEach, 8, 1, 1)
            .trees.radix[kProcess];
    };
    EXPECT_EQ(radix(1), 8);
    EXPECT_EQ(radix(4), 3);
    EXPECT_EQ(radix(20), 2);
    EXPECT_DOUBLE_EQ(choose(processes(8), equal_links({10, 1e9, 1}), Pattern::kFromEach, 0, 1, 1).us,
                     16);
}

// 16 nodes below each of two switches, behind links that one process of a node fills: in a binomial tree
// the one that leads sends four copies of each segment, in a binary one two.
TEST(Model, long_messages_go_by_trees_in_which_nobody_has_many_children) {
    Shape shape = processes(32);
    shape.max_children[kSwitch] = 2;
    shape.num_groups[kSwitch] = 2;
    shape.max_children[kProcess] = 16;
    const auto radix = [&](std::size_t bytes) {
        return choose(shape, equal_links({10, 100, 1}), Pattern::kThereAndBack, bytes, 1, 1)
            .trees.radix[kProcess];
    };
    EXPECT_EQ(radix(64 * kMiB), kBinary);
    EXPECT_NE(radix(100), kBinary);
}

// A message of 1000 bytes takes 10 us, and 10 more at 100 bytes a microsecond: two nodes take it once,
// where a tree takes it twice. Eight at once take one latency and six messages behind the first, four at
// once two latencies and two messages, and two at once three latencies.
TEST(Model, nodes_exchange_where_that_takes_fewer_hops) {
    Shape shape;
    shape.num_processes = shape.max_children[kNode] = shape.num_groups[kNode] = 2;
    const auto chosen = [&](std::size_t bytes, double message_us) {
        return choose(shape, equal_links({10, 100, message_us}), Pattern::kThereAndBack, bytes, 1, 1);
    };
    EXPECT_DOUBLE_EQ(chosen(1000, 1).us, 20);
    EXPECT_EQ(chosen(1000, 1).trees.exchanging, kNode);
    shape.num_processes = shape.max_children[kNode] = shape.num_groups[kNode] = 8;
    EXPECT_DOUBLE_EQ(chosen(0, 1).us, 16);
    EXPECT_DOUBLE_EQ(chosen(0, 3).us, 26);
    EXPECT_DOUBLE_EQ(chosen(0, 20).us, 30);
    EXPECT_NE(describe(chosen(0, 3), shape).find("; exchange of each node, 4 at once; about 26 us"),
              std::string::npos);
    shape.may_exchange = false;
    EXPECT_EQ(chosen(0, 1).trees.exchanging, kNobody);
}

// 2 KiB in the lab: the leaders of four switches send a copy through a trunk in each of two rounds,
// which take 150 + 171 us; all nodes would send twice as many. 8 bytes take three rounds of nodes.
TEST(Model, switches_exchange_where_trunks_are_narrow) {
    const Choice choice = choose(lab(), lab_links(), Pattern::kThereAndBack, 2048, 8, 16);
    EXPECT_EQ(choice.trees.exchanging, kSwitch);
    EXPECT_EQ(choice.trees.rounds->radix(), 2);
    EXPECT_EQ(choose(lab(), lab_links(), Pattern::kThereAndBack, 8, 8, 16).trees.exchanging, kNode);
    EXPECT_EQ(choose(lab(), lab_links(), Pattern::kToRoot, 8, 8, 16).trees.exchanging, kNobody);
}

TEST(Model, one_process_takes_no_time) {
    for (const Pattern pattern : kByTrees) {
        EXPECT_EQ(choose(processes(1), {}, pattern, kMiB, 8, 4).us, 0);
    }
}

// A bcast brings its bytes through a trunk, whose limit is 87.4 ms: not faster, and 6 % slower at most.
// An allreduce brings three quarters of them through each, twice.
TEST(Model, long_messages_come_near_the_limit_of_the_trunks) {
    const double limit_us = kMiB / 12.0;
    const Choice bcast = choose(lab(), lab_links(), Pattern::kFromRoot, kMiB, 1, 4);
    EXPECT_TRUE(bcast.has_proxies);
    EXPECT_GE(bcast.us, 0.75 * limit_us);
    EXPECT_LE(bcast.us, 1.06 * limit_us);
    const Choice allreduce = choose(lab(), lab_links(), Pattern::kThereAndBack, kMiB, 1, 4);
    EXPECT_GE(allreduce.us, 1.5 * limit_us);
    EXPECT_LE(allreduce.us, 1.5 * 1.1 * limit_us);
}

// Two processes with a block each, of 1000 bytes at 10 a microsecond and a latency of 50: each has the
// other's link for half of the segments. Upwards a segment waits for the one before it; one alone does
// not.
TEST(Model, what_is_merged_queues) {
    const auto us = [](Pattern pattern, std::size_t bytes) {
        return choose(processes(2), equal_links({50, 10, 0}), pattern, bytes, 1000, 1).us;
    };
    EXPECT_DOUBLE_EQ(us(Pattern::kFromEach, 2000), 150 + 50);
    EXPECT_DOUBLE_EQ(us(Pattern::kToEach, 2000), 250 + 50);
    EXPECT_DOUBLE_EQ(us(Pattern::kToRoot, 1000), 150);
}

// A root has more children in a flat tree; the processes of a larger group are roots more often.
TEST(Model, merged_blocks_of_unequal_groups_take_deeper_trees) {
    const auto radix = [](const Shape& shape) {
        return choose(shape, lab_links(), Pattern::kToEach, kMiB, 8, 16).trees.radix[kSwitch];
    };
    Shape unequal = lab();
    unequal.num_processes = 25;
    EXPECT_EQ(radix(lab()), 4);
    EXPECT_EQ(radix(unequal), 2);
}

// Where the trunks are the slowest links, more segments upwards would only stand in each other's way.
TEST(Model, few_merged_segments_are_under_way_over_slow_outermost_links) {
    const auto window = [](Pattern pattern, const Links& links) {
        return choose(lab(), links, pattern, kMiB, 8, 16).window;
    };
    EXPECT_LT(2 * window(Pattern::kToEach, lab_links()), window(Pattern::kFromEach, lab_links()) + 2);
    EXPECT_LT(window(Pattern::kToRoot, lab_links()), window(Pattern::kToEach, lab_links()));
    Links fast_trunks = lab_links();
    fast_trunks[kSwitch] = {1, 10000, 1};
    EXPECT_GE(window(Pattern::kToEach, fast_trunks), window(Pattern::kFromEach, fast_trunks));
}

// Two islands of two switches: half of all blocks pass each island's trunk at 6 bytes a microsecond, and
// three quarters each switch's at 12, which takes less.
TEST(Model, what_enters_and_what_leaves_do_not_share_a_link) {
    Shape shape = lab();
    shape.max_children[kIsland] = shape.max_children[kSwitch] = 2;
    shape.num_groups[kIsland] = 2;
    Links links = lab_links();
    links[kIsland] = {150, 6, 100};
    const double limit_us = 0.5 * kMiB / 6.0;
    const Choice allgather = choose(shape, links, Pattern::kFromEach, kMiB, 1, 16);
    EXPECT_GE(allgather.us, limit_us);
    EXPECT_LE(allgather.us, 1.1 * limit_us);
}

TEST(Model, segments_are_whole_units_and_hold_the_message) {
    for_seeds(300, [](std::mt19937_64& random) {
        const Rows rows = random_rows(random);
        const Shape shape = rows.groups(static_cast<unsigned>(random() % 256))[0].shape();
        Links links;
        for (Link& link : links) {
            link = {static_cast<double>(random() % 1000), 1.0 + static_cast<double>(random() % 10000),
                    static_cast<double>(random() % 100)};
        }
        const auto pattern = kByTrees[random() % std::size(kByTrees)];
        const std::size_t unit = 1 + random() % 9000, bytes = unit * (random() % 3000);
        const Choice choice = choose(shape, links, pattern, bytes, unit, 4);
        ASSERT_GE(choice.window, 1);
        ASSERT_GE(static_cast<std::size_t>(choice.num_segments) * choice.segment_bytes, bytes);
        ASSERT_LE(choice.segment_bytes, std::max(unit, std::size_t{256} << 10));
        if (choice.num_segments > 1) {
            ASSERT_EQ(choice.segment_bytes % unit, 0U);
            ASSERT_LT(static_cast<std::size_t>(choice.num_segments - 1) * choice.segment_bytes, bytes);
        }
        // Links that are twice as good in all take half the time.
        for (Link& link : links) {
            link = {link.latency_us / 2, link.bytes_per_us * 2, link.message_us / 2};
        }
        ASSERT_NEAR(choose(shape, links, pattern, bytes, unit, 4).us, choice.us / 2, 1e-9 * choice.us);
    });
}

// Blocks of 64 bytes: what leaves a switch, 8 processes' for 24 others; and inside of nodes twice three
// messages of all blocks of a process, at 70 bytes a microsecond.
TEST(Model, short_blocks_of_an_exchange_are_bundled) {
    const Choice choice = choose(lab(), lab_links(), Pattern::kExchange, 32 * 64, 1, 1);
    EXPECT_EQ(choice.num_sharing, 1);
    EXPECT_NEAR(choice.us, 150 + 170 + 8 * 24 * 64 / 12.0 + 2 * (80 + 3 * 32 * 64 / 70.0), 0.01);
    EXPECT_EQ(describe(choice, lab()), "blocks of 64 bytes, bundled by 1 of a node; about 1680 us");
}

// All blocks of a node of 64 processes have 4 MiB: 64 share them. Of 100 nodes each process has 8.
TEST(Model, processes_share_bundles_where_they_have_much_in_all) {
    Shape shape = lab();
    shape.num_processes = 8 * 64;
    shape.num_groups[kProcess] = 8 * 64;
    shape.max_children[kProcess] = 64;
    const auto num_sharing = [&](std::size_t bytes) {
        return choose(shape, lab_links(), Pattern::kExchange, bytes, 1, 1).num_sharing;
    };
    EXPECT_EQ(num_sharing(512), 1);
    EXPECT_EQ(num_sharing(8192), 8);
    EXPECT_EQ(num_sharing(65536), 64);
    shape.num_processes = shape.num_groups[kProcess] = 100 * 64;
    shape.num_groups[kNode] = 100;
    EXPECT_EQ(num_sharing(64), 12);
}

// No segment is longer than a block, and each process has one.
TEST(Model, a_block_is_a_segment_at_least) {
    EXPECT_EQ(choose(lab(), lab_links(), Pattern::kFromEach, 3200, 1, 4).num_segments, 32);
    const Choice choice = choose(lab(), lab_links(), Pattern::kFromEach, 32 * kMiB, 1, 4);
    EXPECT_LE(choice.segment_bytes, kMiB);
    EXPECT_EQ(choice.num_segments % 32, 0);
}

}  // namespace
}  // namespace hitopo::coll
