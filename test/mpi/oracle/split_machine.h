// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Random machines, and bindings on them: the CPUs of hwloc's objects.
#ifndef TEST_MPI_ORACLE_SPLIT_MACHINE_H
#define TEST_MPI_ORACLE_SPLIT_MACHINE_H

#include <set>
#include <string>
#include <vector>

#include "test/mpi/oracle/split_random.h"

namespace split_oracle {

using Cpus = std::set<int>;  // OS numbers

Cpus parse_cpus(const std::string& list);  // "0-3,8"
std::string to_list(const Cpus& cpus);     // "0,1,2,3,8"

struct MachineType {
    std::string name;             // "Package", "L3Cache", "Group"
    std::vector<Cpus> instances;  // that have CPUs
};

// The inside of a node.
struct Machine {
    // source: hwloc's synthetic notation, or the path of an XML file (with a / in it). Throws
    // std::runtime_error where hwloc does not read it.
    static Machine load(const std::string& source);

    const std::vector<Cpus>& instances(const std::string& type) const;  // empty if there are none

    std::vector<MachineType> types;
    Cpus cpus;  // all
};

// In hwloc's synthetic notation, of at most 48 PUs: NUMA nodes inside, around and beside packages,
// Groups in several depths, missing types, CPU numbers in any order.
std::string random_machine(Random& random);

// The CPUs of a process: a PU, a core, several of something, all, or those of a neighbour (empty: it has
// none).
Cpus random_binding(Random& random, const Machine& machine, const Cpus& neighbour);

// As mpirun would bind the n-th process of a node by a type; all CPUs if the machine lacks it.
Cpus nth_instance(const Machine& machine, const std::string& type, int n);

}  // namespace split_oracle

#endif
