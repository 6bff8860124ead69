// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What one process counted until one moment: its part of a report.
#ifndef PROFILER_REPORT_PART_H
#define PROFILER_REPORT_PART_H

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "profiler/count/communicator.h"
#include "profiler/count/world.h"
#include "profiler/gather/gather.h"
#include "profiler/traffic/orders.h"
#include "profiler/traffic/traffic.h"

namespace hitopo::profile {

// What the report's reader should know of a part: bits.
inline constexpr std::uint64_t kLeftOutCommunicators = 1;
inline constexpr std::uint64_t kLeftOutSnapshots = 2;
inline constexpr std::uint64_t kHasOtherTool = 4;

using Json = nlohmann::ordered_json;

// Names may hold any bytes, JSON may not.
std::string to_text(const Json& json);

class Part {
public:
    // A part as of this moment. remarks: beside kLeftOutCommunicators. Local; thread safe.
    explicit Part(std::uint64_t remarks);

    // As it is handed in for the report of that number. rank: this process's in MPI_COMM_WORLD.
    // wants_peers: each, and not their sums. What is the same in all parts (who is where) is as it is
    // when it is asked. This and the table outlive the result. Local.
    ProcessPart of_report(int report, int rank, const WorldTable& table, bool wants_peers) const;

private:
    std::uint64_t elapsed_ns_;
    std::uint64_t remarks_;
    std::vector<CommunicatorPart> communicators_;
    std::optional<WorldPairs> pairs_;  // where they are counted
    Orders orders_;
    std::string allowed_cpus_;  // of its cpuset; "": unknown
};

}  // namespace hitopo::profile

#endif
