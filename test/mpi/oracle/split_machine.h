// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Machines as the oracle knows them: hwloc's objects as sets of CPUs.
#ifndef TEST_MPI_ORACLE_SPLIT_MACHINE_H
#define TEST_MPI_ORACLE_SPLIT_MACHINE_H

#include <hwloc.h>

#include <memory>
#include <string>
#include <vector>

namespace split_oracle {

// OS CPU numbers; a value.
class Cpus {
public:
    Cpus() : Cpus(hwloc_bitmap_alloc()) {}
    static Cpus copy_of(hwloc_const_bitmap_t bitmap) { return Cpus(hwloc_bitmap_dup(bitmap)); }
    static Cpus parse(const std::string& list);  // "0-3,8"

    hwloc_const_bitmap_t get() const { return bitmap_.get(); }
    bool is_empty() const { return hwloc_bitmap_iszero(get()) != 0; }
    bool lies_in(const Cpus& other) const { return hwloc_bitmap_isincluded(get(), other.get()) != 0; }
    bool equals(const Cpus& other) const { return hwloc_bitmap_isequal(get(), other.get()) != 0; }
    void add(const Cpus& other);
    void keep(const Cpus& other);  // only what both have
    std::string list() const;

private:
    explicit Cpus(hwloc_bitmap_t bitmap) : bitmap_(bitmap, hwloc_bitmap_free) {}
    std::shared_ptr<hwloc_bitmap_s> bitmap_;  // shared by copies until one of them changes
};

// One resource type of a machine; instances: distinct and not empty.
struct MachineType {
    std::string name;  // "Package", "L3Cache", "Group0", "gpu://Nearest"
    std::vector<Cpus> instances;
};

// The inside of a node.
struct Machine {
    // source: hwloc's synthetic notation, or the path of an XML file (with a / in it). Throws
    // std::runtime_error where hwloc does not read it.
    static Machine load(const std::string& source);

    const std::vector<Cpus>& instances(const std::string& type) const;  // empty if there are none

    std::vector<MachineType> types;
    std::vector<Cpus> boards;  // the instances of hitopo://L2NUMA; empty where the node is the only one
    Cpus cpus;                 // of all PUs
};

}  // namespace split_oracle

#endif
