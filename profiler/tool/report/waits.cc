// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/report/waits.h"

#include <algorithm>
#include <map>

namespace hitopo::tool {
namespace {

template <class Time>
void sort_by_time(std::vector<Time>& times) {
    std::stable_sort(times.begin(), times.end(),
                     [](const Time& a, const Time& b) { return a.ns < b.ns; });
}

bool has_call_that_waits(const ProfiledProcess& process) {
    return std::any_of(process.kinds.begin(), process.kinds.end(), [](const Traffic& traffic) {
        return std::any_of(traffic.calls.begin(), traffic.calls.end(),
                           [](const Call& call) { return is_waiting(group_of(call.name)); });
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

Waits who_waits(const Profile& profile, const ProfileSums& sums) {
    Waits waits;
    for (std::size_t i = 0; i < profile.processes.size(); ++i) {
        const ProfiledProcess& process = profile.processes[i];
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

std::string node_of(const Profile& profile, int rank) {
    return profile.table ? profile.table->ranks[static_cast<std::size_t>(rank)].names[kNode].value_or("")
                         : "";
}

}  // namespace hitopo::tool
