// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/attendance.h"

#include <cstdint>
#include <string>

#include "ompi/mca/hitopo/base/hitopo_base_glue.h"
#include "ompi/mca/hitopo/core/guard.h"
#include "ompi/mca/hitopo/core/roll_call.h"

namespace hitopo {
namespace {

// The same answer at all that are here. Collective among those.
bool is_anyone_missing(int rank, int size, bool (*is_present)(int)) {
    RollCall call(rank, size);
    while (!call.is_over()) {
        const bool is_to_here = is_present(call.to());
        const bool is_from_here = is_present(call.from());
        std::int32_t do_they_miss = 0;
        const int status = hitopo_glue_pass_on(hitopo_glue_world(), is_to_here ? call.to() : -1,
                                               call.is_anyone_missing() ? 1 : 0,
                                               is_from_here ? call.from() : -1, &do_they_miss);
        call.end_round(!is_to_here || !is_from_here || do_they_miss != 0 || status != kSuccess);
    }
    return call.is_anyone_missing();
}

// The lowest rank that is or is not here; -1 if there is none.
int first_rank(int size, bool is_here, bool (*is_present)(int)) {
    for (int rank = 0; rank < size; ++rank) {
        if (is_present(rank) == is_here) {
            return rank;
        }
    }
    return -1;
}

}  // namespace

Attendance take_attendance(const Invitation& invitation) {
    const int rank = hitopo_glue_job_rank();
    const int size = hitopo_glue_job_size();
    if (size == 1) {
        return Attendance::kAll;
    }
    if (!hitopo_glue_can_tell()) {
        if (rank == 0) {
            hitopo_glue_help("base", invitation.cannot_tell, "", "", "");
        }
        return Attendance::kCannotTell;
    }
    if (!is_anyone_missing(rank, size, invitation.is_present)) {
        return Attendance::kAll;
    }
    if (rank == first_rank(size, true, invitation.is_present)) {
        const int missing = first_rank(size, false, invitation.is_present);
        hitopo_glue_help("base", invitation.mixed, std::to_string(missing).c_str(),
                         std::to_string(rank).c_str(), "");
    }
    return Attendance::kSome;
}

}  // namespace hitopo
