// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/report/whole_job.h"

#include <fmt/format.h>

#include "ompi/tools/hitopo/report/units.h"

namespace hitopo::tool {

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

std::string percent_text(double part) {
    return part > 0 && part < 0.01 ? "<1 %"
           : part > 9.99           ? ">999 %"
                                   : fmt::format("{:.0f} %", 100 * part);
}

}  // namespace hitopo::tool
