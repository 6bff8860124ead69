// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Tables of cases.
#ifndef TEST_SUPPORT_EXPECT_EACH_H
#define TEST_SUPPORT_EXPECT_EACH_H

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace hitopo {

// function(input) is the text that stands beside the input.
template <class Input = const char*, class Function>
void expect_each(Function function, const std::vector<std::pair<Input, const char*>>& cases) {
    for (const auto& [input, expected] : cases) {
        EXPECT_EQ(function(input), expected) << input;
    }
}

}  // namespace hitopo

#endif
