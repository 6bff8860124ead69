// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/binding_watch.h"

#include <chrono>

#include "ompi/mca/hitopo/base/job/local_process.h"

namespace hitopo {
namespace {

using Clock = std::chrono::steady_clock;

// A thread's last look.
struct Look {
    CpuSet cpus;
    std::uint64_t hash = 0;  // hash_thread_bindings() then
    Clock::time_point at;
};

}  // namespace

bool is_bound_anew(const CommTable& table) { return read_binding() != table.binding(); }

// An old look may say that nothing changed, but never that something did.
bool may_be_bound_anew(const CommTable& table) {
    constexpr auto kTrusted = std::chrono::milliseconds(100);
    thread_local Look last;
    const std::uint64_t hash = hash_thread_bindings();
    const Clock::time_point now = Clock::now();
    if (hash == last.hash && now - last.at < kTrusted && last.cpus == table.binding()) {
        return false;
    }
    last = {read_binding(), hash, now};
    return last.cpus != table.binding();
}

}  // namespace hitopo
