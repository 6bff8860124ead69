// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>

#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {
namespace {

Error entry(const std::string& value, const char* message, int line) {
    return {Errc::kMalformed, value, message, "f", line, 1};
}

// All of them: 20, and the exact number of the others.
TEST(Skipped, as_one_has_the_first_20_and_counts_the_others) {
    Skipped skipped;
    EXPECT_FALSE(skipped.as_one());
    for (int line = 1; line <= 123; ++line) {
        skipped.add(entry(std::to_string(line), "broken", line));
    }
    const std::optional<Error> one = skipped.as_one();
    ASSERT_TRUE(one);
    EXPECT_EQ(one->code, Errc::kSkipped);
    EXPECT_EQ(one->value, "1");
    EXPECT_EQ(one->message, "broken");
    EXPECT_EQ(one->position(), "f:1:1");
    ASSERT_EQ(one->others.size(), 19U);
    EXPECT_EQ(one->others.back().position(), "f:20:1");
    EXPECT_EQ(one->num_more, 103);
    EXPECT_EQ(skipped.as_one(Errc::kMalformed)->code, Errc::kMalformed);
}

TEST(Skipped, add_keeps_a_kind_once) {
    Skipped skipped;
    for (const char* kind : {"Mesh", "Cube", "Mesh", "Mesh"}) {
        skipped.add({Errc::kSkipped, kind, "no such kind", "f", 1, 1});
    }
    ASSERT_EQ(skipped.as_one()->others.size(), 1U);
    EXPECT_EQ(skipped.as_one()->others[0].value, "Cube");
    EXPECT_EQ(skipped.as_one()->num_more, 2);
}

TEST(Skipped, as_one_cuts_long_values) {
    Skipped skipped;
    skipped.add(entry(std::string(300, 'x'), "broken", 1));
    EXPECT_EQ(skipped.as_one()->value, std::string(200, 'x') + "..");
}

}  // namespace
}  // namespace hitopo
