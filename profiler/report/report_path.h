// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Where the profiler writes.
#ifndef PROFILER_REPORT_REPORT_PATH_H
#define PROFILER_REPORT_REPORT_PATH_H

#include <ctime>
#include <string>
#include <string_view>

namespace hitopo {

// Names the job that a report is of, by its rank 0: of one process id there can be several, in
// containers, and of one host name.
struct ReportOrigin {
    std::string host;
    std::string job;  // as the launcher calls it
    long process;
    std::time_t start;
    bool is_spawned = false;  // and has the pattern of the job that spawned it
};

// Where a report goes. In the pattern %t is the start as 20261126T100702, in UTC, so that names sort by
// time; %h is the host, %j the job, %p the process id, %% one %, and any other % itself. Host and job
// are cut to their last 64 bytes, and letters, digits and ._@+- stand for themselves, anything else for
// _. Before the name's last dot stand the job, where it is spawned and the pattern has neither %j nor
// %p, and a snapshot's number: a.b/profile.json and 2 give a.b/profile.2.json.
std::string report_path(std::string_view pattern, int snapshot, const ReportOrigin& origin);

// Beside it, the folder of the parts that processes write by themselves: a.b/profile.json gives
// a.b/profile.parts.
std::string parts_folder(std::string report);

}  // namespace hitopo

#endif
