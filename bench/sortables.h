// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The measure of an exchange's work: one std::sort of a thing of 64 bytes a process.
#ifndef BENCH_SORTABLES_H
#define BENCH_SORTABLES_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace hitopo::bench {

struct Sortable {
    std::uint64_t key;
    char rest[56];
};
static_assert(sizeof(Sortable) == 64);

inline std::vector<Sortable> make_sortables(std::size_t count) {
    std::mt19937_64 random(1);
    std::vector<Sortable> sortables(count);
    for (Sortable& sortable : sortables) {
        sortable.key = random();
    }
    return sortables;
}

inline void sort(std::vector<Sortable>& sortables) {
    std::sort(sortables.begin(), sortables.end(),
              [](const Sortable& a, const Sortable& b) { return a.key < b.key; });
}

}  // namespace hitopo::bench

#endif
