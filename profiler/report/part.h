// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What one process counted until one moment: its part of a report.
#ifndef PROFILER_REPORT_PART_H
#define PROFILER_REPORT_PART_H

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "profiler/gather/gather.h"
#include "profiler/traffic/counters.h"
#include "profiler/traffic/kinds.h"
#include "profiler/traffic/orders.h"

namespace hitopo::profile {

// What the report's reader should know of a part: bits.
inline constexpr std::uint64_t kHasOtherKinds = 1;
inline constexpr std::uint64_t kLeftOutSnapshots = 2;
inline constexpr std::uint64_t kHasOtherTool = 4;

using Json = nlohmann::ordered_json;

class Part {
public:
    // A part as of this moment. remarks: beside kHasOtherKinds. Local; thread safe.
    explicit Part(std::uint64_t remarks);

    // As it is handed in: "elapsed_ns", "ns", "remarks", and an entry of the document's "processes"
    // whose kinds have the members of the document's "kinds" but "id". rank: this process's in
    // MPI_COMM_WORLD. wants_pairs: by process, and not only by lane.
    Json to_json(int rank, bool wants_pairs) const;

private:
    struct Made {
        const Kind* kind;
        std::uint64_t count;
    };

    std::uint64_t elapsed_ns_;
    std::uint64_t remarks_;
    std::vector<Made> kinds_;  // by number
    Counters counters_;
    Orders orders_;
    std::uint64_t ns_;          // in MPI
    double bound_;              // that times of calls are multiplied by
    std::string allowed_cpus_;  // of its cpuset; "": unknown
};

}  // namespace hitopo::profile

#endif
