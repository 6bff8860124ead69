// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/report/profile_sums.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "ompi/tools/hitopo/report/units.h"

namespace hitopo::tool {
namespace {

void add(const Traffic& traffic, CommunicatorSums& sums, std::map<std::string, Call>& calls) {
    for (const Call& call : traffic.calls) {
        Call& total = calls[call.name];
        total.name = call.name;
        for (const auto sum : {&Call::count, &Call::bytes, &Call::ns}) {
            add_to(total.*sum, call.*sum);
        }
    }
    for (const Peer& peer : traffic.peers) {
        LaneSum& lane = sums.lanes[static_cast<std::size_t>(peer.lane)];
        const Pair pair = {traffic.rank, &peer};
        add_to(lane.messages, pair.messages());
        add_to(lane.bytes, pair.bytes());
    }
    for (const ServedCalls& served : traffic.served) {
        add_to(sums.served[served.name], served.count);
    }
    for (std::size_t i = 0; i < sums.lanes.size(); ++i) {
        LaneSum& lane = sums.lanes[i];
        if (const auto& of = traffic.peer_sums) {
            add_to(lane.messages, saturated_sum(of->messages[i], of->fetches[i]));
            add_to(lane.bytes, saturated_sum(of->bytes[i], of->fetched_bytes[i]));
        }
        add_to(lane.collective_bytes, traffic.collective_bytes[i]);
        for (const ServedCalls& served : traffic.served) {
            add_to(lane.served_messages, served.messages[i]);
            add_to(lane.served_bytes, served.bytes[i]);
            add_to(lane.served_flat_bytes, served.flat_bytes[i]);
        }
    }
}

// All that follows from what was added.
void finish(CommunicatorSums& sums, const std::map<std::string, Call>& calls) {
    for (const auto& [name, call] : calls) {
        sums.by_call.push_back(call);
        add_to(sums.calls, call.count);
        add_to(sums.call_bytes, call.bytes);
        add_to(sums.ns, call.ns);
    }
    std::stable_sort(sums.by_call.begin(), sums.by_call.end(),
                     [](const Call& a, const Call& b) { return a.ns > b.ns; });
    std::sort(sums.processes.begin(), sums.processes.end(),
              [](const Traffic* a, const Traffic* b) { return a->rank < b->rank; });
    for (const LaneSum& lane : sums.lanes) {
        add_to(sums.messages, lane.messages);
        add_to(sums.bytes, lane.bytes);
        add_to(sums.collective_bytes, lane.collective_bytes);
    }
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

void add_lane(LaneSum& total, const LaneSum& more) {
    for (std::uint64_t LaneSum::*const sum :
         {&LaneSum::messages, &LaneSum::bytes, &LaneSum::collective_bytes, &LaneSum::served_messages,
          &LaneSum::served_bytes, &LaneSum::served_flat_bytes}) {
        add_to(total.*sum, more.*sum);
    }
    total.is_spanned |= more.is_spanned;
}

std::vector<int> spans_of(const TrafficSums& sums) {
    std::vector<int> spans;
    for (std::size_t lane = 0; lane < sums.lanes.size(); ++lane) {
        if (sums.lanes[lane].is_spanned) {
            spans.push_back(static_cast<int>(lane));
        }
    }
    return spans;
}

std::vector<CommunicatorSums> sum_up(const Profile& profile) {
    std::vector<CommunicatorSums> all(profile.communicators.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].lanes.resize(profile.lanes.size());
        for (const int lane : profile.communicators[i].spans) {
            all[i].lanes[static_cast<std::size_t>(lane)].is_spanned = true;
        }
    }
    std::vector<std::map<std::string, Call>> calls(all.size());
    for (const Traffic& traffic : profile.traffic) {
        const auto index = static_cast<std::size_t>(traffic.communicator);
        add(traffic, all[index], calls[index]);
        all[index].processes.push_back(&traffic);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        finish(all[i], calls[i]);
    }
    return all;
}

std::uint64_t Pair::bytes() const { return saturated_sum(peer->bytes, peer->fetched_bytes); }
std::uint64_t Pair::messages() const { return saturated_sum(peer->messages, peer->fetches); }

std::vector<Pair> heaviest_pairs(const CommunicatorSums& sums, std::size_t count) {
    std::vector<Pair> pairs;
    for (const Traffic* traffic : sums.processes) {
        for (const Peer& peer : traffic->peers) {
            pairs.push_back({traffic->rank, &peer});
        }
    }
    const auto end = pairs.begin() + static_cast<std::ptrdiff_t>(std::min(count, pairs.size()));
    std::partial_sort(pairs.begin(), end, pairs.end(), [](const Pair& a, const Pair& b) {
        return std::tuple(b.bytes(), b.messages(), a.rank, a.peer->rank) <
               std::tuple(a.bytes(), a.messages(), b.rank, b.peer->rank);
    });
    pairs.erase(end, pairs.end());
    return pairs;
}

TrafficSums whole_job(const Profile& profile, const std::vector<CommunicatorSums>& sums) {
    TrafficSums whole;
    whole.lanes.resize(profile.lanes.size());
    for (const CommunicatorSums& one : sums) {
        for (const auto sum : {&TrafficSums::calls, &TrafficSums::messages, &TrafficSums::call_bytes,
                               &TrafficSums::bytes, &TrafficSums::collective_bytes, &TrafficSums::ns}) {
            add_to(whole.*sum, one.*sum);
        }
        for (std::size_t lane = 0; lane < whole.lanes.size(); ++lane) {
            add_lane(whole.lanes[lane], one.lanes[lane]);
        }
    }
    return whole;
}

std::optional<double> share_in_mpi(const Profile& profile, const TrafficSums& whole) {
    const double run_ns = 1e9 * profile.seconds * static_cast<double>(profile.processes.size());
    return run_ns > 0 ? std::optional<double>(static_cast<double>(whole.ns) / run_ns) : std::nullopt;
}

std::string run_time_phrase(const Profile& profile) { return fmt::format("{:.4g} s", profile.seconds); }

std::string share_phrase(const Profile& profile, const TrafficSums& whole) {
    const std::optional<double> share = share_in_mpi(profile, whole);
    return fmt::format("{}: calls on registered communicators, {} of {} x {}",
                       share ? percent_text(*share) : "-", human_ns(whole.ns), profile.processes.size(),
                       run_time_phrase(profile));
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
