// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/machine/devices.h"

#include <algorithm>

namespace hitopo {

const CpuSet& near_cpus(const NodeDevices& node, const Device& device) {
    for (const NumaNode& numa : node.numa_nodes) {
        if (!device.place.is_empty() && device.place.is_subset_of(numa.cpus)) {
            return numa.cpus;
        }
    }
    return device.place;
}

Distance distance(const NodeDevices& node, const CpuSet& cpus, const Device& device) {
    const CpuSet& near = near_cpus(node, device);
    if (cpus.is_subset_of(device.place) && device.place != near) {
        return Distance::kPlace;
    }
    if (cpus.is_subset_of(near)) {
        return Distance::kNumaNode;
    }
    const bool share_package =
        std::any_of(node.packages.begin(), node.packages.end(), [&](const CpuSet& package) {
            return cpus.is_subset_of(package) && device.place.is_subset_of(package);
        });
    return share_package ? Distance::kPackage : Distance::kNode;
}

Distance distance(const NodeDevices& node, const Device& a, const Device& b) {
    const auto length = static_cast<std::ptrdiff_t>(std::min(a.bridges.size(), b.bridges.size()));
    const auto num_common =
        std::mismatch(a.bridges.begin(), a.bridges.begin() + length, b.bridges.begin()).first -
        a.bridges.begin();
    return num_common > 1    ? Distance::kSwitch
           : num_common == 1 ? Distance::kRoot
                             : distance(node, a.place, b);
}

std::vector<int> numa_nodes_of(const NodeDevices& node, const CpuSet& cpus) {
    std::vector<int> numbers;
    for (const NumaNode& numa : node.numa_nodes) {
        CpuSet common = cpus;
        if (!(common &= numa.cpus).is_empty()) {
            numbers.push_back(numa.number);
        }
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

std::vector<int> used_nics(const NodeDevices& node) {
    std::vector<int> active, beside_gpus;
    for (int nic = 0; nic < static_cast<int>(node.nics.size()); ++nic) {
        if (!node.nic(nic).is_active) {
            continue;
        }
        active.push_back(nic);
        if (std::any_of(node.gpus.begin(), node.gpus.end(), [&](const Device& gpu) {
                return distance(node, node.nic(nic), gpu) == Distance::kSwitch;
            })) {
            beside_gpus.push_back(nic);
        }
    }
    return beside_gpus.empty() ? active : beside_gpus;
}

std::vector<int> nearest_nics(const NodeDevices& node, const Device& gpu) {
    return nearest_of(used_nics(node), [&](int nic) { return distance(node, node.nic(nic), gpu); });
}

std::vector<int> nearest_nics(const NodeDevices& node, const CpuSet& cpus) {
    return nearest_of(used_nics(node), [&](int nic) { return distance(node, cpus, node.nic(nic)); });
}

}  // namespace hitopo
