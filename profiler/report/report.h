// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The job's reports: one file for the end and one for each snapshot, document "profile" of docs/json.md,
// written by rank 0 as the parts of processes come in (profiler/gather/root.h).
#ifndef PROFILER_REPORT_REPORT_H
#define PROFILER_REPORT_REPORT_H

#include <vector>

#include "profiler/gather/duties.h"
#include "profiler/report/part.h"
#include "profiler/report/private_world.h"
#include "profiler/report/report_path.h"

namespace hitopo::profile {

// parts: of this process's snapshots, in their order, and last that of the end; processes may have
// different numbers of them, and a report holds the parts that there are. origin: of the report at rank
// 0. duties: made while all were alive. A file that cannot be written costs one warning. Collective over
// those processes of MPI_COMM_WORLD that are alive, without parts, too.
void write_reports(PrivateWorld& world, const Duties& duties, const std::vector<Part>& parts,
                   const ReportOrigin& origin);

}  // namespace hitopo::profile

#endif
