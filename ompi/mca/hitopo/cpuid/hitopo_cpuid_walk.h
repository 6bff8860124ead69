// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// From CPU to CPU, asking each where it stands, until the machine is known.
#ifndef OMPI_MCA_HITOPO_CPUID_HITOPO_CPUID_WALK_H
#define OMPI_MCA_HITOPO_CPUID_HITOPO_CPUID_WALK_H

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/machine/machine.h"
#include "ompi/mca/hitopo/cpuid/cpuid_topology.h"

namespace hitopo {

// The CPUs as the calling thread meets them.
class CpuAsker {
public:
    virtual ~CpuAsker() = default;

    virtual CpuSet cpus() = 0;          // where the thread may go at most
    virtual bool move_to(int cpu) = 0;  // false: the thread is not there
    virtual std::optional<CpuIds>
    ask() = 0;  // of the CPU that the thread is on; empty: it does not tell
};

struct CpuWalk {
    std::optional<Machine> machine;  // of the CPUs that could be entered
    std::string reason;              // how it went
};

// No machine if `is_over` before all CPUs were asked, if a CPU does not tell (the walk stops there: the
// others would not either), or if two CPUs claim to be one hardware thread.
CpuWalk walk_cpus(CpuAsker& asker, const std::function<bool()>& is_over);

// Runs `body` on a new thread, all signals blocked, and returns when that has ended; rethrows what
// `body` throws. False if no thread could be started. `body` must end soon after `deadline`; from then
// on the thread is pulled back to the caller's CPUs, in case the one it waits for is never free.
bool run_on_helper_thread(std::chrono::steady_clock::time_point deadline,
                          const std::function<void()>& body);

}  // namespace hitopo

#endif
