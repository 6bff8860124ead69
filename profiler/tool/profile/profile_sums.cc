// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/profile/profile_sums.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace hitopo::tool {
namespace {

// The first of kSizeNames above messages with so many bits.
std::size_t size_class(int bits) {
    constexpr std::array<int, kSizeNames.size() - 1> kMaxBits = {0, 6, 10, 16, 20};
    return static_cast<std::size_t>(std::lower_bound(kMaxBits.begin(), kMaxBits.end(), bits) -
                                    kMaxBits.begin());
}

using Functions = std::map<std::string, FunctionSum>;

// One process's counters.
void add(const TrafficRecord& traffic, TrafficSums& sums, Functions& functions) {
    for (const CallCount& call : traffic.calls) {
        FunctionSum& total = functions[call.name];
        add_to(total, call);
        total.least_ns = total.num_processes++ == 0 ? call.ns : std::min(total.least_ns, call.ns);
        total.most_ns = std::max(total.most_ns, call.ns);
    }
    for (const LaneCount& lane : traffic.lanes) {
        LaneSum& total = sums.lanes[static_cast<std::size_t>(lane.lane)];
        add_to(total.messages, lane.messages);
        add_to(total.bytes, lane.bytes);
        add_to(total.collective_bytes, lane.collective_bytes);
    }
    for (const SizeCount& size : traffic.sizes) {
        add_to(sums.sizes[size_class(size.bits)], {size.messages, size.bytes});
    }
    for (const ServedCount& served : traffic.served) {
        add_to(sums.served[served.name], served.count);
        for (std::size_t i = 0; i < sums.lanes.size(); ++i) {
            add_to(sums.lanes[i].served_messages, served.messages[i]);
            add_to(sums.lanes[i].served_bytes, served.bytes[i]);
            add_to(sums.lanes[i].served_flat_bytes, served.flat_bytes[i]);
        }
    }
}

// Computes the rest from the sums.
void finish(TrafficSums& sums, const Functions& functions, std::size_t num_processes) {
    for (const auto& [name, call] : functions) {
        sums.by_call.push_back(call);
        sums.by_call.back().name = name;
        sums.by_call.back().least_ns = call.num_processes < num_processes ? 0 : call.least_ns;
        add_to(sums.calls, call.count);
        add_to(sums.call_bytes, call.bytes);
        add_to(sums.ns, call.ns);
    }
    std::stable_sort(sums.by_call.begin(), sums.by_call.end(),
                     [](const CallCount& a, const CallCount& b) { return a.ns > b.ns; });
    for (const LaneSum& lane : sums.lanes) {
        add_to(sums.messages, lane.messages);
        add_to(sums.bytes, lane.bytes);
        add_to(sums.collective_bytes, lane.collective_bytes);
    }
}

// Each member counts the communicators that it is in.
std::uint64_t number_of(const KindRecord& kind, std::uint64_t made) {
    const std::uint64_t size =
        static_cast<std::uint64_t>(kind.size) + static_cast<std::uint64_t>(kind.remote_size);
    return size == 0 ? 0 : made / size + (made % size > 0 ? 1 : 0);
}

Lanes lanes_of(const TableDocument& table) {
    unsigned known = 0, divided = 0;
    for (std::size_t level = 0; level < kNumLevels; ++level) {
        known |= table.levels[level].known != Known::kNone ? 1u << level : 0;
        for (const RankRow& row : table.ranks) {
            divided |= row.address[level] != table.ranks.front().address[level] ? 1u << level : 0;
        }
    }
    return Lanes(known, divided);
}

}  // namespace

void add_to(std::uint64_t& total, std::uint64_t more) {
    constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
    total = total > kMax - more ? kMax : total + more;
}

void add_to(CallCount& total, const CallCount& more) {
    for (std::uint64_t CallCount::*const sum : {&CallCount::count, &CallCount::bytes, &CallCount::ns}) {
        add_to(total.*sum, more.*sum);
    }
}

void add_to(MessageCount& total, const MessageCount& more) {
    add_to(total.messages, more.messages);
    add_to(total.bytes, more.bytes);
}

