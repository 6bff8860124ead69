// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string_view>

#include "ompi/mca/hitopo/core/machine/machine.h"

namespace hitopo {
namespace {

// One type as a process sees it: the machine's instances and the one that holds the process.
struct Seen {
    const MachineType* type = nullptr;
    int instance = -1;
};

Seen see(const Machine& machine, const InstanceNumbers& instance_numbers, std::string_view name) {
    const MachineType* type = machine.find(name);
    return type == nullptr
               ? Seen{}
               : Seen{type, instance_numbers
                                .instances[static_cast<std::size_t>(type - machine.types().data())]};
}

bool is_in_any(const CpuSet& cpus, const MachineType& type) {
    return std::any_of(type.instances.begin(), type.instances.end(),
                       [&](const CpuSet& each) { return cpus.is_subset_of(each); });
}

const CpuSet& cpus_of(const Seen& seen, int instance) {
    return seen.type->instances[static_cast<std::size_t>(instance)];
}

// The number of `child` among its siblings in `parent`, or among those that are in no parent; without a
// parent's type, in the machine.
int sibling_number(const Seen& child, const Seen& parent) {
    if (child.instance < 0 || parent.type == nullptr) {
        return child.instance;
    }
    if (parent.instance < 0 && is_in_any(cpus_of(child, child.instance), *parent.type)) {
        return -1;  // in several that overlap
    }
    int number = 0;
    for (int i = 0; i < child.instance; ++i) {
        const bool is_sibling = parent.instance < 0
                                    ? !is_in_any(cpus_of(child, i), *parent.type)
                                    : cpus_of(child, i).is_subset_of(cpus_of(parent, parent.instance));
        number += is_sibling ? 1 : 0;
    }
    return number;
}

}  // namespace

InstanceNumbers place(const Machine& machine, const CpuSet& cpus) {
    InstanceNumbers instance_numbers;
    instance_numbers.is_covered = !cpus.is_empty() && cpus.is_subset_of(machine.cpus());
    instance_numbers.instances.assign(machine.types().size(), -1);
    if (!instance_numbers.is_covered) {
        return instance_numbers;
    }
    for (std::size_t type = 0; type < machine.types().size(); ++type) {
        instance_numbers.instances[type] = machine.instance_of(type, cpus);
    }
    const Seen board = see(machine, instance_numbers, "L2NUMA");
    const Seen package = see(machine, instance_numbers, "Package");
    const Seen core = see(machine, instance_numbers, "Core");
    const Seen thread = see(machine, instance_numbers, "PU");
    instance_numbers[kL2Numa] = board.type == nullptr ? 0 : board.instance;
    instance_numbers[kSocket] = package.instance;
    instance_numbers[kCore] = sibling_number(core, package);
    instance_numbers[kHwThread] = sibling_number(thread, core.type != nullptr ? core : package);
    return instance_numbers;
}

}  // namespace hitopo
