// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// For fuzzers of a line's parser: its error stands in the line, or at its end, and has a remedy.
#ifndef TEST_FUZZ_REQUIRE_LOCATED_H
#define TEST_FUZZ_REQUIRE_LOCATED_H

#include <cstddef>

#include "ompi/mca/hitopo/core/text/result.h"
#include "test/fuzz/require.h"

namespace hitopo {

inline void require_located(const Error& error, std::size_t line_size) {
    require(error.column >= 1 && error.column <= static_cast<int>(line_size) + 1);
    require(!error.message.empty());
}

}  // namespace hitopo

#endif
