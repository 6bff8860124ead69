// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>

#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {
namespace {

Error entry(const std::string& value, const char* message, int line) {
    return {Errc::kMalformed, value, message, "f", line, 1};
}

TEST(Skipped, as_one_names_each_kind_once) {
    Skipped skipped;
    EXPECT_FALSE(skipped.as_one());
    for (int line = 1; line <= 1000; ++line) {
        skipped.add(entry(line % 2 == 1 ? "Mesh" : "Cube", "no such kind", line));
    }
    const std::optional<Error> one = skipped.as_one();
    ASSERT_TRUE(one);
    EXPECT_EQ(one->code, Errc::kSkipped);
    EXPECT_EQ(one->value, "Mesh, Cube");
    EXPECT_EQ(one->message, "no such kind");
    EXPECT_EQ(one->position(), "f:1:1");
}

TEST(Skipped, as_one_counts_other_reasons) {
    Skipped skipped;
    skipped.add(entry("a", "no such kind", 1));
    Skipped others;
    others.add(entry("b", "no list", 2));
    others.add(entry("a", "no such kind", 3));
    skipped.add(others);
    EXPECT_EQ(skipped.as_one()->value, "a");
    EXPECT_EQ(skipped.as_one()->message, "no such kind; HiTopo ignored more entries, 1 or more");
}

TEST(Skipped, add_is_bounded) {
    Skipped skipped;
    for (int line = 0; line < 100; ++line) {
        skipped.add(entry(std::to_string(line), "broken", line));
    }
    EXPECT_EQ(skipped.kept().size(), Skipped::kMaxKept);
    EXPECT_EQ(skipped.as_one()->value, "0, 1, 2, 3, 4, 5, 6, 7");
    EXPECT_EQ(skipped.as_one()->message, "broken; HiTopo ignored more entries, 92 or more");
}

}  // namespace
}  // namespace hitopo
