// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/plans.h"

#include <algorithm>
#include <cmath>

namespace hitopo::coll {
namespace {

constexpr std::size_t kNumberBytes = 8;
constexpr std::size_t kExchangedBytes = 128 << 10;  // at once

}  // namespace

std::vector<Plan> plans(const Shape& shape, const Links& links, std::size_t bytes, int num_leaders) {
    const auto plan = [&](std::string_view collectives, Pattern pattern, std::size_t unit) {
        return Plan{collectives,
                    describe(choose(shape, links, pattern, bytes, unit, num_leaders), shape)};
    };
    const std::size_t block = bytes / static_cast<std::size_t>(std::max(1, shape.num_processes));
    return {plan("bcast", Pattern::kOneRoot, 1),
            plan("reduce", Pattern::kOneRoot, kNumberBytes),
            plan("allreduce", Pattern::kThereAndBack, kNumberBytes),
            plan("allgather, allgatherv", Pattern::kEachRoot, 1),
            plan("reduce_scatter, reduce_scatter_block", Pattern::kEachRoot, kNumberBytes),
            {"alltoall", describe_exchange(shape, links, block)}};
}

int exchange_window(const Shape& shape, std::size_t block_bytes) {
    const std::size_t num =
        std::max<std::size_t>(2, kExchangedBytes / std::max<std::size_t>(1, block_bytes));
    return static_cast<int>(std::min(num, static_cast<std::size_t>(shape.num_processes)));
}

std::string describe_exchange(const Shape& shape, const Links& links, std::size_t block_bytes) {
    const double us = exchange_us(shape, links, block_bytes);
    return "blocks of " + std::to_string(block_bytes) + " bytes, " +
           std::to_string(exchange_window(shape, block_bytes)) + " under way; " +
           std::to_string(std::llround(std::min(us, 1e15))) + " us expected";
}

}  // namespace hitopo::coll
