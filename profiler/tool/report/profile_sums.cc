// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/report/profile_sums.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "profiler/tool/report/units.h"

namespace hitopo::tool {
namespace {

// The first of kSizeNames that messages with so many bits are below.
std::size_t size_class(int bits) {
    constexpr std::array<int, kSizeNames.size() - 1> kMaxBits = {0, 6, 10, 16, 20};
    return static_cast<std::size_t>(std::lower_bound(kMaxBits.begin(), kMaxBits.end(), bits) -
                                    kMaxBits.begin());
}

// Sums while they grow.
struct Growing {
    TrafficSums& sums;
    std::map<std::string, FunctionSum> functions;
    std::map<std::string, std::uint64_t> ns_of_process;  // of the present one, by function
    std::map<std::string, std::size_t> num_callers;

    void add(const Traffic& traffic);
    void end_process();
    void finish(std::size_t num_processes);
};

void Growing::add(const Traffic& traffic) {
    for (const Call& call : traffic.calls) {
        FunctionSum& total = functions[call.name];
        total.name = call.name;
        for (std::uint64_t Call::*const sum : {&Call::count, &Call::bytes, &Call::ns}) {
            add_to(total.*sum, call.*sum);
        }
        add_to(ns_of_process[call.name], call.ns);
    }
    for (const LaneTraffic& lane : traffic.lanes) {
        LaneSum& total = sums.lanes[static_cast<std::size_t>(lane.lane)];
        add_to(total.messages, lane.messages);
        add_to(total.bytes, lane.bytes);
        add_to(total.collective_bytes, lane.collective_bytes);
    }
    for (const SizeTraffic& size : traffic.sizes) {
        SizeSum& total = sums.sizes[size_class(size.bits)];
        add_to(total.messages, size.messages);
        add_to(total.bytes, size.bytes);
    }
    for (const ServedCalls& served : traffic.served) {
        add_to(sums.served[served.name], served.count);
        for (std::size_t i = 0; i < sums.lanes.size(); ++i) {
            add_to(sums.lanes[i].served_messages, served.messages[i]);
            add_to(sums.lanes[i].served_bytes, served.bytes[i]);
            add_to(sums.lanes[i].served_flat_bytes, served.flat_bytes[i]);
        }
    }
}

void Growing::end_process() {
    for (const auto& [name, ns] : ns_of_process) {
        FunctionSum& total = functions[name];
        total.least_ns = num_callers[name]++ == 0 ? ns : std::min(total.least_ns, ns);
        total.most_ns = std::max(total.most_ns, ns);
    }
    ns_of_process.clear();
}

void Growing::finish(std::size_t num_processes) {
    for (auto& [name, call] : functions) {
        call.least_ns = num_callers[name] < num_processes ? 0 : call.least_ns;
        sums.by_call.push_back(call);
        add_to(sums.calls, call.count);
        add_to(sums.call_bytes, call.bytes);
        add_to(sums.ns, call.ns);
    }
    std::stable_sort(sums.by_call.begin(), sums.by_call.end(),
                     [](const Call& a, const Call& b) { return a.ns > b.ns; });
    for (const LaneSum& lane : sums.lanes) {
        add_to(sums.messages, lane.messages);
        add_to(sums.bytes, lane.bytes);
        add_to(sums.collective_bytes, lane.collective_bytes);
    }
}

// Each member counts the communicators that it is in.
std::uint64_t number_of(const Kind& kind, std::uint64_t made) {
    const std::uint64_t size =
        static_cast<std::uint64_t>(kind.size) + static_cast<std::uint64_t>(kind.remote_size);
    return size == 0 ? 0 : made / size + (made % size > 0 ? 1 : 0);
}

auto what(const ReportedOrder& order) {
    return std::tie(order.call, order.size, order.candidate, order.is_weighted, order.is_applied,
                    order.levels, order.before, order.after);
}

// " (-57 %)"; "" where nothing changes.
std::string change_phrase(std::uint64_t before, std::uint64_t after) {
    if (before == after) {
        return "";
    }
    if (before == 0) {
        return " (new)";
    }
    const double change = static_cast<double>(after) / static_cast<double>(before) - 1;
    return fmt::format(" ({:+.0f} %)", 100 * change);
}

}  // namespace

std::uint64_t saturated_sum(std::uint64_t a, std::uint64_t b) {
    constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
    return a > kMax - b ? kMax : a + b;
}

double share_of(std::uint64_t a, std::uint64_t b) {
    return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

ProfileSums sum_up(const Profile& profile) {
    ProfileSums all;
    all.kinds.resize(profile.kinds.size());
    all.whole.lanes.resize(profile.lanes.size());
    Growing whole{all.whole, {}, {}, {}};
    std::vector<Growing> kinds;
    std::vector<std::uint64_t> made(profile.kinds.size());
    for (KindSum& sums : all.kinds) {
        sums.kind = kinds.size();
        sums.lanes.resize(profile.lanes.size());
        kinds.push_back({sums, {}, {}, {}});
    }
    for (const ProfiledProcess& process : profile.processes) {
        std::uint64_t& ns = all.process_ns.emplace_back();
        for (const Traffic& traffic : process.kinds) {
            const auto kind = static_cast<std::size_t>(traffic.kind);
            add_to(made[kind], traffic.made);
            kinds[kind].add(traffic);
            kinds[kind].end_process();
            whole.add(traffic);
            for (const Call& call : traffic.calls) {
                add_to(ns, call.ns);
            }
        }
        whole.end_process();
    }
    whole.finish(profile.processes.size());
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        kinds[i].finish(profile.processes.size());
        all.kinds[i].number = number_of(profile.kinds[i], made[i]);
    }
    all.kinds.erase(std::remove_if(all.kinds.begin(), all.kinds.end(),
                                   [](const KindSum& sums) { return sums.calls == 0; }),
                    all.kinds.end());
    std::stable_sort(all.kinds.begin(), all.kinds.end(),
                     [](const KindSum& a, const KindSum& b) { return a.ns > b.ns; });
    return all;
}

std::uint64_t run_ns(const Profile& profile) {
    constexpr double kMost = 0x1p63;
    return static_cast<std::uint64_t>(
        std::min(1e9 * profile.seconds * static_cast<double>(profile.processes.size()), kMost));
}

std::vector<GroupSum> by_group(const TrafficSums& sums) {
    std::vector<GroupSum> groups;
    for (std::size_t i = 0; i < kGroupNames.size(); ++i) {
        groups.push_back({static_cast<Group>(i)});
    }
    for (const Call& call : sums.by_call) {
        GroupSum& group = groups[static_cast<std::size_t>(group_of(call.name))];
        add_to(group.count, call.count);
        add_to(group.bytes, call.bytes);
        add_to(group.ns, call.ns);
    }
    groups.erase(std::remove_if(groups.begin(), groups.end(),
                                [](const GroupSum& group) { return group.count == 0; }),
                 groups.end());
    std::stable_sort(groups.begin(), groups.end(),
                     [](const GroupSum& a, const GroupSum& b) { return a.ns > b.ns; });
    return groups;
}

std::uint64_t outside_ns(const Profile& profile, const TrafficSums& whole) {
    const std::uint64_t run = run_ns(profile);
    return run - std::min(run, whole.ns);
}

HeaviestPairs heaviest_pairs(const Profile& profile, std::size_t count) {
    HeaviestPairs heaviest;
    std::vector<Pair>& pairs = heaviest.pairs;
    for (const ProfiledProcess& process : profile.processes) {
        for (const PairTraffic& pair : process.pairs) {
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

namespace {

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

RankLanes::RankLanes(const std::optional<TableDocument>& table)
    : table_(table ? &*table : nullptr), lanes_(table ? lanes_of(*table) : Lanes(0)) {}

std::string_view RankLanes::between(int a, int b) const {
    const auto address = [this](int rank) {
        return table_ == nullptr ? nullptr
                                 : table_->ranks[static_cast<std::size_t>(rank)].address.data();
    };
    return lane_name(lanes_.between(address(a), address(b)));
}

std::vector<ReportedOrder> merged_orders(const Profile& profile) {
    std::vector<ReportedOrder> orders = profile.orders, merged;
    std::sort(orders.begin(), orders.end(),
              [](const ReportedOrder& a, const ReportedOrder& b) { return what(a) < what(b); });
    for (ReportedOrder& order : orders) {
        if (!merged.empty() && what(merged.back()) == what(order)) {
            add_to(merged.back().count, order.count);
        } else {
            merged.push_back(std::move(order));
        }
    }
    std::stable_sort(merged.begin(), merged.end(),
                     [](const ReportedOrder& a, const ReportedOrder& b) { return a.count > b.count; });
    return merged;
}

std::string outcome_phrase(const ReportedOrder& order, Charset charset) {
    if (order.before == order.after && !order.is_applied) {
        return "nothing to gain";
    }
    return fmt::format("{} ({})", order.is_applied ? "applied" : "not applied",
                       safe(order.candidate, charset));
}

std::string unit_phrase(const ReportedOrder& order) {
    return order.is_weighted ? "weights" : "pairs of neighbours";
}

std::string crossings_phrase(const ReportedOrder& order, Charset charset) {
    std::vector<std::string> levels;
    for (std::size_t i = 0; i < order.levels.size(); ++i) {
        levels.push_back(fmt::format("{} {} -> {}{}", safe(order.levels[i], charset), order.before[i],
                                     order.after[i], change_phrase(order.before[i], order.after[i])));
    }
    return fmt::format("{}", fmt::join(levels, ", "));
}

}  // namespace hitopo::tool