double share_of(std::uint64_t a, std::uint64_t b) {
    return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

TrafficRecord of_all_kinds(const ProcessRecord& process) {
    TrafficRecord all;
    std::map<std::string, CallCount> calls;
    for (const TrafficRecord& traffic : process.kinds) {
        for (const CallCount& call : traffic.calls) {
            add_to(calls[call.name], call);
        }
        all.lanes.insert(all.lanes.end(), traffic.lanes.begin(), traffic.lanes.end());
        all.sizes.insert(all.sizes.end(), traffic.sizes.begin(), traffic.sizes.end());
        all.served.insert(all.served.end(), traffic.served.begin(), traffic.served.end());
    }
    for (auto& [name, call] : calls) {
        all.calls.push_back(std::move(call));
        all.calls.back().name = name;
    }
    return all;
}

ProfileSums sum_up(const Profile& profile) {
    ProfileSums all;
    const std::size_t num_kinds = profile.kinds.size();
    all.kinds.resize(num_kinds);
    std::vector<Functions> functions(num_kinds + 1);  // the last: of all kinds
    std::vector<std::uint64_t> made(num_kinds);
    all.whole.lanes.resize(profile.lanes.size());
    for (std::size_t i = 0; i < num_kinds; ++i) {
        all.kinds[i].kind = i;
        all.kinds[i].lanes.resize(profile.lanes.size());
    }
    for (const ProcessRecord& process : profile.processes) {
        for (const TrafficRecord& traffic : process.kinds) {
            const auto kind = static_cast<std::size_t>(traffic.kind);
            add_to(made[kind], traffic.made);
            add(traffic, all.kinds[kind], functions[kind]);
        }
        add_to(all.other_orders, process.other_orders);
        const TrafficRecord of_process = of_all_kinds(process);
        add(of_process, all.whole, functions.back());
        std::uint64_t& ns = all.process_ns.emplace_back();
        for (const CallCount& call : of_process.calls) {
            add_to(ns, call.ns);
        }
    }
    finish(all.whole, functions.back(), profile.processes.size());
    for (std::size_t i = 0; i < num_kinds; ++i) {
        finish(all.kinds[i], functions[i], profile.processes.size());
        all.kinds[i].number = number_of(profile.kinds[i], made[i]);
    }
    all.kinds.erase(std::remove_if(all.kinds.begin(), all.kinds.end(),
                                   [](const KindSum& sums) { return sums.calls == 0; }),
                    all.kinds.end());
    std::stable_sort(all.kinds.begin(), all.kinds.end(),
                     [](const KindSum& a, const KindSum& b) { return a.ns > b.ns; });
    return all;
}

HeaviestPairs heaviest_pairs(const Profile& profile, std::size_t count) {
    HeaviestPairs heaviest;
    std::vector<Pair>& pairs = heaviest.pairs;
    for (const ProcessRecord& process : profile.processes) {
        for (const PeerCount& pair : process.pairs) {
            pairs.push_back({process.rank, pair.rank, pair.messages, pair.bytes});
        }
    }
    heaviest.num_pairs = pairs.size();
    const auto end = pairs.begin() + static_cast<std::ptrdiff_t>(std::min(count, pairs.size()));
    std::partial_sort(pairs.begin(), end, pairs.end(), [](const Pair& a, const Pair& b) {
        return std::tuple(b.bytes, b.messages, a.from, a.to) <
               std::tuple(a.bytes, a.messages, b.from, b.to);
    });
    pairs.erase(end, pairs.end());
    return heaviest;
}

RankLanes::RankLanes(const std::optional<TableDocument>& table)
    : table_(table ? &*table : nullptr), lanes_(table ? lanes_of(*table) : Lanes(0)) {}

std::string_view RankLanes::between(int a, int b) const {
    const auto address = [this](int rank) {
        return table_ == nullptr ? nullptr
                                 : table_->ranks[static_cast<std::size_t>(rank)].address.data();
    };
    return lane_name(lanes_.between(address(a), address(b)));
}

std::vector<OrderCount> merged_orders(const Profile& profile) {
    std::vector<OrderCount> orders, merged;
    for (const ProcessRecord& process : profile.processes) {
        orders.insert(orders.end(), process.orders.begin(), process.orders.end());
    }
    std::sort(orders.begin(), orders.end(),
              [](const OrderCount& a, const OrderCount& b) { return a.what() < b.what(); });
    for (OrderCount& order : orders) {
        if (!merged.empty() && merged.back().what() == order.what()) {
            add_to(merged.back().count, order.count);
        } else {
            merged.push_back(std::move(order));
        }
    }
    std::stable_sort(merged.begin(), merged.end(),
                     [](const OrderCount& a, const OrderCount& b) { return a.count > b.count; });
    return merged;
}

}  // namespace hitopo::tool
