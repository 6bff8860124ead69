// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/profile/profile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ompi/tools/hitopo/place.h"
#include "ompi/tools/hitopo/words.h"

namespace hitopo::tool {

std::string job_phrase(const Profile& profile) {
    return profile.table ? fmt::format("{}", fmt::join(job_counts(*profile.table), ", "))
                         : counted(static_cast<std::size_t>(profile.size), "process");
}

std::string moment_phrase(const Profile& profile) {
    return !profile.part_of.empty()
               ? fmt::format("as {} of {} parts", profile.processes.size(), profile.size)
           : profile.snapshot > 0 ? fmt::format("as snapshot {}", profile.snapshot)
                                  : "at MPI_Finalize";
}

void mark_allowed(Profile& profile) {
    for (const ProfiledProcess& process : profile.processes) {
        if (profile.table && process.allowed) {
            profile.table->ranks[static_cast<std::size_t>(process.rank)].allowed = process.allowed;
        }
    }
}

std::string no_pairs_phrase(int max_peers) {
    return fmt::format(
        "not in this profile, since the job has more than {} processes: MCA variable "
        "hitopo_prof_max_peers, where -1 keeps them in any job",
        max_peers);
}

}  // namespace hitopo::tool
