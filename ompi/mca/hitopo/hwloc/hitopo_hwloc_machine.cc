// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/hwloc/hitopo_hwloc_machine.h"

#include <string>

#include "ompi/mca/hitopo/hwloc/hitopo_hwloc_devices.h"

namespace hitopo {
namespace {

// hwloc_obj_type_snprintf prints "L1d" for what hwloc's own API and its users call "L1Cache".
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
