// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/report/part.h"

#include <algorithm>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/support/own_cgroup.h"
#include "profiler/count/call.h"

namespace hitopo::profile {
namespace {

Json describe_calls(const std::vector<CallCount>& calls, double bound) {
    Json list = Json::array();
    for (const CallCount& call : calls) {
        const double ns = bound * static_cast<double>(ns_of(call.ticks));
        list.push_back(
            {kFunctionNames[call.function], call.count, call.bytes, static_cast<std::uint64_t>(ns)});
    }
    return list;
}

Json describe_lanes(const KindCounters& kind) {
    Json list = Json::array();
    for (std::size_t lane = 0; lane < kNumLanes; ++lane) {
        const auto& [messages, bytes] = kind.lanes()[lane];
        const std::uint64_t collective = kind.collective_bytes()[lane];
        if (messages > 0 || collective > 0) {
            list.push_back({lane, messages, bytes, collective});
        }
    }
    return list;
}

Json describe_sizes(const KindCounters& kind) {
    Json list = Json::array();
    for (std::size_t bits = 0; bits < KindCounters::kNumSizes; ++bits) {
        const auto& [messages, bytes] = kind.sizes()[bits];
        if (messages > 0) {
            list.push_back({bits, messages, bytes});
        }
    }
    return list;
}

Json describe_served(const std::vector<ServedCount>& counts) {
    Json list = Json::array();
    for (const ServedCount& served : counts) {
        list.push_back({{"call", kFunctionNames[served.function]},
                        {"count", served.count},
                        {"messages", served.messages},
                        {"bytes", served.bytes},
                        {"flat_bytes", served.flat_bytes}});
    }
    return list;
}

Json describe_pairs(const Counters& counters) {
    Json list = Json::array();
    for (const PairCount& pair : counters.pairs().by_rank()) {
        list.push_back({pair.rank, pair.messages, pair.bytes});
    }
    return {{"pairs", std::move(list)},
            {"unknown_pairs", {counters.unknown().messages, counters.unknown().bytes}}};
}

Json describe_orders(const Orders& orders) {
    Json list = Json::array();
    for (const OrderKind& order : orders.kinds()) {
        std::vector<std::string_view> levels(order.levels.size());
        std::transform(order.levels.begin(), order.levels.end(), levels.begin(), level_name);
        list.push_back({{"call", order.call},
                        {"size", order.size},
                        {"count", order.count},
                        {"candidate", order.candidate},
                        {"is_weighted", order.is_weighted},
                        {"is_applied", order.is_applied},
                        {"levels", levels},
                        {"before", order.before},
                        {"after", order.after}});
    }
    Json members = {{"orders", std::move(list)}};
    if (orders.num_others() > 0) {
        members["other_orders"] = orders.num_others();
    }
    return members;
}

}  // namespace

// Times of short calls are samples, and their sums right on average: one thread's are no longer than all
// of its time.
Part::Part(std::uint64_t remarks)
    : elapsed_ns_(profile::elapsed_ns()),
      remarks_(remarks),
      counters_(ThreadCounters::instance().sum()),
      orders_(Communicators::instance().orders()),
      allowed_cpus_(OwnCgroup().allowed_cpus().to_string()) {
    Kinds& kinds = Communicators::instance().kinds();
    kinds.for_each([&](const Kind& kind) { kinds_.push_back({&kind, kind.num_made}); });
    remarks_ |= kinds.has_others() ? kHasOtherKinds : 0;
    const std::uint64_t ns = ns_of(counters_.total().ticks);
    ns_ = has_threads ? ns : std::min(ns, elapsed_ns_);
    bound_ = ns_ == ns ? 1 : static_cast<double>(ns_) / static_cast<double>(ns);
}

Json Part::to_json(int rank, bool wants_pairs) const {
    static const KindCounters kNone(0);
    Json kinds = Json::array();
    std::uint64_t collective_bytes = 0;
    for (const auto& [kind, num_made] : kinds_) {
        const auto& counted = counters_.kinds()[kind->number];
        if (kind->size == 0 && counted == nullptr) {
            continue;
        }
        const KindCounters& counters = counted != nullptr ? *counted : kNone;
        kinds.push_back({{"key", to_hex(kind->key)},
                         {"name", kind->name},
                         {"size", kind->size},
                         {"remote_size", kind->remote_size},
                         {"made", num_made},
                         {"calls", describe_calls(counters.calls(), bound_)},
                         {"lanes", describe_lanes(counters)},
                         {"sizes", describe_sizes(counters)}});
        if (!counters.served().empty()) {
            kinds.back()["served"] = describe_served(counters.served());
        }
        collective_bytes += sum_of(counters.collective_bytes());
    }
    Json json = {{"elapsed_ns", elapsed_ns_}, {"ns", ns_},
                 {"remarks", remarks_},       {"rank", rank},
                 {"kinds", std::move(kinds)}, {"collective_bytes", collective_bytes}};
    if (!allowed_cpus_.empty()) {
        json["allowed"] = allowed_cpus_;
    }
    if (wants_pairs) {
        json.update(describe_pairs(counters_));
    }
    if (!orders_.kinds().empty()) {
        json.update(describe_orders(orders_));
    }
    return json;
}

}  // namespace hitopo::profile
