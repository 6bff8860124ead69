// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/text/rank_list.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace hitopo {
namespace {

std::vector<int> members(const std::string& text) {
    const Result<RankList> list = RankList::parse(text);
    EXPECT_TRUE(list) << text;
    std::vector<int> ranks;
    for (int rank = 0; list && rank < 40; ++rank) {
        if (list->contains(rank)) {
            ranks.push_back(rank);
        }
    }
    return ranks;
}

int error_column(const std::string& text) {
    const Result<RankList> list = RankList::parse(text);
    EXPECT_FALSE(list) << text;
    return list ? 0 : list.error().column;
}

TEST(RankList, contains_ranges_and_strides) {
    EXPECT_EQ(members("0-3,8,16-31:4"), std::vector<int>({0, 1, 2, 3, 8, 16, 20, 24, 28}));
    EXPECT_EQ(members("1-8:3"), std::vector<int>({1, 4, 7}));
    EXPECT_EQ(members("5"), std::vector<int>({5}));
    EXPECT_EQ(members("5-5:9"), std::vector<int>({5}));
}

TEST(RankList, contains_no_negative_rank) {
    EXPECT_FALSE(RankList::parse("0-2147483647")->contains(-1));
    EXPECT_TRUE(RankList::parse("0-2147483647")->contains(2147483647));
}

TEST(RankList, error_has_column) {
    EXPECT_EQ(error_column(""), 1);
    EXPECT_EQ(error_column("0-3,"), 5);
    EXPECT_EQ(error_column("0,x"), 3);
    EXPECT_EQ(error_column("3-0"), 1);
    EXPECT_EQ(error_column("0,1-4:0"), 3);
    EXPECT_EQ(error_column("4:2"), 1);
    EXPECT_EQ(error_column("4:2-8"), 1);
    EXPECT_EQ(error_column("0-"), 1);
    EXPECT_EQ(error_column("-3"), 1);
    EXPECT_EQ(error_column("0-3:"), 1);
    EXPECT_EQ(error_column("0-1-2"), 1);
    EXPECT_EQ(error_column("2147483648"), 1);
    EXPECT_EQ(error_column("0 -3"), 1);
}

}  // namespace
}  // namespace hitopo
