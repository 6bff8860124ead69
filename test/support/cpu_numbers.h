// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// CPU sets as tests say them, apart from core's own form.
#ifndef TEST_SUPPORT_CPU_NUMBERS_H
#define TEST_SUPPORT_CPU_NUMBERS_H

#include <set>

#include "ompi/mca/hitopo/core/machine/cpuset.h"

namespace hitopo {

using CpuNumbers = std::set<int>;

inline CpuSet set_of(const CpuNumbers& numbers) {
    CpuSet set;
    for (const int cpu : numbers) {
        set.add(cpu);
    }
    return set;
}

inline CpuNumbers numbers_of(const CpuSet& set) {
    CpuNumbers numbers;
    for (int cpu = set.first(); cpu >= 0; cpu = set.next(cpu)) {
        numbers.insert(cpu);
    }
    return numbers;
}

}  // namespace hitopo

#endif
