// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#ifndef TEST_MPI_ORACLE_SPLIT_RANDOM_H
#define TEST_MPI_ORACLE_SPLIT_RANDOM_H

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace split_oracle {

// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): the same numbers with every standard library.
class Random {
public:
    // Each purpose draws numbers of its own.
    Random(std::uint64_t seed, std::uint64_t number, std::uint64_t purpose)
        : state_((seed * 1000003 + number) * 1000003 + purpose) {}

    int below(int bound) { return static_cast<int>(next() % static_cast<std::uint64_t>(bound)); }
    int between(int low, int high) { return low + below(high - low + 1); }
    bool chance(int percent) { return below(100) < percent; }

    template <class T>
    const T& pick(const std::vector<T>& values) {
        return values[static_cast<std::size_t>(below(static_cast<int>(values.size())))];
    }

    template <class T>
    void shuffle(std::vector<T>& values) {
        for (std::size_t i = values.size(); i > 1; --i) {
            std::swap(values[i - 1], values[static_cast<std::size_t>(below(static_cast<int>(i)))]);
        }
    }

private:
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }

    std::uint64_t state_;
};

}  // namespace split_oracle

#endif
