// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/plans.h"

#include "ompi/mca/coll/hitopo/core/flat.h"

namespace hitopo::coll {
namespace {

constexpr std::size_t kNumberBytes = 8;

}  // namespace

std::vector<Plan> plans(const Shape& shape, const Links& links, std::size_t bytes, int num_leaders) {
    const auto plan = [&](std::string_view collectives, Pattern pattern, std::size_t unit) {
        const Choice choice = choose(shape, links, pattern, bytes, unit, num_leaders);
        return Plan{pattern, collectives, describe(choice, shape), choice.us,
                    flat_us(shape, links, pattern, bytes)};
    };
    return {plan("bcast", Pattern::kFromRoot, 1),
            plan("reduce", Pattern::kToRoot, kNumberBytes),
            plan("allreduce", Pattern::kThereAndBack, kNumberBytes),
            plan("allgather, allgatherv", Pattern::kFromEach, 1),
            plan("reduce_scatter, reduce_scatter_block", Pattern::kToEach, kNumberBytes),
            plan("alltoall", Pattern::kExchange, 1)};
}

}  // namespace hitopo::coll
