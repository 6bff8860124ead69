// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Whether all processes of the job are here: run HiTopo, or its profiler.
#ifndef OMPI_MCA_HITOPO_BASE_ATTENDANCE_H
#define OMPI_MCA_HITOPO_BASE_ATTENDANCE_H

namespace hitopo {

enum class Attendance {
    kAll,
    kSome,
    kCannotTell,  // no PMIx server to ask
};

// Who is asked for, and the topics of help-hitopo-base.txt for those that miss somebody: `mixed` gets
// the lowest rank that is missing and the lowest that is here.
struct Invitation {
    bool (*is_present)(int rank);  // the same answer at all processes
    const char* mixed;
    const char* cannot_tell;
};

// After MPI_Init's fence. Where not all are here, one process tells the user. The same answer at all
// that are here. Collective among those.
Attendance take_attendance(const Invitation& invitation);

}  // namespace hitopo

#endif
