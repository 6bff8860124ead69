// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The job's reports: one file for the end and one for each snapshot, document "profile" of docs/json.md,
// written by rank 0 as the processes' parts come in, one after the other. So no process holds more than
// its own part, and rank 0 another's and the list of communicators.
#ifndef PROFILER_REPORT_REPORT_H
#define PROFILER_REPORT_REPORT_H

#include <string>
#include <vector>

#include "profiler/report/part.h"
#include "profiler/report/private_world.h"

namespace hitopo::profile {

// parts: of this process's snapshots, in their order, and last that of the end; processes may have
// different numbers of them, and a report holds the parts that there are. job: as the launcher calls it.
// A file that cannot be written costs one warning. Collective over those processes of MPI_COMM_WORLD
// that are alive.
void write_reports(const PrivateWorld& world, const std::vector<Part>& parts, const std::string& job);

}  // namespace hitopo::profile

#endif
