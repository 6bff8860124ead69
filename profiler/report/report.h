// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The job's reports: one file for the end and one for each snapshot, document "profile" of docs/json.md,
// written by rank 0 as the parts of processes come in (profiler/gather/gather.h).
#ifndef PROFILER_REPORT_REPORT_H
#define PROFILER_REPORT_REPORT_H

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "profiler/gather/gather.h"
#include "profiler/report/part.h"
#include "profiler/report/private_world.h"
#include "profiler/report/report_file.h"
#include "profiler/report/report_path.h"

namespace hitopo::profile {

// parts: of this process's snapshots, in their order, and last that of the end; processes may have
// different numbers of them, and a report holds the parts that there are. origin: of the report at rank
// 0. duties: made while all were alive. What cannot be written costs one warning. Collective over those
// processes of MPI_COMM_WORLD that are alive, without parts, too.
void write_reports(PrivateWorld& world, const Duties& duties, const std::vector<Part>& parts,
                   const ReportOrigin& origin);

class ReportWriter {
public:
    // snapshot: 0 at the end. part_of: the job, where one process writes its part by itself, else "".
    // The world outlives this.
    ReportWriter(std::string path, const PrivateWorld& world, int snapshot, std::string part_of = "");

    // Takes what a part describes, before it or another part with these communicators is added.
    void describe(const ProcessPart& part);
    // For each part, in the order of ranks.
    void add(const ProcessPart& part);
    void finish();

    bool is_open() const { return file_.is_open(); }
    // What went wrong, and the remedy; "" where all went well.
    std::string complaint() const { return file_.complaint(); }

private:
    void begin();

    ReportFile file_;
    const PrivateWorld& world_;
    const int snapshot_;
    const std::string part_of_;
    std::unordered_map<std::uint64_t, std::size_t> ids_;  // of communicators, by key
    std::vector<std::string> communicators_;
    std::uint64_t remarks_ = 0;
    std::uint64_t elapsed_ns_ = 0;  // the longest
    bool has_begun_ = false;
};

}  // namespace hitopo::profile

#endif
