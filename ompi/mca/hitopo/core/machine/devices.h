// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The GPUs and network interfaces of one node, and how near they are to CPUs and to each other.
#ifndef OMPI_MCA_HITOPO_CORE_MACHINE_DEVICES_H
#define OMPI_MCA_HITOPO_CORE_MACHINE_DEVICES_H

#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/machine/cpuset.h"

namespace hitopo {

// PCI vendors.
constexpr unsigned kNvidia = 0x10de, kAmd = 0x1002, kIntel = 0x8086, kCray = 0x17db;

struct Device {
    std::string pci;  // its address: "0000:c1:00.0"
    unsigned vendor = 0, model = 0;
    int part = 0;                      // of a GPU that is several at one address (AMD's CPX mode)
    CpuSet place;                      // the CPUs of its first ancestor that is no I/O object
    std::vector<std::string> bridges;  // PCI bridges above it, the host bridge first
    std::vector<std::string> names;    // as the system has it: verbs' names first ("mlx5_0", "ib0")
    bool is_active = true;             // false: no port of a NIC is active

    // The first of its names, else its PCI address.
    const std::string& name() const { return names.empty() ? pci : names.front(); }

    // "0000:c1:00.0", "0000:c1:00.0#2" of part 2.
    std::string address() const { return part == 0 ? pci : pci + '#' + std::to_string(part); }
};

struct NumaNode {
    int number;  // the system's
    CpuSet cpus;
};

// The devices of one node. UUIDs and serial numbers are left out: equal nodes have equal devices.
struct NodeDevices {
    // In the order of addresses and parts, in which nvidia-smi and ROCm count those of one vendor.
    std::vector<Device> gpus;
    std::vector<Device> nics;             // in the natural order of their names
    std::vector<NumaNode> numa_nodes;     // those with CPUs, by their first CPU
    std::vector<CpuSet> packages, cores;  // by their first CPU; one package where hwloc has none
    CpuSet cpus;                          // those that may be used

    const Device& gpu(int number) const { return gpus[static_cast<std::size_t>(number)]; }
    const Device& nic(int number) const { return nics[static_cast<std::size_t>(number)]; }
};

// The numbers of the NUMA nodes that share CPUs with these, ascending.
std::vector<int> numa_nodes_of(const NodeDevices& node, const CpuSet& cpus);

// Smaller is nearer. Of two devices the first two are nvidia-smi's PIX or PXB, and PHB.
enum class Distance { kSwitch, kRoot, kPlace, kNumaNode, kPackage, kNode };

// CPUs of the NUMA node that holds the device's place; the place where none does.
const CpuSet& near_cpus(const NodeDevices& node, const Device& device);

// A device's distance to CPUs, kPlace at the least, and to another device. cpus: not empty.
Distance distance(const NodeDevices& node, const CpuSet& cpus, const Device& device);
Distance distance(const NodeDevices& node, const Device& a, const Device& b);

// The NICs that programs use, by their numbers in node.nics: active ones; where some share a PCI switch
// with a GPU, those alone, since the others are for storage or management.
std::vector<int> used_nics(const NodeDevices& node);

// Those of `numbers` whose far(number) is the least, in their order.
template <class Far>
std::vector<int> nearest_of(const std::vector<int>& numbers, Far far) {
    std::vector<int> nearest;
    for (const int number : numbers) {
        if (!nearest.empty() && far(number) < far(nearest.front())) {
            nearest.clear();
        }
        if (nearest.empty() || far(number) == far(nearest.front())) {
            nearest.push_back(number);
        }
    }
    return nearest;
}

// The nearest of used_nics, from a GPU or CPUs.
std::vector<int> nearest_nics(const NodeDevices& node, const Device& gpu);
std::vector<int> nearest_nics(const NodeDevices& node, const CpuSet& cpus);

}  // namespace hitopo

#endif
