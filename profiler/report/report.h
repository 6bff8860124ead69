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

    // For each part (Part::to_json), in the order of ranks.
    void add(Json part);
    void finish();

    bool is_open() const { return file_.is_open(); }
    // What went wrong, and the remedy; "" where all went well.
    std::string complaint() const { return file_.complaint(); }
    const std::string& path() const { return path_; }
    // The part of the processes' time that they were in MPI, from 0 on; negative where nobody ran.
    double share_in_mpi() const;

private:
    void begin();
    // The kind's index in the document, of which its description is taken out.
    std::size_t take_id(Json& kind);

    const std::string path_;
    ReportFile file_;
    const PrivateWorld& world_;
    const int snapshot_;
    const std::string part_of_;
    std::unordered_map<std::string, std::size_t> ids_;  // of kinds, by key
    std::vector<Json> kinds_;
    std::uint64_t remarks_ = 0;
    std::uint64_t longest_ns_ = 0;
    double elapsed_ns_ = 0, ns_in_mpi_ = 0;  // of all processes
    bool has_begun_ = false;
};

}  // namespace hitopo::profile

#endif
