// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A machine as plain sets of CPU numbers: what tests say, apart from core's own form of it.
#ifndef TEST_CORE_RECORD_FAKE_MACHINE_H
#define TEST_CORE_RECORD_FAKE_MACHINE_H

#include <map>
#include <set>
#include <string>
#include <vector>

#include "test/support/cpu_numbers.h"

namespace hitopo {

struct FakeMachine {
    // By type; sets of numbers stand in the order of their lowest number, then of the next.
    std::map<std::string, std::set<CpuNumbers>> types;

    std::string encoded() const;
};

// How many packages, of how many NUMA nodes each, of how many L3 caches each, ..
struct FakeShape {
    int packages = 1;
    int numas = 1;
    int caches = 1;
    int cores = 1;
    int threads = 1;

    int num_cpus() const { return packages * numas * caches * cores * threads; }
};

// Machine, Package, NUMANode, L3Cache, Core and PU. numbers: the CPU number of each hardware thread,
// in the order of the hardware; counted from 0 where there are none.
FakeMachine make_machine(const FakeShape& shape, std::vector<int> numbers = {});

}  // namespace hitopo

#endif
