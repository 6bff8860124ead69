// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What `hitopo tune` finds: what the links of a job can do, and whether the model's times come true.
#ifndef OMPI_TOOLS_HITOPO_TUNE_TUNING_H
#define OMPI_TOOLS_HITOPO_TUNE_TUNING_H

#include <cstddef>
#include <string>
#include <vector>

#include "ompi/mca/coll/hitopo/core/model.h"

namespace hitopo::tool {

struct Timing {
    std::string collective;
    std::size_t bytes = 0;
    double measured_us = 0;
    double expected_us = 0;  // by the model, with the links as they were measured
};

struct Tuning {
    coll::Links links;
    coll::Shape shape;
    std::vector<Timing> timings;
    bool is_on_one_node = false;  // of which coll/hitopo serves nothing
    bool is_served = false;       // coll/hitopo had a priority in this job
};

// The option to set, and both times side by side. Ends in a newline.
std::string format_tuning(const Tuning& tuning);

// That option as a file for mpirun --tune; "" where there is nothing to set.
std::string format_tune_file(const Tuning& tuning);

}  // namespace hitopo::tool

#endif
