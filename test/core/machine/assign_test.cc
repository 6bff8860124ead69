// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/machine/plan.h"

namespace hitopo {
namespace {

using Costs = std::vector<std::vector<Cost>>;
using Sum = std::pair<std::int64_t, std::int64_t>;

Sum sum_of(const Costs& costs, const std::vector<int>& columns) {
    Sum sum;
    for (std::size_t row = 0; row < costs.size(); ++row) {
        const Cost& cost = costs[row][static_cast<std::size_t>(columns[row])];
        sum.first += cost.first;
        sum.second += cost.second;
    }
    return sum;
}

// The least sum of all assignments.
Sum least_sum(const Costs& costs) {
    std::vector<int> columns(costs.front().size());
    std::iota(columns.begin(), columns.end(), 0);
    Sum least = sum_of(costs, columns);
    while (std::next_permutation(columns.begin(), columns.end())) {
        least = std::min(least, sum_of(costs, columns));
    }
    return least;
}

Costs random_costs(std::mt19937& random, std::size_t rows, std::size_t columns) {
    Costs costs(rows, std::vector<Cost>(columns));
    for (std::vector<Cost>& row : costs) {
        for (Cost& cost : row) {
            cost = {static_cast<std::int64_t>(random() % 4), static_cast<std::int64_t>(random() % 50)};
        }
    }
    return costs;
}

// The cheapest column of both rows is the first: 1 + 6 < 5 + 3.
TEST(Assign, the_sum_counts_and_not_the_row) {
    EXPECT_EQ(assign({{{1, 0}, {5, 0}}, {{3, 0}, {6, 0}}}), (std::vector<int>{0, 1}));
    EXPECT_EQ(assign({{{1, 0}, {2, 0}}, {{3, 0}, {6, 0}}}), (std::vector<int>{1, 0}));
}

TEST(Assign, the_second_cost_decides_ties_only) {
    EXPECT_EQ(assign({{{1, 9}, {1, 2}}, {{1, 9}, {1, 3}}}), (std::vector<int>{1, 0}));
    EXPECT_EQ(assign({{{1, 9000}, {2, 0}}, {{2, 0}, {1, 9000}}}), (std::vector<int>{0, 1}));
}

TEST(Assign, nobody_and_more_columns_than_rows) {
    EXPECT_EQ(assign({}), std::vector<int>());
    EXPECT_EQ(assign({{{3, 0}, {2, 0}, {1, 0}, {2, 0}}}), std::vector<int>{2});
}

TEST(Assign, is_the_best_of_all_permutations) {
    std::mt19937 random(1);
    for (int i = 0; i < 300; ++i) {
        const std::size_t columns = 1 + random() % 6;
        const Costs costs = random_costs(random, 1 + random() % columns, columns);
        std::vector<int> chosen = assign(costs);
        EXPECT_EQ(sum_of(costs, chosen), least_sum(costs)) << "case " << i;
        std::sort(chosen.begin(), chosen.end());
        EXPECT_EQ(std::adjacent_find(chosen.begin(), chosen.end()), chosen.end()) << "case " << i;
    }
}

// 7 rows in 3 columns: two have 2 and one 3, although all rows would like the last column.
TEST(ShareOut, columns_have_as_many_rows_or_one_more) {
    const auto likes_the_last = [](int, int column) { return Cost{column == 2 ? 0 : 5, column}; };
    std::vector<int> columns = share_out(7, 3, likes_the_last);
    std::sort(columns.begin(), columns.end());
    EXPECT_EQ(columns, (std::vector<int>{0, 0, 1, 1, 2, 2, 2}));
}

TEST(ShareOut, fewer_rows_than_columns_have_one_each) {
    const auto apart = [](int row, int column) { return Cost{std::abs(3 * row - column), 0}; };
    EXPECT_EQ(share_out(2, 5, apart), (std::vector<int>{0, 3}));
}

}  // namespace
}  // namespace hitopo
