// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/text/rank_list.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "test/core/text/error_columns.h"

namespace hitopo {
namespace {

std::vector<int> members(const std::string& text) {
    const Result<NumberRanges> list = parse_ranges(text);
    EXPECT_TRUE(list) << text;
    std::vector<int> ranks;
    for (int rank = 0; list && rank < 40; ++rank) {
        if (has_number(*list, rank)) {
            ranks.push_back(rank);
        }
    }
    return ranks;
}

TEST(NumberRanges, have_ranges_and_strides) {
    EXPECT_EQ(members("0-3,8,16-31:4"), std::vector<int>({0, 1, 2, 3, 8, 16, 20, 24, 28}));
    EXPECT_EQ(members("1-8:3"), std::vector<int>({1, 4, 7}));
    EXPECT_EQ(members("5"), std::vector<int>({5}));
    EXPECT_EQ(members("5-5:9"), std::vector<int>({5}));
}

TEST(NumberRanges, have_no_negative_rank) {
    EXPECT_FALSE(has_number(*parse_ranges("0-2147483646"), -1));
    EXPECT_TRUE(has_number(*parse_ranges("0-2147483646"), 2147483646));
}

TEST(NumberRanges, error_has_column) {
    const ErrorColumns columns = {
        {"", 1},   {"0-3,", 5}, {"0,x", 3},  {"3-0", 1},   {"0,1-4:0", 3},    {"4:2", 1}, {"4:2-8", 1},
        {"0-", 1}, {"-3", 1},   {"0-3:", 1}, {"0-1-2", 1}, {"2147483647", 1}, {"0 -3", 1}};
    expect_error_columns(columns, [](const char* text) { return parse_ranges(text); });
}

}  // namespace
}  // namespace hitopo
