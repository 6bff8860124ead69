// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What `hitopo tune` finds: what the links of a job can do, and which collectives coll/hitopo brings
// sooner than others.
#ifndef OMPI_TOOLS_HITOPO_TUNE_TUNING_H
#define OMPI_TOOLS_HITOPO_TUNE_TUNING_H

#include <cstddef>
#include <string>
#include <vector>

#include "ompi/mca/coll/hitopo/core/model.h"
#include "ompi/mca/coll/hitopo/core/serve.h"

namespace hitopo::tool {

inline constexpr std::size_t kTunedBytes[] = {8, 64, 512, 4096, 16384, 65536, 262144, 1048576};

// The median of some numbers, and its 95 % interval.
struct Interval {
    double median = 0, low = 0, high = 0;
};
Interval interval_of(std::vector<double> values);  // not empty

// A collective without coll/hitopo and with it, in turn; of one that does not block, with work between
// its start and its wait.
struct Timing {
    std::size_t kind = 0;                // of coll::kServedKinds
    std::size_t bytes = 0;               // 1: of a barrier
    double without_us = 0, with_us = 0;  // medians at the slowest process
    Interval ratio;                      // of the two in one round
};

struct Tuning {
    coll::Links links;
    coll::Shape shape;
    std::vector<Timing> timings;    // by kind, then bytes; empty where coll/hitopo serves nothing
    bool is_on_small_node = false;  // nothing is timed
    bool is_served = false;         // coll/hitopo had a priority in this job
};

// What is faster with coll/hitopo by 5 % at least: from each length that is up to the next that is not;
// the shortest stands for what is shorter, the longest for what is longer.
coll::Served faster(const std::vector<Timing>& timings);

// The options to set, and the times side by side. Ends in a newline.
std::string format_tuning(const Tuning& tuning);

// Those options, and HiTopo itself (`preload`; may be ""), as a file for mpirun --tune; "" where there
// is nothing to set.
std::string format_tune_file(const Tuning& tuning, const std::string& preload);

// How to use that file, once it is written.
std::string format_use(const std::string& path);

// `hitopo tune --check`: where the job's settings do not fit what was measured: links that are slower or
// faster by half, and lengths that are served and slower by 5 %, or not served and would be faster by
// 5 %. has_changed: whether there are any. Settings are valid.
std::string format_changes(const Tuning& tuning, const coll::Links& links, const coll::Served& served,
                           bool& has_changed);

}  // namespace hitopo::tool

#endif
