// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The inside of one node as data: its resource types, and the CPUs of each instance.
#ifndef OMPI_MCA_HITOPO_CORE_MACHINE_MACHINE_H
#define OMPI_MCA_HITOPO_CORE_MACHINE_MACHINE_H

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/level.h"
#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/text/result.h"

namespace hitopo {

// All instances of one resource type in one node.
struct MachineType {
    std::string name;               // as hwloc prints it: "Package", "L3Cache", "Group0"
    std::vector<CpuSet> instances;  // distinct, not empty, in their order
};

// One node's hardware, as the process of lowest local rank saw it; pure data, equal machines have
// equal bytes. Sets are complete ones: CPUs that a cgroup forbids belong to them.
class Machine {
public:
    static constexpr int kMaxBytes = 16 << 20;  // an encoded machine; larger ones are refused
    static constexpr int kMaxTypes = 64;        // further ones are ignored

    // Adds one instance; an empty set is ignored, an equal set of the same type is one instance. Each
    // depth of Groups is a type: "Group0", "Group1", .., outermost first.
    void add(std::string_view type, CpuSet cpus);

    // Brings a machine into its one form; call it once, after the last add and before all below.
    // - Types stand in the catalogue's order, instances in theirs.
    // - Depths of Groups are named "Group0", "Group1", .. without gaps.
    // - A NUMANode whose set holds another's is none: each CPU belongs to one node's memory, so one
    //   that spans several is memory without CPUs (HBM, CXL, NVDIMM, GPU).
    // - An instruction cache's type that equals that of the cache of its depth is dropped.
    // - "L2NUMA" is added: of all Groups and NUMANodes that cover two or more whole Packages but not all
    //   CPUs, those that lie in no other; none otherwise.
    void finish();

    const std::vector<MachineType>& types() const { return types_; }
    const MachineType* find(std::string_view type) const;  // NULL if absent; case-sensitive

    // The CPUs of all PUs, or of all instances if there is no PU. A Machine's complete set can hold more
    // (offline ones).
    const CpuSet& cpus() const { return cpus_; }

    // The instance of types()[type] that holds all of `cpus`, which are not empty: of several the one
    // that lies in all others. -1 where there is none.
    int instance_of(std::size_t type, const CpuSet& cpus) const;

    // Whether an instance of types()[inner] lies in one of types()[outer], by instance_of, that has
    // more.
    bool contains(std::size_t outer, std::size_t inner) const {
        return contains_[outer * types_.size() + inner];
    }

    std::string encode() const;
    static Result<Machine> decode(std::string_view bytes);  // any bytes; bounded memory

private:
    void finish_groups();
    void drop_wide_numa_nodes();
    void drop_twin_caches();
    void add_l2numa();
    CpuSet existing_cpus() const;
    void index();
    void index_containment();
    bool finds_inside(std::size_t outer, std::size_t inner) const;

    std::vector<MachineType> types_;
    std::vector<std::vector<int>> owners_;  // per type and CPU: its instance, kNoInstance or kSeveral
    std::vector<bool> contains_;            // per outer type and inner type
    CpuSet cpus_;
};

// ---- core/machine/instance_numbers.cc ----

inline constexpr int kMaxSiblings = 1 << 20;  // a level's numbers are below it

// The instances of a node's machine that hold a process, by the CPUs that it may run on.
struct InstanceNumbers {
    bool is_covered = false;     // all of the CPUs belong to the machine and there is at least one
    std::vector<int> instances;  // per type of the machine: Machine::instance_of all CPUs

    // A level's number among its siblings, in the order of the lowest CPU number; -1: restricted to
    // none, or not covered. From l2numa to hwthread: l2numa and socket within the machine (l2numa is 0
    // where that has no L2NUMA), core within its socket, or the machine where it has no Package, or
    // among the cores outside of every Package; hwthread within its core, or as core where the machine
    // has no Core.
    int operator[](Level level) const { return numbers[level - kL2Numa]; }
    int& operator[](Level level) { return numbers[level - kL2Numa]; }
    std::array<int, kNumLevels - kL2Numa> numbers = {-1, -1, -1, -1};
};

InstanceNumbers place(const Machine& machine, const CpuSet& cpus);

}  // namespace hitopo

#endif
