// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Resource types as the oracle knows them, by URI: the sets of CPUs that they are, and their order.
#ifndef TEST_MPI_ORACLE_SPLIT_TYPES_H
#define TEST_MPI_ORACLE_SPLIT_TYPES_H

#include <string>
#include <vector>

#include "test/mpi/oracle/split_machine.h"

namespace split_oracle {

// The eight levels.
const std::vector<std::string>& level_types();

bool is_of_machine(const std::string& uri);  // hwloc://
bool is_side(const std::string& uri);        // beside what nests: in no unguided split

// What a type's instances are in a machine, or a level's below the node; empty where it has none.
std::vector<Cpus> sets_of(const std::string& uri, const Machine& machine);

// The one of `sets` that holds all of `cpus`; NULL where none or several do.
const Cpus* only_one_around(const std::vector<Cpus>& sets, const Cpus& cpus);

// Any types (each once): outermost first by what contains what on one of the machines, else as the
// catalogue has them.
std::vector<std::string> outermost_first(std::vector<std::string> uris,
                                         const std::vector<const Machine*>& machines);

}  // namespace split_oracle

#endif
