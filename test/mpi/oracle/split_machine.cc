// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/mpi/oracle/split_machine.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <utility>

namespace split_oracle {
namespace {

void add_distinct(std::vector<Cpus>& sets, const Cpus& set) {
    const auto is_same = [&set](const Cpus& known) { return known.equals(set); };
    if (!set.is_empty() && std::none_of(sets.begin(), sets.end(), is_same)) {
        sets.push_back(set);
    }
}

bool has_equal_sets(const std::vector<Cpus>& a, const std::vector<Cpus>& b) {
    return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&b](const Cpus& set) {
               return std::any_of(b.begin(), b.end(),
                                  [&set](const Cpus& other) { return set.equals(other); });
           });
}

std::vector<Cpus> sets_at(hwloc_topology_t topology, int depth) {
    std::vector<Cpus> sets;
    for (hwloc_obj_t object = nullptr;
         (object = hwloc_get_next_obj_by_depth(topology, depth, object)) != nullptr;) {
        add_distinct(sets, Cpus::copy_of(object->complete_cpuset));
    }
    return sets;
}

// The sets that no other one beats.
template <class Beats>
std::vector<Cpus> unbeaten(const std::vector<Cpus>& sets, Beats beats) {
    std::vector<Cpus> found;
    for (const Cpus& set : sets) {
        const auto beats_it = [&](const Cpus& other) { return !other.equals(set) && beats(other, set); };
        if (std::none_of(sets.begin(), sets.end(), beats_it)) {
            found.push_back(set);
        }
    }
    return found;
}

// hwloc gives a NUMA node without CPUs the set of its locality, which then holds the sets of the nodes
// whose memory those CPUs have.
std::vector<Cpus> numa_nodes(hwloc_topology_t topology) {
    return unbeaten(sets_at(topology, HWLOC_TYPE_DEPTH_NUMANODE),
                    [](const Cpus& other, const Cpus& node) { return other.lies_in(node); });
}

// The outermost Groups and NUMA nodes of at least two whole packages, but not of the whole machine.
std::vector<Cpus> find_boards(const Machine& machine) {
    std::vector<Cpus> wide;
    for (const MachineType& type : machine.types) {
        if (type.name != "NUMANode" && type.name.rfind("Group", 0) != 0) {
            continue;
        }
        for (const Cpus& set : type.instances) {
            int num_packages = 0;
            for (const Cpus& package : machine.instances("Package")) {
                num_packages += package.lies_in(set) ? 1 : 0;
            }
            if (num_packages >= 2 && !machine.cpus.lies_in(set)) {
                add_distinct(wide, set);
            }
        }
    }
    return unbeaten(wide, [](const Cpus& other, const Cpus& board) { return board.lies_in(other); });
}

// One type at two depths (caches around and inside packages) is one type.
void add_type(Machine& machine, const std::string& name, const std::vector<Cpus>& sets) {
    auto type = std::find_if(machine.types.begin(), machine.types.end(),
                             [&name](const MachineType& known) { return known.name == name; });
    if (type == machine.types.end()) {
        type = machine.types.insert(type, {name, {}});
    }
    for (const Cpus& set : sets) {
        add_distinct(type->instances, set);
    }
}

void add_types(Machine& machine, hwloc_topology_t topology) {
    std::vector<std::vector<Cpus>> groups;  // by depth
    for (int depth = 0; depth < hwloc_topology_get_depth(topology); ++depth) {
        const hwloc_obj_type_t type = hwloc_get_depth_type(topology, depth);
        std::vector<Cpus> sets = sets_at(topology, depth);
        if (type == HWLOC_OBJ_GROUP && !sets.empty()) {
            groups.push_back(std::move(sets));
        } else if (type != HWLOC_OBJ_GROUP) {
            add_type(machine, hwloc_obj_type_string(type), sets);
        }
    }
    for (std::size_t i = 0; i < groups.size(); ++i) {
        add_type(machine, "Group" + std::to_string(i), groups[i]);
    }
    add_type(machine, "NUMANode", numa_nodes(topology));
}

// An instruction cache counts only where it is not the cache of its depth.
void drop_twin_caches(Machine& machine) {
    for (const char* depth : {"L1", "L2", "L3"}) {
        const std::vector<Cpus> caches = machine.instances(std::string(depth) + "Cache");
        const auto is_twin = [&](const MachineType& type) {
            return type.name == std::string(depth) + "iCache" && has_equal_sets(type.instances, caches);
        };
        machine.types.erase(std::remove_if(machine.types.begin(), machine.types.end(), is_twin),
                            machine.types.end());
    }
}

// ---- devices, as docs/levels.md says which count ----

