// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What this process contributes to an exchange: what its components answer, what it reads itself, and
// settings that all processes should have in common.
#ifndef OMPI_MCA_HITOPO_BASE_ANSWERS_H
#define OMPI_MCA_HITOPO_BASE_ANSWERS_H

#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/record/make_record.h"

namespace hitopo {

struct Answers {
    ProcessFacts facts;
    std::vector<ComponentAnswer> by_component;  // highest priority first
    std::vector<double> query_us;               // of each answer
};

// The process that asks.
struct Asker {
    int rank, size;      // of and in MPI_COMM_WORLD
    bool asks_for_node;  // for all of it, its machine included
};

// Asks the open components. Local. Thread safe, as ask_uplinks is: threads take turns.
Answers ask_components(const Asker& asker);

// Asks the component that gave this answer what is linked to its switch, and adds it to that. Local;
// bounded as the component is.
void ask_uplinks(const Asker& asker, const ProcessFacts& facts, ComponentAnswer& answer);

// What a layer above the framework should have in common in all processes: it goes into the record of
// MPI_Init's exchange. Of one key the last value counts. Thread safe.
void set_common(const std::string& key, const std::string& value);
void clear_common();

}  // namespace hitopo

#endif
