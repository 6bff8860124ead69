// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What one process counted until one moment: its part of a report.
#ifndef PROFILER_REPORT_PART_H
#define PROFILER_REPORT_PART_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/count/communicator.h"
#include "profiler/count/world.h"
#include "profiler/gather/heads.h"
#include "profiler/traffic/orders.h"
#include "profiler/traffic/pairs.h"

namespace hitopo::profile {

// What the report's reader should know of a part: bits.
inline constexpr std::uint64_t kLeftOutCommunicators = 1;
inline constexpr std::uint64_t kLeftOutSnapshots = 2;
inline constexpr std::uint64_t kHasOtherTool = 4;

class Part {
public:
    // A part as of this moment. remarks: beside kLeftOutCommunicators. Local; thread safe.
    explicit Part(std::uint64_t remarks);

    // wants_peers: as of traffic, of whose length it tells.
    PartHead head(bool wants_peers) const;

    // The keys of its communicators, whose order the following two keep; a later part of this process
    // begins with the same ones. What is the same in all parts (who is where) is as it is when they are
    // asked.
    std::vector<std::uint64_t> keys() const;
    // The new communicators: an array of entries of `communicators` (docs/json.md) without `id` and
    // `spans`, in a line. Local.
    std::string descriptions(const std::vector<std::int32_t>& is_new) const;
    // An entry of `processes` in a line. rank: this process's in MPI_COMM_WORLD. wants_peers: each, and
    // not their sums. Local.
    std::string traffic(int rank, const std::vector<std::int32_t>& ids, const WorldTable& table,
                        bool wants_peers) const;

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
