// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <random>

#include "profiler/count/clock.h"

namespace hitopo::profile {
namespace {

struct Outcome {
    std::uint64_t passed = 0, counted = 0, num_timed = 0;
};

template <class DurationOf>
Outcome run(Sampling& sampling, int num_calls, DurationOf&& duration_of) {
    Outcome outcome;
    for (int i = 0; i < num_calls; ++i) {
        const std::uint64_t passed = duration_of(i);
        outcome.passed += passed;
        if (sampling.is_timed()) {
            outcome.counted += sampling.weigh(passed);
            ++outcome.num_timed;
        }
    }
    return outcome;
}

TEST(Sampling, times_all_long_calls) {
    Sampling sampling{};
    const Outcome outcome = run(sampling, 1000, [](int) { return Sampling::kLongTicks; });
    EXPECT_EQ(outcome.num_timed, 1000U);
    EXPECT_EQ(outcome.counted, outcome.passed);
}

TEST(Sampling, times_the_first_calls) {
    Sampling sampling{};
    EXPECT_EQ(run(sampling, Sampling::kManyShort, [](int) { return 10; }).num_timed,
              Sampling::kManyShort);
}

TEST(Sampling, times_few_of_many_short_calls) {
    Sampling sampling{};
    const Outcome outcome = run(sampling, 160000, [](int) { return 10; });
    EXPECT_NEAR(static_cast<double>(outcome.num_timed), 10000, 300);
    EXPECT_NEAR(static_cast<double>(outcome.counted), static_cast<double>(outcome.passed),
                0.03 * static_cast<double>(outcome.passed));
}

TEST(Sampling, times_all_for_a_while_after_a_long_call) {
    Sampling sampling{};
    (void)run(sampling, 1000, [](int) { return 10; });
    while (!sampling.is_timed()) {
    }
    (void)sampling.weigh(Sampling::kLongTicks);
    EXPECT_EQ(run(sampling, Sampling::kManyShort, [](int) { return 10; }).num_timed,
              Sampling::kManyShort);
}

// Rare long calls, regular ones that a fixed gap would always or never meet, and short ones of all
// lengths.
TEST(Sampling, sums_are_right_on_average) {
    std::mt19937 random(7);
    Outcome all;
    for (int i = 0; i < 200; ++i) {
        Sampling sampling{};
        sampling.random = static_cast<std::uint32_t>(random());
        const Outcome outcome = run(sampling, 5000, [&](int call) {
            return call % 500 == 0  ? 100000U
                   : call % 16 == 0 ? 200U
                                    : static_cast<unsigned>(random() % 60);
        });
        all.passed += outcome.passed;
        all.counted += outcome.counted;
    }
    EXPECT_NEAR(static_cast<double>(all.counted) / static_cast<double>(all.passed), 1.0, 0.05);
}

}  // namespace
}  // namespace hitopo::profile
