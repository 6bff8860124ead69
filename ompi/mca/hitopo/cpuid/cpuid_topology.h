// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The place of one x86 CPU, decoded from its answers to the cpuid instruction, and a walk from CPU to
// CPU, which asks each for its place until the machine is known.
#ifndef OMPI_MCA_HITOPO_CPUID_CPUID_TOPOLOGY_H
#define OMPI_MCA_HITOPO_CPUID_CPUID_TOPOLOGY_H

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/machine/machine.h"

namespace hitopo {

// ---- cpuid_topology.cc ----

struct CpuidRegisters {
    std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

// The cpuid instruction of one CPU: (leaf, subleaf) to registers.
using Cpuid = std::function<CpuidRegisters(std::uint32_t, std::uint32_t)>;

// Equal ids are one package, core or thread of the machine; their values and order mean nothing.
struct CpuIds {
    std::uint32_t package = 0, core = 0, thread = 0;
};

// The layout of the machine's APIC ids: one for all of its CPUs, hybrid ones too.
struct ApicLayout {
    std::uint32_t id_leaf = 1;  // where a CPU finds its own APIC id
    unsigned thread_bits = 0;   // the low bits that differ among threads of one core
    unsigned package_bits = 0;  // the low bits that differ among threads of one package
};

// Tries leaves 0x1F, 0x80000026 and 0x0B, then by vendor: AMD and Hygon 0x80000008 with 0x8000001E;
// Intel, Centaur and Zhaoxin 1 with 4. Empty if no leaf has it. A leaf whose APIC id contradicts leaf 1
// (some hypervisors answer zeros) counts as absent.
// Source: Intel SDM vol. 3, "Detecting hardware multi-threading support and topology"; AMD APM vol. 3,
// appendix E. The order is Linux's, whose sysfs hwloc reads, so that all of them agree.
std::optional<ApicLayout> decode_apic_layout(const Cpuid& cpuid);

// The ids of the CPU that `cpuid` asks. A virtual machine takes microseconds for each instruction.
CpuIds ids_of_cpu(const ApicLayout& layout, const Cpuid& cpuid);

// ---- hitopo_cpuid_walk.cc ----

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
