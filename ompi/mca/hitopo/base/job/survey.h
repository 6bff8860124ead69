// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Asking the open components about this process.
#ifndef OMPI_MCA_HITOPO_BASE_JOB_SURVEY_H
#define OMPI_MCA_HITOPO_BASE_JOB_SURVEY_H

#include <vector>

#include "ompi/mca/hitopo/core/exchange/record.h"

namespace hitopo {

struct Survey {
    ProcessFacts facts;
    std::vector<ComponentAnswer> answers;  // highest priority first
    std::vector<double> query_us;          // of each answer
};

// What this process is in its job.
struct Speaker {
    int rank, size;  // of and in MPI_COMM_WORLD
    bool speaks_for_node;
    bool wants_machine;  // of the node; only if it speaks for that
};

// Local. Thread safe, as ask_uplinks is: threads take turns.
Survey take_survey(const Speaker& speaker);

// Has the component of that component_id() tell what it found linked to its switch, and adds what it
// says to the survey's answer. Local; bounded as the component is.
void ask_uplinks(const Speaker& speaker, std::uint32_t component, Survey& survey);

}  // namespace hitopo

#endif
