// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>

#include "ompi/mca/hitopo/core/machine/plan.h"

namespace hitopo {
namespace {

Cost operator+(Cost a, Cost b) { return {a.first + b.first, a.second + b.second}; }
Cost operator-(Cost a, Cost b) { return {a.first - b.first, a.second - b.second}; }
bool operator<(Cost a, Cost b) { return a.first != b.first ? a.first < b.first : a.second < b.second; }

constexpr Cost kInfinite = {std::numeric_limits<std::int64_t>::max() / 4, 0};

}  // namespace

// Rows come one by one. Each takes the cheapest chain of columns in which every row moves on to the next
// column and the last one is free. Prices of rows and columns keep the costs of all other pairs, less
// both prices, at 0 or above, and those of the pairs chosen at 0. Rows and columns count from 1; column
// 0 stands for the new row's.
std::vector<int> assign(const std::vector<std::vector<Cost>>& costs) {
    const std::size_t num_columns = costs.empty() ? 0 : costs.front().size();
    std::vector<Cost> row_price(costs.size() + 1), column_price(num_columns + 1);
    std::vector<std::size_t> row_of(num_columns + 1);  // of each column; 0: it is free
    std::vector<std::size_t> before(num_columns + 1);  // of each column: the one before it in the chain
    for (std::size_t row = 1; row <= costs.size(); ++row) {
        std::vector<Cost> least(num_columns + 1, kInfinite);
        std::vector<bool> is_reached(num_columns + 1);
        std::size_t column = 0;
        row_of[0] = row;
        while (row_of[column] != 0) {  // Dijkstra's algorithm
            is_reached[column] = true;
            const std::size_t from = row_of[column];
            std::size_t next = 0;
            for (std::size_t j = 1; j <= num_columns; ++j) {
                const Cost cost = costs[from - 1][j - 1] - row_price[from] - column_price[j];
                if (!is_reached[j] && cost < least[j]) {
                    least[j] = cost;
                    before[j] = column;
                }
                if (!is_reached[j] && (next == 0 || least[j] < least[next])) {
                    next = j;
                }
            }
            const Cost step = least[next];
            for (std::size_t j = 0; j <= num_columns; ++j) {
                if (is_reached[j]) {
                    row_price[row_of[j]] = row_price[row_of[j]] + step;
                    column_price[j] = column_price[j] - step;
                } else {
                    least[j] = least[j] - step;
                }
            }
            column = next;
        }
        for (; column != 0; column = before[column]) {
            row_of[column] = row_of[before[column]];
        }
    }
    std::vector<int> column_of(costs.size());
    for (std::size_t column = 1; column <= num_columns; ++column) {
        if (row_of[column] != 0) {
            column_of[row_of[column] - 1] = static_cast<int>(column) - 1;
        }
    }
    return column_of;
}

std::vector<int> share_out(int num_rows, int num_columns,
                           const std::function<Cost(int row, int column)>& cost) {
    const int least = num_rows / num_columns;
    const int num_seats = least + (num_rows % num_columns != 0 ? 1 : 0);  // of a column
    const std::int64_t above_all = std::int64_t{1000} * num_rows + 1;
    std::vector<std::vector<Cost>> costs(static_cast<std::size_t>(num_rows));
    for (int row = 0; row < num_rows; ++row) {
        for (int column = 0; column < num_columns; ++column) {
            const Cost own = cost(row, column);
            for (int seat = 0; seat < num_seats; ++seat) {
                costs[static_cast<std::size_t>(row)].push_back(own +
                                                               Cost{seat < least ? 0 : above_all, 0});
            }
        }
    }
    std::vector<int> chosen = assign(costs);
    std::transform(chosen.begin(), chosen.end(), chosen.begin(),
                   [&](int seat) { return seat / num_seats; });
    return chosen;
}

}  // namespace hitopo
