// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The inside of one node as data: which resource types it has and which CPUs each instance covers.
#ifndef OMPI_MCA_HITOPO_CORE_MACHINE_H
#define OMPI_MCA_HITOPO_CORE_MACHINE_H

#include <cstdint>
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

    // Adds one instance; an empty set is ignored, an equal set of the same type is one instance.
    void add(std::string_view type, CpuSet cpus);

    // Puts types into the catalogue's order, instances into theirs, drops L1iCache where it equals
    // L1Cache, names several depths of Group "Group0", "Group1", .. (outermost first) and adds
    // "L2NUMA" by its rule: the instances of the outermost type among Groups and NUMANode that each
    // cover two or more whole Packages but not all CPUs; none otherwise. Call once after the last add.
    void finish();

    const std::vector<MachineType>& types() const { return types_; }
    const MachineType* find(std::string_view type) const;  // NULL if absent; case-sensitive
    const CpuSet& cpus() const { return cpus_; }            // union of all instances

    std::string encode() const;
    static Result<Machine> decode(std::string_view bytes);  // any bytes; bounded memory

private:
    std::vector<MachineType> types_;
    CpuSet cpus_;
};

// The place of a type in the catalogue: Machine, L2NUMA, Group0.., Package, Die, NUMANode, L5..L1Cache,
// L1iCache, Core, PU, then any other by name; smaller is further out.
int catalogue_rank(std::string_view type);

// Where a process that may run on `cpus` lies in `machine`.
struct Placement {
    bool is_covered = false;     // all of `cpus` belong to the machine and there is at least one
    std::vector<int> instances;  // per type of the machine: the one instance that holds all of `cpus`, or -1
    // Sibling numbers in the order of the lowest CPU number; -1: restricted to none.
    int l2numa = -1;   // 0 where the machine has no L2NUMA
    int socket = -1;   // within the machine
    int core = -1;     // within its socket, or the machine where it has no Package
    int hwthread = -1; // within its core
};
Placement place(const Machine& machine, const CpuSet& cpus);

// Simulated bindings: the CPUs of the `index`-th process (from 0) of a node under a rule. A rule is
// "none" (all CPUs), "core", "socket", "numa", "hwthread", or any type name of the machine, in any
// case, with or without "hwloc://": process i gets instance i modulo their number, instances in the
// order of their lowest CPU. A machine without that type gives all CPUs. A list or mask is not a rule:
// it is parsed with CpuSet::parse before.
CpuSet bind_by_rule(const Machine& machine, std::string_view rule, int index);

// Whether `text` can be a rule: a word that is neither a list of numbers nor a mask.
bool is_binding_rule(std::string_view text);

}  // namespace hitopo

#endif
