// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// In all fuzzers an input that breaks what must hold aborts, and is kept.
#ifndef TEST_FUZZ_REQUIRE_H
#define TEST_FUZZ_REQUIRE_H

#include <cstdlib>

inline void require(bool holds)
{
    if (!holds) {
        std::abort();
    }
}

#endif
