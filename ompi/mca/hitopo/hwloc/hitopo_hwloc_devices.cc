// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/hwloc/hitopo_hwloc_devices.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

#include "ompi/mca/hitopo/hwloc/hitopo_hwloc_machine.h"

namespace hitopo {
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

}  // namespace

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

}  // namespace hitopo
