// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/plans.h"

#include "ompi/mca/coll/hitopo/core/serve.h"

namespace hitopo::coll {
namespace {

constexpr std::size_t kNumberBytes = 8;

}  // namespace

std::vector<Plan> plans(const Shape& shape, const Links& links, std::size_t bytes, int num_leaders) {
    const auto plan_of = [&](std::size_t kind, std::string_view collectives, Pattern pattern,
                             std::size_t num_bytes, std::size_t unit) {
        return Plan{kind, collectives, has_length(kind) ? num_bytes : 1,
                    describe(choose(shape, links, pattern, num_bytes, unit, num_leaders), shape)};
    };
    const auto plan = [&](std::string_view collectives, Pattern pattern, std::size_t unit) {
        const bool is_together = has_blocks(pattern) && bytes <= kMostTogether;
        return plan_of(static_cast<std::size_t>(pattern), collectives,
                       is_together ? Pattern::kThereAndBack : pattern, bytes, unit);
    };
    std::vector<Plan> all = {
        plan("bcast", Pattern::kFromRoot, 1),
        plan("reduce", Pattern::kToRoot, kNumberBytes),
        plan("allreduce", Pattern::kThereAndBack, kNumberBytes),
        plan("allgather, allgatherv", Pattern::kFromEach, 1),
        plan("reduce_scatter, reduce_scatter_block", Pattern::kToEach, kNumberBytes),
        plan("alltoall", Pattern::kExchange, 1),
        plan_of(kBarrier, "barrier", Pattern::kThereAndBack, 1, 1)};
    if (const std::size_t cell = cell_bytes(shape.num_processes)) {
        all.push_back(plan_of(kAlltoallv, "alltoallv, alltoallw", Pattern::kExchange,
                              cell * static_cast<std::size_t>(shape.num_processes), 1));
    }
    return all;
}

}  // namespace hitopo::coll
