// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A walk from CPU to CPU, which asks each for its place until the machine is known.
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
    ask() = 0;  // of the CPU that the thread is on; empty: no leaf has them
    virtual std::optional<std::uint64_t> kernel_package(int cpu) = 0;  // its number; empty: unknown
};

struct CpuWalk {
    std::optional<Machine> machine;  // of the CPUs that could be entered
    std::string reason;              // the outcome
};

// No machine if `is_over` before all CPUs were asked, if a CPU does not know its place (the walk stops
// there: the others would not either), if two CPUs claim to be one hardware thread, or if the kernel
// puts CPUs into other packages: a hypervisor may let the instruction of its host through.
CpuWalk walk_cpus(CpuAsker& asker, const std::function<bool()>& is_over);

// Runs `body` on a new thread, all signals blocked, and returns when that has ended; rethrows an
// exception of `body`. False if no thread could be started. `body` must end soon after `deadline`; from
// then on the thread is pulled back to the caller's CPUs, in case its next CPU is never free.
bool run_on_helper_thread(std::chrono::steady_clock::time_point deadline,
                          const std::function<void()>& body);

}  // namespace hitopo

#endif
