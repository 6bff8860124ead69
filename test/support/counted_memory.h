// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What this program takes by operator new, and that it may fail.
#ifndef TEST_SUPPORT_COUNTED_MEMORY_H
#define TEST_SUPPORT_COUNTED_MEMORY_H

#include <cstddef>

namespace hitopo {

// Asked before each allocation, which fails where it says so. NULL: all go well.
extern bool (*may_allocate)();

// Counts from here on; one at a time.
class CountedMemory {
public:
    CountedMemory();

    // The most that was taken at once since, beside what was taken before.
    std::size_t peak_bytes() const;
    // What is still taken of it.
    std::size_t kept_bytes() const;

private:
    std::size_t before_;
};

}  // namespace hitopo

#endif
