// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#ifndef TEST_CORE_RECORD_FOR_SEEDS_H
#define TEST_CORE_RECORD_FOR_SEEDS_H

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>

#include "test/core/record/random_job.h"

namespace hitopo {

// Calls body(random) with each of `num` seeds, until one fails, which its trace names.
template <class Body>
void for_seeds(int num, Body body) {
    const std::uint64_t end = test_seed() + static_cast<std::uint64_t>(num);
    for (std::uint64_t seed = test_seed(); seed < end && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE("HITOPO_TEST_SEED=" + std::to_string(seed));
        std::mt19937_64 random(seed);
        body(random);
    }
}

}  // namespace hitopo

#endif
