// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/hwloc/hitopo_hwloc_topology.h"

namespace hitopo {
namespace {

// hwloc_obj_type_snprintf prints "L1d" where hwloc's own API and its users have "L1Cache".
std::string type_of(hwloc_obj_t object) {
    const std::string name = hwloc_obj_type_string(object->type);
    return object->type == HWLOC_OBJ_GROUP ? name + std::to_string(object->attr->group.depth) : name;
}

void add_level(Machine& machine, hwloc_topology_t topology, int depth) {
    hwloc_obj_t object = nullptr;
    while ((object = hwloc_get_next_obj_by_depth(topology, depth, object)) != nullptr) {
        machine.add(type_of(object), set_of(object->complete_cpuset));
    }
}

}  // namespace

CpuSet set_of(hwloc_const_bitmap_t bitmap) {
    CpuSet set;
    for (int cpu = hwloc_bitmap_first(bitmap); cpu >= 0 && cpu < CpuSet::kMaxCpus;
         cpu = hwloc_bitmap_next(bitmap, cpu)) {
        set.add(cpu);
    }
    return set;
}

bool is_loaded(hwloc_topology_t topology) {
    return hwloc_topology_get_topology_cpuset(topology) != nullptr;
}

bool has_all_cpus(hwloc_topology_t topology) {
    return (hwloc_topology_get_flags(topology) & HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) != 0 ||
           hwloc_bitmap_isequal(hwloc_topology_get_topology_cpuset(topology),
                                hwloc_topology_get_complete_cpuset(topology)) != 0;
}

// ---- devices ----

namespace {

// One of each place: they are all as near.
std::vector<Device> one_a_place(const std::vector<Device>& devices) {
    std::vector<Device> distinct;
    for (const Device& device : devices) {
        if (std::none_of(distinct.begin(), distinct.end(),
                         [&](const Device& other) { return other.place == device.place; })) {
            distinct.push_back(device);
        }
    }
    return distinct;
}

// An instance has the cores that the same devices are nearest to. Where those of a NUMA node are
// nearest to different ones, all of it is an instance, too: processes bound to it are near to them all.
void add_nearest(const char* type, const NodeDevices& node, const std::vector<Device>& devices,
                 Machine& machine) {
    const std::vector<Device> distinct = one_a_place(devices);
    std::vector<int> all(distinct.size());
    std::iota(all.begin(), all.end(), 0);
    std::map<std::vector<int>, CpuSet> instances;  // by what is nearest
    const auto add_near = [&](const CpuSet& cpus) {
        instances[nearest_of(all, [&](int device) {
            return distance(node, cpus, distinct[static_cast<std::size_t>(device)]);
        })] |= cpus;
    };
    if (!distinct.empty()) {
        std::for_each(node.cores.begin(), node.cores.end(), add_near);
        for (const NumaNode& numa : node.numa_nodes) {
            add_near(numa.cpus);
        }
    }
    for (const auto& [unused, cpus] : instances) {
        machine.add(type, cpus);
    }
}

// Adds the types "gpu://Nearest" and "nic://Nearest" where the topology has such devices; nothing where
// it was loaded without I/O devices.
void add_devices(hwloc_topology_t topology, Machine& machine) {
    const NodeDevices node = devices_of(topology);
    std::vector<Device> nics;
    for (const int nic : used_nics(node)) {
        nics.push_back(node.nics[static_cast<std::size_t>(nic)]);
    }
    add_nearest("gpu://Nearest", node, node.gpus, machine);
    add_nearest("nic://Nearest", node, nics, machine);
}

}  // namespace

Machine machine_of(hwloc_topology_t topology) {
    Machine machine;
    for (int depth = 0; depth < hwloc_topology_get_depth(topology); ++depth) {
        add_level(machine, topology, depth);
    }
    add_level(machine, topology, HWLOC_TYPE_DEPTH_NUMANODE);
    add_devices(topology, machine);
    machine.finish();
    return machine;
}

}  // namespace hitopo
