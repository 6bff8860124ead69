// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/exchange/roll_call.h"

#include <gtest/gtest.h>

#include <vector>

namespace hitopo {
namespace {

// All processes that are here, round by round; what each knows to be missing at the end.
std::vector<int> run(const std::vector<bool>& is_here) {
    const int size = static_cast<int>(is_here.size());
    std::vector<RollCall> calls;
    for (int rank = 0; rank < size; ++rank) {
        calls.emplace_back(rank, size);
    }
    while (!calls[0].is_over()) {
        std::vector<int> sent;
        for (int rank = 0; rank < size; ++rank) {
            RollCall& call = calls[static_cast<std::size_t>(rank)];
            EXPECT_EQ(calls[static_cast<std::size_t>(call.to())].from(), rank)
                << "what is sent is received in the same round";
            for (const int other : {call.to(), call.from()}) {
                call.note_missing(is_here[static_cast<std::size_t>(other)] ? size : other);
            }
            sent.push_back(call.lowest_missing());
        }
        for (RollCall& call : calls) {
            const auto from = static_cast<std::size_t>(call.from());
            call.note_missing(is_here[from] ? sent[from] : size);
            call.end_round();
        }
    }
    std::vector<int> known;
    for (const RollCall& call : calls) {
        EXPECT_TRUE(call.is_over());
        EXPECT_EQ(call.is_anyone_missing(), call.lowest_missing() < size);
        known.push_back(call.lowest_missing());
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
            const std::vector<int> known = run(is_here);
            for (unsigned rank = 0; rank < size; ++rank) {
                if (is_here[rank]) {
                    const auto missing = static_cast<unsigned>(known[rank]);
                    ASSERT_EQ(missing < size, here != all)
                        << "rank " << rank << " of " << size << ", here: " << here;
                    ASSERT_TRUE(missing == size || !is_here[missing]) << "one that is really missing";
                }
            }
        }
    }
}

TEST(RollCall, one_that_is_missing_is_named_by_all) {
    for (int size = 2; size <= 40; ++size) {
        for (int missing = 0; missing < size; ++missing) {
            std::vector<bool> is_here(static_cast<std::size_t>(size), true);
            is_here[static_cast<std::size_t>(missing)] = false;
            const std::vector<int> known = run(is_here);
            for (int rank = 0; rank < size; ++rank) {
                if (rank != missing) {
                    ASSERT_EQ(known[static_cast<std::size_t>(rank)], missing) << rank << " of " << size;
                }
            }
        }
    }
}

TEST(RollCall, takes_as_many_rounds_as_the_size_has_binary_digits) {
    const auto rounds = [](int size) {
        int count = 0;
        for (RollCall call(0, size); !call.is_over(); call.end_round()) {
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
