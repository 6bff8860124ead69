// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "bench/live_bytes.h"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace hitopo::bench {
namespace {

std::size_t live = 0;  // the benchmarks have one thread
std::size_t peak = 0;

}  // namespace

std::size_t live_bytes() { return live; }
std::size_t peak_bytes() { return peak; }
void reset_peak() { peak = live; }

}  // namespace hitopo::bench

void* operator new(std::size_t num_bytes) {
    void* memory = std::malloc(num_bytes);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    hitopo::bench::live += malloc_usable_size(memory);
    hitopo::bench::peak = std::max(hitopo::bench::peak, hitopo::bench::live);
    return memory;
}

void operator delete(void* memory) noexcept {
    hitopo::bench::live -= memory == nullptr ? 0 : malloc_usable_size(memory);
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
