// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/record/node_record.h"

#include <tuple>

#include "ompi/mca/hitopo/core/record/seen_ranks.h"

namespace hitopo {
namespace {

int weight_of(Errc code) {
    return code == Errc::kAbsent ? 0 : code == Errc::kNone ? 1 : 1 + cost_of(code);
}

}  // namespace

bool stands_before(const ReportedError& a, const ReportedError& b) {
    return std::make_tuple(-weight_of(a.error.code), a.rank) <
           std::make_tuple(-weight_of(b.error.code), b.rank);
}

std::optional<std::uint32_t> first_not_once(const std::vector<NodeRecord>& records,
                                            std::size_t num_processes) {
    SeenRanks seen(num_processes);
    std::optional<std::uint32_t> twice;
    for (const NodeRecord& record : records) {
        for (std::size_t i = 0; i < record.ranks.num_runs(); ++i) {
            const std::optional<std::uint32_t> rank = seen.add(record.ranks.run(i));
            twice = rank && (!twice || *rank < *twice) ? rank : twice;
        }
    }
    const std::uint32_t missing = seen.lowest_missing(num_processes);
    return twice || missing == num_processes ? twice : std::optional(missing);
}

}  // namespace hitopo
