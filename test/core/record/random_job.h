// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Random jobs: unequal nodes and machines, bindings of all kinds, components that know something of
// some processes.
#ifndef TEST_CORE_RECORD_RANDOM_JOB_H
#define TEST_CORE_RECORD_RANDOM_JOB_H

#include <cstdint>
#include <random>
#include <vector>

#include "test/core/record/fake_job.h"

namespace hitopo {

// What a random job may have beside plain nodes and bindings.
struct RandomTraits {
    bool has_gaps = true;         // some processes and nodes know less, or other things, than others
    bool has_simulations = true;  // nodes, bindings and places inside a node that are only said
    int num_nodes = 0;            // 0: any
    bool has_leaders = false;     // processes that can tell uplinks, of switches or of what is none
    bool has_side = true;         // side resources
};
FakeJob random_job(std::mt19937_64& random, const RandomTraits& traits = {});

// Some ranks below `size` in any order, at least one.
std::vector<std::uint32_t> random_members(std::mt19937_64& random, std::size_t size);

// HITOPO_TEST_SEED, or one for all.
std::uint64_t test_seed();

}  // namespace hitopo

#endif
