// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/profile/times.h"

#include <algorithm>
#include <map>
#include <utility>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo::tool {
namespace {

// Beginnings of names as plain_name() gives them; the first that fits counts.
constexpr std::pair<Group, std::string_view> kBeginnings[] = {
    {Group::kFiles, "file_"},
    {Group::kWaiting,
     "wait test request_get_status parrived buffer_ session_ comm_detach_buffer "
     "comm_flush_ comm_iflush_"},
    {Group::kProbing, "probe mprobe iprobe improbe"},
    {Group::kStarting, "start pready psend precv request_free"},
    {Group::kOneSided, "win_ put rput get rget accumulate raccumulate fetch_and_op compare_and_swap"},
    {Group::kMaking, "comm_ intercomm_ cart_ graph_ dist_graph_"},
};
constexpr std::string_view kMessages = "send bsend rsend ssend recv mrecv sendrecv sendrecv_replace";
constexpr std::string_view kCollectives =
    "allgather allreduce alltoall barrier bcast exscan gather neighbor_ reduce scan scatter";

bool begins_with_one(std::string_view name, std::string_view list) {
    const std::vector<std::string_view> all = split(list, ' ');
    return std::any_of(all.begin(), all.end(),
                       [&](std::string_view one) { return name.substr(0, one.size()) == one; });
}

bool is_message(std::string_view name) {
    const std::vector<std::string_view> all = split(kMessages, ' ');
    return std::find(all.begin(), all.end(), name) != all.end();
}

bool waits(const CallCount& call) {
    const Group group = group_of(call.name);
    return group == Group::kWaiting || group == Group::kProbing || group == Group::kBlocking ||
           group == Group::kCollectives;
}

template <class Time>
void sort_by_time(std::vector<Time>& times) {
    std::stable_sort(times.begin(), times.end(),
                     [](const Time& a, const Time& b) { return a.ns < b.ns; });
}

bool has_call_that_waits(const ProcessRecord& process) {
    return std::any_of(process.kinds.begin(), process.kinds.end(), [](const TrafficRecord& traffic) {
        return std::any_of(traffic.calls.begin(), traffic.calls.end(), waits);
    });
}

std::vector<PlaceTime> places(const Profile& profile, const std::vector<RankTime>& ranks, Level level) {
    std::map<int, PlaceTime> by_number;
    for (const RankTime& time : ranks) {
        const RankRow& row = profile.table->ranks[static_cast<std::size_t>(time.rank)];
        const int number = row.address[level];
        if (number >= 0) {
            PlaceTime& place = by_number[number];
            place.name = row.names[level].value_or(std::to_string(number));
            add_to(place.ns, time.ns);
            place.ranks.push_back(time.rank);
        }
    }
    std::vector<PlaceTime> places;
    for (auto& [number, place] : by_number) {
        place.ns /= place.ranks.size();
        places.push_back(std::move(place));
    }
    sort_by_time(places);
    return places;
}

}  // namespace

std::string plain_name(std::string_view function) {
    const bool is_mpi = function.substr(0, 4) == "MPI_";
    std::string name = in_lower_case(function.substr(is_mpi ? 4 : 0));
    for (const std::string_view end : {"_c", "_init"}) {
        if (name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0) {
            name.erase(name.size() - end.size());
        }
    }
    return name;
}

Group group_of(std::string_view function) {
    const std::string name = plain_name(function);
    const std::string behind_i = name.substr(name.substr(0, 1) == "i" ? 1 : 0);
    for (const auto& [group, beginnings] : kBeginnings) {
        if (begins_with_one(name, beginnings)) {
            return group;
        }
    }
    if (is_message(behind_i)) {
        return function.find("_init") != std::string_view::npos || !is_message(name) ? Group::kStarting
                                                                                     : Group::kBlocking;
    }
    return begins_with_one(behind_i, kCollectives) ? Group::kCollectives : Group::kOthers;
}

std::uint64_t run_ns(const Profile& profile) {
    constexpr double kMost = 0x1p63;
    return static_cast<std::uint64_t>(
        std::min(1e9 * profile.seconds * static_cast<double>(profile.processes.size()), kMost));
}

std::vector<CallCount> by_group(const TrafficSums& sums) {
    std::vector<CallCount> groups(kGroupNames.size());
    for (std::size_t i = 0; i < groups.size(); ++i) {
        groups[i].name = kGroupNames[i];
    }
    for (const CallCount& call : sums.by_call) {
        add_to(groups[static_cast<std::size_t>(group_of(call.name))], call);
    }
    groups.erase(std::remove_if(groups.begin(), groups.end(),
                                [](const CallCount& group) { return group.count == 0; }),
                 groups.end());
    std::stable_sort(groups.begin(), groups.end(),
                     [](const CallCount& a, const CallCount& b) { return a.ns > b.ns; });
    return groups;
}

std::uint64_t outside_ns(const Profile& profile, const TrafficSums& whole) {
    const std::uint64_t run = run_ns(profile);
    return run - std::min(run, whole.ns);
}

Waits who_waits(const Profile& profile, const ProfileSums& sums) {
    Waits waits;
    for (std::size_t i = 0; i < profile.processes.size(); ++i) {
        const ProcessRecord& process = profile.processes[i];
        waits.ranks.push_back({process.rank, sums.process_ns[i], has_call_that_waits(process)});
    }
    for (const auto& [level, list] :
         {std::pair(kNode, &waits.nodes), std::pair(kSwitch, &waits.switches)}) {
        if (profile.table && profile.table->levels[level].known != Known::kNone) {
            *list = places(profile, waits.ranks, level);
        }
    }
    sort_by_time(waits.ranks);
    return waits;
}

std::uint64_t median_ns(const std::vector<RankTime>& ranks) {
    const std::size_t middle = ranks.size() / 2;
    return ranks.empty() ? 0
           : ranks.size() % 2 == 1
               ? ranks[middle].ns
               : ranks[middle - 1].ns + (ranks[middle].ns - ranks[middle - 1].ns) / 2;
}

}  // namespace hitopo::tool