bool has_device(hwloc_obj_t pci, const std::vector<hwloc_obj_osdev_type_t>& wanted) {
    for (hwloc_obj_t device = pci->io_first_child; device != nullptr; device = device->next_sibling) {
        if (device->type == HWLOC_OBJ_OS_DEVICE &&
            std::count(wanted.begin(), wanted.end(), device->attr->osdev.type) != 0) {
            return true;
        }
    }
    return false;
}

// No machine of ours has an accelerator that neither its class nor a runtime tells.
bool is_gpu(hwloc_obj_t pci) {
    return pci->attr->pcidev.class_id == 0x0302 || has_device(pci, {HWLOC_OBJ_OSDEV_COPROC});
}
bool is_nic(hwloc_obj_t pci) { return has_device(pci, {HWLOC_OBJ_OSDEV_OPENFABRICS}); }

// For each CPU the smallest place of such a device that it is in; CPUs of one place are an instance.
void add_nearest(Machine& machine, const std::string& name, hwloc_topology_t topology,
                 bool (*counts)(hwloc_obj_t)) {
    std::vector<Cpus> places;
    for (hwloc_obj_t pci = nullptr; (pci = hwloc_get_next_pcidev(topology, pci)) != nullptr;) {
        if (counts(pci)) {
            add_distinct(places,
                         Cpus::copy_of(hwloc_get_non_io_ancestor_obj(topology, pci)->complete_cpuset));
        }
    }
    std::sort(places.begin(), places.end(), [](const Cpus& a, const Cpus& b) {
        return hwloc_bitmap_weight(a.get()) < hwloc_bitmap_weight(b.get());
    });
    std::vector<Cpus> nearest(places.size());
    for (const Cpus& cpu : machine.instances("PU")) {
        const auto smallest = std::find_if(places.begin(), places.end(),
                                           [&](const Cpus& place) { return cpu.lies_in(place); });
        if (smallest != places.end()) {
            nearest[static_cast<std::size_t>(smallest - places.begin())].add(cpu);
        }
    }
    if (!places.empty()) {
        add_type(machine, name, nearest);
    }
}

struct TopologyDeleter {
    void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, TopologyDeleter>;

// With the CPUs that a cgroup forbade, and with instruction caches.
Topology load_topology(const std::string& source) {
    hwloc_topology_t raw = nullptr;
    if (hwloc_topology_init(&raw) != 0) {
        throw std::bad_alloc();
    }
    Topology topology(raw);
    const bool is_xml = source.find('/') != std::string::npos;
    if (hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) != 0 ||
        hwloc_topology_set_icache_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_ALL) != 0 ||
        hwloc_topology_set_io_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_IMPORTANT) != 0 ||
        (is_xml ? hwloc_topology_set_xml(raw, source.c_str())
                : hwloc_topology_set_synthetic(raw, source.c_str())) != 0 ||
        hwloc_topology_load(raw) != 0) {
        throw std::runtime_error("hwloc does not read the machine " + source);
    }
    return topology;
}

}  // namespace

Cpus Cpus::parse(const std::string& list) {
    Cpus cpus;
    if (hwloc_bitmap_list_sscanf(cpus.bitmap_.get(), list.c_str()) != 0) {
        throw std::runtime_error("no list of CPUs: " + list);
    }
    return cpus;
}

void Cpus::add(const Cpus& other) {
    *this = copy_of(get());
    hwloc_bitmap_or(bitmap_.get(), get(), other.get());
}

void Cpus::keep(const Cpus& other) {
    *this = copy_of(get());
    hwloc_bitmap_and(bitmap_.get(), get(), other.get());
}

std::string Cpus::list() const {
    char* text = nullptr;
    hwloc_bitmap_list_asprintf(&text, get());
    const std::string list = text;
    std::free(text);
    return list;
}

Machine Machine::load(const std::string& source) {
    const Topology topology = load_topology(source);
    Machine machine;
    add_types(machine, topology.get());
    drop_twin_caches(machine);
    add_nearest(machine, "gpu://Nearest", topology.get(), is_gpu);
    add_nearest(machine, "nic://Nearest", topology.get(), is_nic);
    for (const Cpus& set : machine.instances("PU")) {
        machine.cpus.add(set);
    }
    machine.boards = find_boards(machine);
    return machine;
}

const std::vector<Cpus>& Machine::instances(const std::string& type) const {
    static const std::vector<Cpus> none;
    const auto found = std::find_if(types.begin(), types.end(),
                                    [&type](const MachineType& known) { return known.name == type; });
    return found == types.end() ? none : found->instances;
}

}  // namespace split_oracle
