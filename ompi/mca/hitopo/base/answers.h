// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Asking the open components about this process.
#ifndef OMPI_MCA_HITOPO_BASE_ANSWERS_H
#define OMPI_MCA_HITOPO_BASE_ANSWERS_H

#include <vector>

#include "ompi/mca/hitopo/core/record/make_record.h"

namespace hitopo {

struct Answers {
    ProcessFacts facts;
    std::vector<ComponentAnswer> by_component;  // highest priority first
    std::vector<double> query_us;               // of each answer
};

// What this process is in its job.
struct Contributor {
    int rank, size;  // of and in MPI_COMM_WORLD
    bool speaks_for_node;
    bool wants_machine;  // of the node; only if it speaks for that
};

// Local. Thread safe, as ask_uplinks is: threads take turns.
Answers ask_components(const Contributor& contributor);

// Has that component tell what it found linked to its switch, and adds what it
// says to its answer. Local; bounded as the component is.
void ask_uplinks(const Contributor& contributor, const std::string& component, Answers& answers);

}  // namespace hitopo

#endif
