// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The inside of one node as data: which resource types it has and which CPUs each instance covers.
#ifndef OMPI_MCA_HITOPO_CORE_MACHINE_H
#define OMPI_MCA_HITOPO_CORE_MACHINE_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/cpuset.h"
#include "ompi/mca/hitopo/core/result.h"

namespace hitopo {

// All instances of one resource type in one node.
struct MachineType {
    std::string name;               // as hwloc prints it: "Package", "L3Cache", "Group0"
    std::vector<CpuSet> instances;  // distinct, not empty, in the order of is_before()
};

// One node's hardware, as the process of lowest local rank saw it; pure data, equal machines have
// equal bytes. Sets are complete ones: CPUs that a cgroup forbids belong to them.
class Machine {
public:
    static constexpr int kMaxBytes = 16 << 20;  // an encoded machine; larger ones are refused
    static constexpr int kMaxTypes = 64;        // further ones are ignored

    // Adds one instance; an empty set is ignored, an equal set of the same type is one instance. Several
    // depths of Group are several types: "Group0", "Group1", .., outermost first.
    void add(std::string_view type, CpuSet cpus);

    // Puts types into the catalogue's order and instances into theirs, drops an instruction cache's type
    // where it equals that of the cache of its depth, renames Groups ("Group" if there is one depth,
    // else "Group0", "Group1", .. without gaps) and adds "L2NUMA" by its rule: of all Groups and
    // NUMANodes that cover two or more whole Packages but not all CPUs, those that lie in no other; none
    // otherwise. Call once after the last add; all below is meant for a finished machine.
    void finish();

    const std::vector<MachineType>& types() const { return types_; }
    const MachineType* find(std::string_view type) const;  // NULL if absent; case-sensitive
    const CpuSet& cpus() const { return cpus_; }           // union of all instances

    // The one instance of types()[type] that holds all of `cpus`, which are not empty; -1 where none or
    // several do.
    int instance_of(std::size_t type, const CpuSet& cpus) const;

    std::string encode() const;
    static Result<Machine> decode(std::string_view bytes);  // any bytes; bounded memory

private:
    MachineType& type_of(std::string_view name);
    void finish_groups();
    void drop_twin_caches();
    void add_l2numa();
    void index();

    std::vector<MachineType> types_;
    std::vector<std::vector<int>> owners_;  // per type and CPU: its instance, kNobody or kSeveral
    CpuSet cpus_;
};

}  // namespace hitopo

#endif
