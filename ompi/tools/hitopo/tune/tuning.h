// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The findings of `hitopo tune`: figures of the links of a job, and the collectives that are faster with
// coll/hitopo.
#ifndef OMPI_TOOLS_HITOPO_TUNE_TUNING_H
#define OMPI_TOOLS_HITOPO_TUNE_TUNING_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ompi/mca/coll/hitopo/core/model.h"
#include "ompi/mca/coll/hitopo/core/settings.h"
#include "ompi/tools/hitopo/document.h"

namespace hitopo::tool {

// ---- the settings and addresses of collectives in the library's documents ----

// The variables coll_hitopo_*, or their defaults where there is no such component.
struct CollSettings {
    int priority = -1;
    int num_leaders = 16;
    int share = 4;             // coll_hitopo_share
    bool may_exchange = true;  // coll_hitopo_exchange is not 0
    std::string serve, links;  // as typed
};

CollSettings coll_settings(const FrameworkDocument& framework);

// Eight numbers a rank, one rank behind the other.
std::vector<std::int32_t> addresses_in(const TableDocument& table);

// The row of each rank among them.
std::vector<const std::int32_t*> rows_in(const std::vector<std::int32_t>& addresses);

// ---- what is measured ----

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
    bool is_simulated = false;      // its nodes are one host
};

// Measures MPI_COMM_WORLD, in half a minute or so, longer where a collective takes over 30 ms.
// addresses: of all ranks, the same at all. is_check: collectives go by the job's coll_hitopo_links, not
// by the links as they are measured. share: coll_hitopo_share, as rank 0 has it. Collective. The result
// is the same at all ranks, and rank 0 tells on standard error what it measures. In measure.cc, which
// alone needs MPI.
Tuning measure(const std::vector<std::int32_t>& addresses, bool is_check, int share);

// The lengths that are faster with coll/hitopo by 5 % at least, and certainly (the interval ends below
// 1): from each such length up to the next that is not; the shortest stands for all shorter ones, the
// longest for all longer ones.
coll::Served faster(const std::vector<Timing>& timings);

// The options to set, and the times side by side. Ends in a newline.
std::string format_tuning(const Tuning& tuning);

// Those options, and HiTopo itself (`preload`; may be ""), as a file for mpirun --tune; "" where there
// is nothing to set.
std::string format_tune_file(const Tuning& tuning, const std::string& preload);

// The way to use that file, once it is written.
std::string format_use(const std::string& path);

// `hitopo tune --check`: settings of the job that do not fit the measured values: links that are slower
// or faster by half, and lengths that are served and slower by 5 %, or not served and would be faster by
// 5 %. has_changed: whether there are any. Settings are valid.
std::string format_changes(const Tuning& tuning, const coll::Links& links, const coll::Served& served,
                           bool& has_changed);

}  // namespace hitopo::tool

#endif
