// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The place of one x86 CPU, decoded from its answers to the cpuid instruction.
#ifndef OMPI_MCA_HITOPO_CPUID_CPUID_TOPOLOGY_H
#define OMPI_MCA_HITOPO_CPUID_CPUID_TOPOLOGY_H

#include <cstdint>
#include <functional>
#include <optional>

namespace hitopo {

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

}  // namespace hitopo

#endif
