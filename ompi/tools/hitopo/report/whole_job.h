// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What comes first in a report: the whole job.
#ifndef OMPI_TOOLS_HITOPO_REPORT_WHOLE_JOB_H
#define OMPI_TOOLS_HITOPO_REPORT_WHOLE_JOB_H

#include <optional>
#include <string>
#include <vector>

#include "ompi/tools/hitopo/report/profile_sums.h"

namespace hitopo::tool {

// All communicators together: `sums` are sum_up(profile). A call is counted for one of them, however
// many its process is in.
TrafficSums whole_job(const Profile& profile, const std::vector<CommunicatorSums>& sums);

// `whole.ns` as a part of the time that all processes which took part ran: above 1 where several
// threads of a process call at the same time, empty where nobody ran.
std::optional<double> share_in_mpi(const Profile& profile, const TrafficSums& whole);

// "1.5 s".
std::string run_time_phrase(const Profile& profile);

// "45 %: calls on registered communicators, 2.73 s of 4 x 1.5 s".
std::string share_phrase(const Profile& profile, const TrafficSums& whole);

// "37 %", "<1 %", ">999 %".
std::string percent_text(double part);

}  // namespace hitopo::tool

#endif
