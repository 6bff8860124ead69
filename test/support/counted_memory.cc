// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/support/counted_memory.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> taken{0};
std::atomic<std::size_t> peak{0};

void* allocate(std::size_t num_bytes) {
    return hitopo::may_allocate == nullptr || hitopo::may_allocate() ? std::malloc(num_bytes) : nullptr;
}

void count(void* memory) {
    const std::size_t now = taken += malloc_usable_size(memory);
    for (std::size_t before = peak; before < now && !peak.compare_exchange_weak(before, now);) {
    }
}

}  // namespace

void* operator new(std::size_t num_bytes) {
    void* memory = allocate(num_bytes);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    count(memory);
    return memory;
}

// Under AddressSanitizer the library's own does not come here, and `operator delete` does.
void* operator new(std::size_t num_bytes, const std::nothrow_t&) noexcept {
    void* memory = allocate(num_bytes);
    if (memory != nullptr) {
        count(memory);
    }
    return memory;
}

void operator delete(void* memory) noexcept {
    taken -= malloc_usable_size(memory);
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

namespace hitopo {

bool (*may_allocate)() = nullptr;

CountedMemory::CountedMemory() : before_(taken) { peak = before_; }

std::size_t CountedMemory::peak_bytes() const { return peak - before_; }

std::size_t CountedMemory::kept_bytes() const { return taken - before_; }

}  // namespace hitopo
