// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/address/lane.h"

#include <gtest/gtest.h>

#include <random>

namespace hitopo {
namespace {

using Row = std::array<std::int32_t, kNumLevels>;

constexpr unsigned kAllKnown = 0xff;

//                  cluster island switch node l2numa socket core hwthread
const Row kFirst = {0, 0, 0, 0, 0, 0, 0, 0};

Lane lane(const Row& a, const Row& b, unsigned known = kAllKnown) {
    return Lanes(known).between(a.data(), b.data());
}

TEST(Lane, is_the_innermost_level_that_both_share) {
    EXPECT_EQ(lane(kFirst, kFirst), Lane::kCore);
    EXPECT_EQ(lane(kFirst, {0, 0, 0, 0, 0, 0, 0, 1}), Lane::kCore) << "hardware threads of one core";
    EXPECT_EQ(lane(kFirst, {0, 0, 0, 0, 0, 0, 1, 0}), Lane::kSocket);
    EXPECT_EQ(lane(kFirst, {0, 0, 0, 0, 0, 1, 0, 0}), Lane::kL2Numa) << "core 0 of another socket";
    EXPECT_EQ(lane(kFirst, {0, 0, 0, 0, 1, 1, 0, 0}), Lane::kNode);
    EXPECT_EQ(lane(kFirst, {0, 0, 0, 1, 0, 0, 0, 0}), Lane::kSwitch) << "the same place in another node";
    EXPECT_EQ(lane(kFirst, {0, 0, 1, 1, 0, 0, 0, 0}), Lane::kIsland);
    EXPECT_EQ(lane(kFirst, {0, 1, 1, 1, 0, 0, 0, 0}), Lane::kCluster);
    EXPECT_EQ(lane(kFirst, {1, 1, 1, 1, 0, 0, 0, 0}), Lane::kOutside);
}

TEST(Lane, passes_over_levels_that_nobody_knows) {
    const unsigned node_and_core = 1u << kNode | 1u << kSocket | 1u << kCore;
    EXPECT_EQ(lane(kFirst, {0, 0, 0, 1, 0, 0, 0, 0}, node_and_core), Lane::kOutside)
        << "no switch, no cluster";
    EXPECT_EQ(lane(kFirst, {0, 0, 0, 0, 0, 1, 0, 0}, node_and_core), Lane::kNode) << "no boards";
    EXPECT_EQ(lane(kFirst, kFirst, 1u << kNode), Lane::kNode) << "unbound";
    EXPECT_EQ(lane(kFirst, {0, 0, 0, 1, 0, 0, 0, 0}, 1u << kNode | 1u << kIsland), Lane::kIsland);
}

TEST(Lane, passes_over_levels_that_one_of_both_does_not_know) {
    EXPECT_EQ(lane({0, 0, 0, 0, 0, -1, -1, -1}, {0, 0, 0, 0, 0, -1, -1, -1}), Lane::kL2Numa)
        << "two that know no socket share none";
    EXPECT_EQ(lane(kFirst, {0, 0, -1, 1, 0, 0, 0, 0}), Lane::kIsland);
    EXPECT_EQ(lane(kFirst, {0, 0, 0, 0, 0, 0, -1, 0}), Lane::kSocket);
}

TEST(Lane, passes_over_boards_where_each_node_is_one) {
    const Row other_socket = {0, 0, 0, 0, 0, 1, 0, 0}, other_board = {0, 0, 0, 0, 1, 2, 0, 0};
    const auto between = [](unsigned divided, const Row& a, const Row& b) {
        return Lanes(kAllKnown, divided).between(a.data(), b.data());
    };
    constexpr unsigned kSockets = 1u << kSocket, kBoards = kSockets | 1u << kL2Numa;
    EXPECT_EQ(between(kSockets, kFirst, other_socket), Lane::kNode);
    EXPECT_EQ(between(kBoards, kFirst, other_socket), Lane::kL2Numa);
    EXPECT_EQ(between(kBoards, kFirst, other_board), Lane::kNode);
    EXPECT_EQ(between(0, kFirst, kFirst), Lane::kCore) << "one process";
}

TEST(Lane, is_unknown_without_an_address) {
    const Lanes lanes(kAllKnown);
    EXPECT_EQ(lanes.between(nullptr, kFirst.data()), Lane::kUnknown);
    EXPECT_EQ(lanes.between(kFirst.data(), nullptr), Lane::kUnknown);
}

TEST(Lane, has_a_name) {
    EXPECT_EQ(lane_name(Lane::kCore), "core");
    EXPECT_EQ(lane_name(Lane::kL2Numa), "l2numa");
    EXPECT_EQ(lane_name(Lane::kUnknown), "unknown");
}

}  // namespace
}  // namespace hitopo
