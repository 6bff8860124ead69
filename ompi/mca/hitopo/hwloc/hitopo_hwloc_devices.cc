// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/hwloc/hitopo_hwloc_topology.h"

namespace hitopo {
namespace {

using Objects = std::vector<hwloc_obj_t>;
using PciDevice = decltype(hwloc_obj_attr_u::pcidev);
using Bridge = decltype(hwloc_obj_attr_u::bridge);

// PCI classes, of the base class and the subclass.
constexpr unsigned kVgaController = 0x0300;
constexpr unsigned k3dController = 0x0302;
constexpr unsigned kOtherDisplayController = 0x0380;
constexpr unsigned kAcceleratorBase = 0x12;

// "0000:c1:00.0"
std::string address_of(const PciDevice& pci) {
    std::array<char, 40> text{};
    (void)std::snprintf(text.data(), text.size(), "%04x:%02x:%02x.%01x",
                        static_cast<unsigned>(pci.domain), static_cast<unsigned>(pci.bus),
                        static_cast<unsigned>(pci.dev), static_cast<unsigned>(pci.func));
    return text.data();
}

// A host bridge has no address: "0000:[c0-c6]", its buses.
std::string bridge_name(const Bridge& bridge) {
    if (bridge.upstream_type == HWLOC_OBJ_BRIDGE_PCI) {
        return address_of(bridge.upstream.pci);
    }
    std::array<char, 40> text{};
    (void)std::snprintf(text.data(), text.size(), "%04x:[%02x-%02x]",
                        static_cast<unsigned>(bridge.downstream.pci.domain),
                        static_cast<unsigned>(bridge.downstream.pci.secondary_bus),
                        static_cast<unsigned>(bridge.downstream.pci.subordinate_bus));
    return text.data();
}

std::vector<std::string> bridges_above(hwloc_obj_t pci) {
    std::vector<std::string> bridges;
    for (hwloc_obj_t object = pci->parent; object->type == HWLOC_OBJ_BRIDGE; object = object->parent) {
        bridges.push_back(bridge_name(object->attr->bridge));
    }
    std::reverse(bridges.begin(), bridges.end());
    return bridges;
}

// ---- OS devices ----

void add_os_devices(hwloc_obj_t parent, Objects& devices) {
    for (hwloc_obj_t child = parent->io_first_child; child != nullptr; child = child->next_sibling) {
        devices.push_back(child);
        add_os_devices(child, devices);
    }
}

// A device has one type with hwloc 2, and may have several with hwloc 3.
bool has_type(hwloc_obj_t device, unsigned long type) {
#if HWLOC_API_VERSION >= 0x30000
    return (device->attr->osdev.types & type) != 0;
#else
    return device->attr->osdev.type == type;
#endif
}

bool is_verbs(hwloc_obj_t device) { return has_type(device, HWLOC_OBJ_OSDEV_OPENFABRICS); }

bool has_subtype(hwloc_obj_t device, std::string_view subtype) {
    return device->subtype != nullptr && device->subtype == subtype;
}

// Whether a runtime of GPUs found it. X's displays are of the type GPU, too.
bool is_of_runtime(hwloc_obj_t device) {
    return has_type(device, HWLOC_OBJ_OSDEV_COPROC) || has_subtype(device, "NVML") ||
           has_subtype(device, "RSMI") || has_subtype(device, "LevelZero");
}

// Those of verbs first, then in their natural order: hwloc's is that in which it found them.
std::vector<std::string> names_of(Objects devices) {
    std::sort(devices.begin(), devices.end(), [](hwloc_obj_t a, hwloc_obj_t b) {
        return is_verbs(a) != is_verbs(b)
                   ? is_verbs(a)
                   : compare_natural(text_or_empty(a->name), text_or_empty(b->name)) < 0;
    });
    std::vector<std::string> names;
    for (const hwloc_obj_t device : devices) {
        if (device->name != nullptr) {
            names.emplace_back(device->name);
        }
    }
    return names;
}

// Verbs' devices have the state of each port, of which 4 is active: "Port1State" is "4".
bool is_active(const Objects& devices) {
    bool has_ports = false;
    for (const hwloc_obj_t device : devices) {
        for (int port = 1;; ++port) {
            const std::string name = "Port" + std::to_string(port) + "State";
            const char* state = hwloc_obj_get_info_by_name(device, name.c_str());
            if (state == nullptr) {
                break;
            }
            if (state == std::string_view("4")) {
                return true;
            }
            has_ports = true;
        }
    }
    return !has_ports;
}

// ---- PCI devices ----

bool is_gpu(const PciDevice& pci, const Objects& devices) {
    const unsigned vendor = pci.vendor_id, id = pci.class_id;
    if (vendor != kNvidia && vendor != kAmd && vendor != kIntel) {
        return false;
    }
    return id == k3dController || id == kOtherDisplayController || id >> 8 == kAcceleratorBase ||
           (id == kVgaController && vendor != kIntel) ||
           std::any_of(devices.begin(), devices.end(), is_of_runtime);
}

bool is_nic(const PciDevice& pci, const Objects& devices) {
    return pci.vendor_id == kCray || std::any_of(devices.begin(), devices.end(), is_verbs);
}

void add_device(hwloc_topology_t topology, hwloc_obj_t pci, NodeDevices& node) {
    const PciDevice& attributes = pci->attr->pcidev;
    Objects os_devices;
    add_os_devices(pci, os_devices);
    Device device;
    device.pci = address_of(attributes);
    device.vendor = attributes.vendor_id;
    device.model = attributes.device_id;
    device.place = set_of(hwloc_get_non_io_ancestor_obj(topology, pci)->complete_cpuset);
    device.bridges = bridges_above(pci);
    device.names = names_of(os_devices);
    if (is_gpu(attributes, os_devices)) {
        const auto num_parts =
            std::count_if(os_devices.begin(), os_devices.end(),
                          [](hwloc_obj_t known) { return has_subtype(known, "RSMI"); });
        do {
            node.gpus.push_back(device);
        } while (++device.part < num_parts);
    } else if (is_nic(attributes, os_devices)) {
        device.is_active = is_active(os_devices);
        node.nics.push_back(std::move(device));
    }
}

void add_devices(hwloc_topology_t topology, NodeDevices& node) {
    for (hwloc_obj_t pci = nullptr; (pci = hwloc_get_next_pcidev(topology, pci)) != nullptr;) {
        add_device(topology, pci, node);
    }
    // Domains above ffff take more digits.
    std::sort(node.gpus.begin(), node.gpus.end(), [](const Device& a, const Device& b) {
        return std::make_tuple(a.pci.size(), a.pci, a.part) <
               std::make_tuple(b.pci.size(), b.pci, b.part);
    });
    std::sort(node.nics.begin(), node.nics.end(),
              [](const Device& a, const Device& b) { return compare_natural(a.name(), b.name()) < 0; });
}

// ---- CPUs ----

// Those of all objects of a type, distinct and not empty, by their first CPU.
std::vector<CpuSet> sets_of(hwloc_topology_t topology, hwloc_obj_type_t type) {
    std::vector<CpuSet> sets;
    for (hwloc_obj_t object = nullptr;
         (object = hwloc_get_next_obj_by_type(topology, type, object)) != nullptr;) {
        if (const CpuSet set = set_of(object->complete_cpuset); !set.is_empty()) {
            sets.push_back(set);
        }
    }
    return distinct(std::move(sets));
}

// A set that holds another node's is that of memory without CPUs, as in Machine::finish; so is a later
// one of equal sets.
std::vector<NumaNode> numa_nodes_of(hwloc_topology_t topology) {
    std::vector<NumaNode> all, nodes;
    for (hwloc_obj_t object = nullptr;
         (object = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, object)) != nullptr;) {
        all.push_back({static_cast<int>(object->os_index), set_of(object->complete_cpuset)});
    }
    std::sort(all.begin(), all.end(), [](const NumaNode& a, const NumaNode& b) {
        return a.cpus == b.cpus ? a.number < b.number : a.cpus < b.cpus;
    });
    for (const NumaNode& node : all) {
        const bool is_memory = node.cpus.is_empty() ||
                               (!nodes.empty() && nodes.back().cpus == node.cpus) ||
                               std::any_of(all.begin(), all.end(), [&](const NumaNode& other) {
                                   return !other.cpus.is_empty() && other.cpus.is_subset_of(node.cpus) &&
                                          other.cpus != node.cpus;
                               });
        if (!is_memory) {
            nodes.push_back(node);
        }
    }
    return nodes;
}

}  // namespace

NodeDevices devices_of(hwloc_topology_t topology) {
    NodeDevices node;
    add_devices(topology, node);
    node.numa_nodes = numa_nodes_of(topology);
    node.packages = sets_of(topology, HWLOC_OBJ_PACKAGE);
    node.cores = sets_of(topology, HWLOC_OBJ_CORE);
    node.cpus = set_of(hwloc_topology_get_allowed_cpuset(topology));
    if (node.packages.empty()) {
        node.packages = sets_of(topology, HWLOC_OBJ_MACHINE);
    }
    if (node.cores.empty()) {
        node.cores = sets_of(topology, HWLOC_OBJ_PU);
    }
    return node;
}

}  // namespace hitopo
