// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// How many random cases a test looks at.
#ifndef TEST_SUPPORT_RANDOM_CASES_H
#define TEST_SUPPORT_RANDOM_CASES_H

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

namespace hitopo {

// A tenth under sanitizers, which are ten times slower, and look for other mistakes than wrong numbers.
constexpr int random_cases(int num) {
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
    return (num + 9) / 10;
#else
    return num;
#endif
}

}  // namespace hitopo

#endif
