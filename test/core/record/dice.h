// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#ifndef TEST_CORE_RECORD_DICE_H
#define TEST_CORE_RECORD_DICE_H

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace hitopo {

// What makers of random jobs and tables throw.
class Dice {
protected:
    explicit Dice(std::mt19937_64& random) : random_(random) {}

    int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint64_t>(limit)); }
    bool one_in(int chances) { return below(chances) == 0; }
    template <class T>
    const T& any_of(const std::vector<T>& all) {
        return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
    }

    std::mt19937_64& random_;
};

}  // namespace hitopo

#endif
