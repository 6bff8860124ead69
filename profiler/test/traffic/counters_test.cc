// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/traffic/counters.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace hitopo {
namespace {

TEST(KindCounters, keep_the_functions_that_were_called) {
    KindCounters counters(300);
    counters.add_call(299, 1, 8, 100);
    counters.add_call(7, 1, 0, 1);
    counters.add_call(299, 0, 16, 10);
    ASSERT_EQ(counters.calls().size(), 2U);
    EXPECT_EQ(counters.calls()[0].function, 299U);
    EXPECT_EQ(counters.calls()[0].count, 1U);
    EXPECT_EQ(counters.calls()[0].bytes, 24U);
    EXPECT_EQ(counters.calls()[0].ticks, 110U);
    EXPECT_EQ(counters.calls()[1].function, 7U);
}

TEST(KindCounters, sort_messages_by_lane_and_size) {
    KindCounters counters(1);
    for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{7},
                                      std::uint64_t{8}, std::uint64_t{15}, UINT64_MAX}) {
        counters.add_message({0, bytes < 8 ? Lane::kCore : Lane::kUnknown, bytes});
    }
    EXPECT_EQ(counters.lanes()[0].messages, 3U);
    EXPECT_EQ(counters.lanes()[0].bytes, 8U);
    EXPECT_EQ(counters.lanes()[8].messages, 3U);
    std::map<std::size_t, std::uint64_t> sizes;
    for (std::size_t bits = 0; bits < KindCounters::kNumSizes; ++bits) {
        if (counters.sizes()[bits].messages > 0) {
            sizes[bits] = counters.sizes()[bits].messages;
        }
    }
    EXPECT_EQ(sizes, (std::map<std::size_t, std::uint64_t>{{0, 1}, {1, 1}, {3, 1}, {4, 2}, {64, 1}}));
    EXPECT_EQ(counters.sizes()[4].bytes, 23U);
}

TEST(KindCounters, add_up_served_calls_by_function) {
    KindCounters counters(9);
    Crossings crossings = {};
    crossings.add(Lane::kNode, 10);
    crossings.add(Lane::kSwitch, 5);
    crossings.add(Lane::kSwitch, 5);
    counters.add_served(7, 1, crossings, {0, 0, 0, 10, 40, 0, 0, 0, 0});
    counters.add_served(3, 1, {}, {});
    counters.add_served(7, 0, crossings, {});
    ASSERT_EQ(counters.served().size(), 2U);
    const FunctionCrossings& served = counters.served()[0];
    EXPECT_EQ(served.function, 7U);
    EXPECT_EQ(served.count, 1U);
    EXPECT_EQ(served.messages, (PerLane{0, 0, 0, 2, 4, 0, 0, 0, 0}));
    EXPECT_EQ(served.bytes, (PerLane{0, 0, 0, 20, 20, 0, 0, 0, 0}));
    EXPECT_EQ(served.flat_bytes, (PerLane{0, 0, 0, 10, 40, 0, 0, 0, 0}));
    EXPECT_EQ(counters.collective_bytes(), PerLane{}) << "flat ones are counted by themselves";
}

// Two threads together count as one would.
TEST(Counters, sums_are_those_of_one_thread) {
    std::mt19937 random(6);
    Counters threads[2] = {{4, 5}, {4, 5}};
    Counters one(4, 5), sum(4, 5);
    std::map<int, std::uint64_t> bytes_to;
    for (int i = 0; i < 10000; ++i) {
        const std::size_t kind = random() % 3, function = random() % 5;
        const int peer = static_cast<int>(random() % 300) - 1;
        const Message message = {peer, static_cast<Lane>(random() % kNumLanes), random() % 1000};
        PerLane flat{};
        flat[random() % kNumLanes] = random() % 10;
        bytes_to[peer] += message.bytes;
        for (Counters* counters : {&threads[i % 2], &one}) {
            KindCounters& of_kind = counters->of(kind);
            of_kind.add_call(function, 1, message.bytes, 3);
            counters->add_message(of_kind, message);
            of_kind.add_collective(flat);
            of_kind.add_served(function, 1, {flat, flat}, flat);
        }
    }
    sum.add(threads[0]);
    sum.add(threads[1]);
    EXPECT_EQ(sum.kinds()[3], nullptr);
    for (std::size_t kind = 0; kind < 3; ++kind) {
        const KindCounters &a = *sum.kinds()[kind], &b = *one.kinds()[kind];
        EXPECT_EQ(a.collective_bytes(), b.collective_bytes());
        std::map<std::size_t, std::uint64_t> calls, served;
        for (std::size_t i = 0; i < 5; ++i) {
            calls[a.calls()[i].function] += a.calls()[i].bytes + a.calls()[i].count + a.calls()[i].ticks;
            calls[b.calls()[i].function] -= b.calls()[i].bytes + b.calls()[i].count + b.calls()[i].ticks;
            served[a.served()[i].function] += a.served()[i].count + a.served()[i].bytes[2];
            served[b.served()[i].function] -= b.served()[i].count + b.served()[i].bytes[2];
        }
        for (std::size_t i = 0; i < 5; ++i) {
            EXPECT_EQ(calls[i], 0U);
            EXPECT_EQ(served[i], 0U);
        }
        for (std::size_t lane = 0; lane < kNumLanes; ++lane) {
            EXPECT_EQ(a.lanes()[lane].bytes, b.lanes()[lane].bytes);
            EXPECT_EQ(a.lanes()[lane].messages, b.lanes()[lane].messages);
        }
        for (std::size_t bits = 0; bits < KindCounters::kNumSizes; ++bits) {
            EXPECT_EQ(a.sizes()[bits].bytes, b.sizes()[bits].bytes);
        }
    }
    EXPECT_EQ(sum.unknown().bytes, bytes_to[-1]);
    EXPECT_EQ(sum.total().count, 10000U);
    EXPECT_EQ(sum.total().ticks, 30000U);
    EXPECT_EQ(sum.total().bytes, one.total().bytes);
    const std::vector<PeerCount> pairs = sum.pairs().by_rank();
    ASSERT_EQ(pairs.size() + 1, bytes_to.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        EXPECT_EQ(pairs[i].bytes, bytes_to[pairs[i].rank]) << pairs[i].rank;
        EXPECT_TRUE(i == 0 || pairs[i - 1].rank < pairs[i].rank);
    }
}

}  // namespace
}  // namespace hitopo
