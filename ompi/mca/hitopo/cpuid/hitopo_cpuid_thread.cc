// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/cpuid/hitopo_cpuid_thread.h"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <optional>

#include "ompi/mca/hitopo/support/cpu_mask.h"
#include "ompi/mca/hitopo/support/helper_thread.h"

namespace hitopo {
namespace {

// The first version of the kernel's struct sched_attr, which no C library header has for long.
struct SchedAttributes {
    std::uint32_t num_bytes;
    std::uint32_t policy;
    std::uint64_t flags;
    std::int32_t nice;
    std::uint32_t priority;
    std::uint64_t slice_ns;
    std::uint64_t deadline_ns;
    std::uint64_t period_ns;
};
static_assert(sizeof(SchedAttributes) == 48, "SCHED_ATTR_SIZE_VER0");

// Ranks that wait in MPI_Init keep their CPUs busy, and a thread that moves to such a CPU waits there
// for the next tick. From Linux 6.12 on, one that asks for short slices runs at once.
void ask_for_short_slices() {
    constexpr std::uint64_t kShortest = 100000;
    SchedAttributes own = {};
    if (syscall(SYS_sched_getattr, 0, &own, sizeof own, 0) == 0 && own.policy == SCHED_OTHER) {
        own.slice_ns = kShortest;
        syscall(SYS_sched_setattr, 0, &own, 0);
    }
}

void pull_back(HelperThread& helper) {
    const CpuMask mine = CpuMask::of_thread(0);
    pthread_setaffinity_np(helper.handle(), mine.num_bytes(), mine.get());
}

}  // namespace

bool run_on_helper_thread(std::chrono::steady_clock::time_point deadline,
                          const std::function<void()>& body) {
    std::optional<HelperThread> helper = HelperThread::start([&body] {
        ask_for_short_slices();
        body();
    });
    if (!helper) {
        return false;
    }
    for (; !helper->ends_by(deadline);
         deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(1)) {
        pull_back(*helper);
    }
    helper->join();
    return true;
}

}  // namespace hitopo
