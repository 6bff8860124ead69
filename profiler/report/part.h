// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The counts of one process until one moment: its part of a report.
#ifndef PROFILER_REPORT_PART_H
#define PROFILER_REPORT_PART_H

#include <cstdint>
#include <vector>

#include "profiler/record/record_json.h"

namespace hitopo::profile {

// Remarks on a part for the report's reader: bits.
inline constexpr std::uint64_t kHasOtherKinds = 1;
inline constexpr std::uint64_t kLeftOutSnapshots = 2;
inline constexpr std::uint64_t kHasOtherTool = 4;

struct Part {
    std::uint64_t elapsed_ns = 0;
    std::uint64_t ns = 0;  // in MPI
    std::uint64_t remarks = 0;
    std::vector<KindRecord> kinds;  // TrafficRecord::kind is an index into these
    ProcessRecord process;
};

// The part as of this moment. rank: this process's in MPI_COMM_WORLD. has_pairs: by process, and not
// only by lane. remarks: beside kHasOtherKinds. Local; thread safe.
Part part_of_now(int rank, bool has_pairs, std::uint64_t remarks);

inline void to_json(Json& json, const Part& part) {
    json = {{"elapsed_ns", part.elapsed_ns},
            {"ns", part.ns},
            {"remarks", part.remarks},
            {"kinds", part.kinds},
            {"process", part.process}};
}

}  // namespace hitopo::profile

#endif
