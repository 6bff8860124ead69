// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Where the parser of a list of one line finds it wrong.
#ifndef TEST_CORE_TEXT_ERROR_COLUMNS_H
#define TEST_CORE_TEXT_ERROR_COLUMNS_H

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace hitopo {

// Texts, each with the column of its error.
using ErrorColumns = std::vector<std::pair<const char*, int>>;

template <class Parse>
void expect_error_columns(const ErrorColumns& columns, Parse parse) {
    for (const auto& [text, column] : columns) {
        const auto list = parse(text);
        ASSERT_FALSE(list) << text;
        EXPECT_EQ(list.error().column, column) << text;
    }
}

}  // namespace hitopo

#endif
