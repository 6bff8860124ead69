// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#ifndef TEST_MPI_ORACLE_SPLIT_RANDOM_MACHINE_H
#define TEST_MPI_ORACLE_SPLIT_RANDOM_MACHINE_H

#include <string>

#include "test/mpi/oracle/split_oracle.h"
#include "test/mpi/oracle/split_random.h"

namespace split_oracle {

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
