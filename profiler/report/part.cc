// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/support/own_cgroup.h"
#include "profiler/count/call.h"
#include "profiler/report/report.h"

namespace hitopo::profile {
namespace {

std::vector<std::uint64_t> listed(const PerLane& numbers) { return {numbers.begin(), numbers.end()}; }

// bound: factor of the times of calls.
TrafficRecord traffic_of(const KindCounters& counters, double bound) {
    TrafficRecord traffic;
    for (const FunctionCount& call : counters.calls()) {
        const double ns = bound * static_cast<double>(ns_of(call.ticks));
        traffic.calls.push_back(
            {kFunctionNames[call.function], call.count, call.bytes, static_cast<std::uint64_t>(ns)});
    }
    for (std::size_t lane = 0; lane < kNumLanes; ++lane) {
        const auto& [messages, bytes] = counters.lanes()[lane];
        const std::uint64_t collective = counters.collective_bytes()[lane];
        if (messages > 0 || collective > 0) {
            traffic.lanes.push_back({static_cast<int>(lane), messages, bytes, collective});
        }
    }
    for (std::size_t bits = 0; bits < KindCounters::kNumSizes; ++bits) {
        const auto& [messages, bytes] = counters.sizes()[bits];
        if (messages > 0) {
            traffic.sizes.push_back({static_cast<int>(bits), messages, bytes});
        }
    }
    for (const FunctionCrossings& served : counters.served()) {
        traffic.served.push_back({kFunctionNames[served.function], served.count, listed(served.messages),
                                  listed(served.bytes), listed(served.flat_bytes)});
    }
    return traffic;
}

}  // namespace

// Times of short calls are samples, and their sums right on average: those of one thread are no longer
// than all of its time.
Part part_of_now(int rank, bool has_pairs, std::uint64_t remarks) {
    const Counters counters = ThreadCounters::instance().sum();
    const Orders orders = Communicators::instance().orders();
    Kinds& kinds = Communicators::instance().kinds();
    Part part;
    part.elapsed_ns = elapsed_ns();
    const std::uint64_t ns = ns_of(counters.total().ticks);
    part.ns = has_threads ? ns : std::min(ns, part.elapsed_ns);
    const double bound = part.ns == ns ? 1 : static_cast<double>(part.ns) / static_cast<double>(ns);

    ProcessRecord& process = part.process;
    process.rank = rank;
    kinds.for_each([&](const Kind& kind) {
        const auto& counted = counters.kinds()[kind.number];
        if (kind.size != 0 || counted != nullptr) {
            process.kinds.push_back(counted != nullptr ? traffic_of(*counted, bound) : TrafficRecord());
            process.kinds.back().kind = static_cast<int>(part.kinds.size());
            process.kinds.back().made = kind.num_made;
            part.kinds.push_back({to_hex(kind.key), kind.name, kind.size, kind.remote_size});
        }
        process.collective_bytes += counted != nullptr ? sum_of(counted->collective_bytes()) : 0;
    });
    part.remarks = remarks | (kinds.has_others() ? kHasOtherKinds : 0);
    const std::string cpus = OwnCgroup().allowed_cpus().to_string();
    process.allowed = cpus.empty() ? std::nullopt : std::optional(cpus);
    process.has_pairs = has_pairs;
    if (has_pairs) {
        process.pairs = counters.pairs().by_rank();
        process.unknown = counters.unknown();
    }
    process.orders = orders.kinds();
    process.other_orders = orders.num_others();
    return part;
}

}  // namespace hitopo::profile
