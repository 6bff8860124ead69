// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Random tables, made from a dictionary: shapes that random jobs seldom have.
#ifndef TEST_CORE_TABLE_RANDOM_TABLE_H
#define TEST_CORE_TABLE_RANDOM_TABLE_H

#include <random>

#include "ompi/mca/hitopo/core/table/table.h"

namespace hitopo {

// What a random table may have; each of them on or off at random where it may.
struct TableTraits {
    int max_nodes = 12;          // seldom four times as many
    int max_processes = 9;       // of a node
    bool has_crossings = true;   // network levels that do not nest, and types of a machine that cross
    bool has_containers = true;  // several shared memories in a node, and nodes that share one
};

// Ranks by slot, by node or shuffled over nodes that are alike or not; some know no level, or machine.
Table random_table(std::mt19937_64& random, const TableTraits& traits = {});

}  // namespace hitopo

#endif
