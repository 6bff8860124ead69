// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Asking the open components about this process.
#ifndef OMPI_MCA_HITOPO_BASE_SURVEY_H
#define OMPI_MCA_HITOPO_BASE_SURVEY_H

#include <vector>

#include "ompi/mca/hitopo/core/record.h"

namespace hitopo {

struct Survey {
    ProcessFacts facts;
    std::vector<ComponentAnswer> answers;  // highest priority first
    std::vector<double> query_us;          // of each answer
};

// Local. rank, size: in MPI_COMM_WORLD. is_machine_wanted: this process speaks for its node.
Survey take_survey(int rank, int size, bool is_machine_wanted);

}  // namespace hitopo

#endif
