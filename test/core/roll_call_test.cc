// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/roll_call.h"

#include <gtest/gtest.h>

#include <vector>

namespace hitopo {
namespace {

// All processes that are here, round by round; what they know at the end.
std::vector<bool> run(const std::vector<bool>& is_here) {
    const int size = static_cast<int>(is_here.size());
    std::vector<RollCall> calls;
    for (int rank = 0; rank < size; ++rank) {
        calls.emplace_back(rank, size);
    }
    while (!calls[0].is_over()) {
        std::vector<bool> sent;
        for (int rank = 0; rank < size; ++rank) {
            const RollCall& call = calls[static_cast<std::size_t>(rank)];
            sent.push_back(call.is_anyone_missing());
            EXPECT_EQ(calls[static_cast<std::size_t>(call.to())].from(), rank)
                << "what is sent is received in the same round";
        }
        for (int rank = 0; rank < size; ++rank) {
            RollCall& call = calls[static_cast<std::size_t>(rank)];
            const auto to = static_cast<std::size_t>(call.to());
            const auto from = static_cast<std::size_t>(call.from());
            call.end_round(!is_here[to] || !is_here[from] || sent[from]);
        }
    }
    std::vector<bool> known;
    for (const RollCall& call : calls) {
        EXPECT_TRUE(call.is_over());
        known.push_back(call.is_anyone_missing());
    }
    return known;
}

TEST(RollCall, all_that_are_here_agree_whoever_is_missing) {
    for (unsigned size = 1; size <= 11; ++size) {
        const unsigned all = (1U << size) - 1;
        for (unsigned here = 1; here <= all; ++here) {
            std::vector<bool> is_here;
            for (unsigned rank = 0; rank < size; ++rank) {
                is_here.push_back((here >> rank & 1) != 0);
            }
            const std::vector<bool> known = run(is_here);
            for (unsigned rank = 0; rank < size; ++rank) {
                if (is_here[rank]) {
                    ASSERT_EQ(known[rank], here != all)
                        << "rank " << rank << " of " << size << ", here: " << here;
                }
            }
        }
    }
}

TEST(RollCall, takes_as_many_rounds_as_the_size_has_binary_digits) {
    const auto rounds = [](int size) {
        int count = 0;
        for (RollCall call(0, size); !call.is_over(); call.end_round(false)) {
            ++count;
        }
        return count;
    };
    EXPECT_EQ(rounds(1), 0);
    EXPECT_EQ(rounds(2), 1);
    EXPECT_EQ(rounds(3), 2);
    EXPECT_EQ(rounds(4), 2);
    EXPECT_EQ(rounds(100000), 17);
    EXPECT_EQ(rounds(2147483647), 31) << "no overflow at the largest communicator";
}

}  // namespace
}  // namespace hitopo
