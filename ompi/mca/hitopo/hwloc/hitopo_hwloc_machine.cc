// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/hwloc/hitopo_hwloc_machine.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

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

// ---- devices ----

namespace {

struct FreeBitmap {
    void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<std::remove_pointer_t<hwloc_bitmap_t>, FreeBitmap>;
using Places = std::vector<hwloc_const_bitmap_t>;  // the topology's

// PCI classes, of the base class and the subclass.
constexpr unsigned k3dController = 0x0302;
constexpr unsigned kOtherDisplayController = 0x0380;
constexpr unsigned kAcceleratorBase = 0x12;

bool is_gpu_class(unsigned id) {
    return id == k3dController || id == kOtherDisplayController || id >> 8 == kAcceleratorBase;
}

// A device has one type with hwloc 2, and may have several with hwloc 3.
bool has_type(hwloc_obj_t device, unsigned long type) {
#if HWLOC_API_VERSION >= 0x30000
    return (device->attr->osdev.types & type) != 0;
#else
    return device->attr->osdev.type == type;
#endif
}

// What a runtime of GPUs tells; OpenCL's devices can be processors, too, which have no PCI device.
bool is_gpu(hwloc_obj_t device) {
    constexpr std::array<std::string_view, 3> kBackends = {"NVML", "RSMI", "LevelZero"};
    const std::string_view subtype = device->subtype == nullptr ? "" : device->subtype;
    const bool is_known = std::find(kBackends.begin(), kBackends.end(), subtype) != kBackends.end();
    return device->parent->type == HWLOC_OBJ_PCI_DEVICE &&
           (has_type(device, HWLOC_OBJ_OSDEV_COPROC) ||
            (has_type(device, HWLOC_OBJ_OSDEV_GPU) && is_known));
}

bool is_nic(hwloc_obj_t device) {
    const std::string_view name = device->name == nullptr ? "" : device->name;
    return has_type(device, HWLOC_OBJ_OSDEV_OPENFABRICS) ||
           (has_type(device, HWLOC_OBJ_OSDEV_NETWORK) && name.substr(0, 3) == "hsn");
}

hwloc_const_bitmap_t place_of(hwloc_topology_t topology, hwloc_obj_t device) {
    return hwloc_get_non_io_ancestor_obj(topology, device)->complete_cpuset;
}

// A device at a NUMA node is nearer to its CPUs than one at the package around it.
void add_nearest(const char* type, const Places& places, Machine& machine) {
    for (const hwloc_const_bitmap_t place : places) {
        const Bitmap nearest(hwloc_bitmap_dup(place));
        for (const hwloc_const_bitmap_t other : places) {
            if (nearest && hwloc_bitmap_isincluded(other, place) != 0 &&
                hwloc_bitmap_isequal(other, place) == 0) {
                hwloc_bitmap_andnot(nearest.get(), nearest.get(), other);
            }
        }
        if (nearest) {
            machine.add(type, set_of(nearest.get()));
        }
    }
}

// Adds the types "gpu://Nearest" and "nic://Nearest" where the topology has such devices: an instance
// for each place that some are near to, with the CPUs that are near to no others. Nothing where the
// topology was loaded without I/O devices.
//
// A GPU is what computes: a 3D or other display controller or an accelerator by its PCI class, or what
// CUDA, OpenCL, NVML, RSMI or Level Zero know of a PCI device; the VGA controller of a board's
// management is none. A network interface is one of InfiniBand's kind (RoCE, Omni-Path), or of Slingshot
// (hsn0).
void add_devices(hwloc_topology_t topology, Machine& machine) {
    Places gpus;
    Places nics;
    for (hwloc_obj_t device = nullptr; (device = hwloc_get_next_pcidev(topology, device)) != nullptr;) {
        if (is_gpu_class(device->attr->pcidev.class_id)) {
            gpus.push_back(place_of(topology, device));
        }
    }
    for (hwloc_obj_t device = nullptr; (device = hwloc_get_next_osdev(topology, device)) != nullptr;) {
        if (is_gpu(device)) {
            gpus.push_back(place_of(topology, device));
        } else if (is_nic(device)) {
            nics.push_back(place_of(topology, device));
        }
    }
    add_nearest("gpu://Nearest", gpus, machine);
    add_nearest("nic://Nearest", nics, machine);
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
