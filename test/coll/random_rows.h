// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Address tables of random communicators: few numbers a level, so that groups of all shapes come about.
#ifndef TEST_COLL_RANDOM_ROWS_H
#define TEST_COLL_RANDOM_ROWS_H

#include <array>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "ompi/mca/coll/hitopo/core/groups.h"

namespace hitopo::coll {

class Rows {
public:
    explicit Rows(std::vector<std::array<std::int32_t, kNumLevels>> addresses)
        : addresses_(std::move(addresses)) {
        for (const auto& address : addresses_) {
            rows_.push_back(address.data());
        }
    }
    Rows(const Rows&) = delete;

    AddressRows get() const { return rows_.data(); }
    int size() const { return static_cast<int>(rows_.size()); }
    std::int32_t at(int rank, int level) const {
        return addresses_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(level)];
    }

    // Each process's view.
    std::vector<Groups> groups(unsigned levels) const {
        const auto positions = std::make_shared<RowPositions>(get(), size(), levels);
        std::vector<Groups> of_rank;
        for (int rank = 0; rank < size(); ++rank) {
            of_rank.emplace_back(positions, rank);
        }
        return of_rank;
    }

private:
    std::vector<std::array<std::int32_t, kNumLevels>> addresses_;
    std::vector<const std::int32_t*> rows_;
};

// 1 to 40 processes; -1 among the numbers.
inline Rows random_rows(std::mt19937_64& random) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    std::array<int, kNumLevels> most;
    for (int& num : most) {
        num = 1 + below(3);
    }
    std::vector<std::array<std::int32_t, kNumLevels>> addresses(static_cast<std::size_t>(1 + below(40)));
    for (auto& address : addresses) {
        for (std::size_t level = 0; level < kNumLevels; ++level) {
            address[level] = below(most[level]) - below(2);
        }
    }
    return Rows(std::move(addresses));
}

// The ranks that are in one group with `rank` by the levels that count, up to `level`.
inline std::vector<int> group_of(const Rows& rows, int rank, int level, unsigned levels) {
    std::vector<int> members;
    for (int other = 0; other < rows.size(); ++other) {
        bool is_member = level < kProcess || other == rank;
        for (int outer = 0; outer <= level && outer < kNumLevels; ++outer) {
            is_member = is_member &&
                        ((levels >> outer & 1u) == 0 || rows.at(other, outer) == rows.at(rank, outer));
        }
        if (is_member) {
            members.push_back(other);
        }
    }
    return members;
}

}  // namespace hitopo::coll

#endif
