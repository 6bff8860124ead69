// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The job's reports, documents "profile" of docs/json.md: one file for the end and one for each
// snapshot, written by rank 0 as the parts of processes come in (profiler/gather/gather.h); and parts
// that processes write by themselves.
#ifndef PROFILER_REPORT_REPORT_H
#define PROFILER_REPORT_REPORT_H

#include <climits>
#include <cstdint>
#include <string>
#include <vector>

#include "profiler/gather/gather.h"
#include "profiler/record/record_json.h"
#include "profiler/report/private_world.h"
#include "profiler/report/report_file.h"

namespace hitopo::profile {

// ---- report/part.cc ----

// Remarks on a part for the report's reader: bits.
inline constexpr std::uint64_t kHasOtherKinds = 1;
inline constexpr std::uint64_t kLeftOutSnapshots = 2;
inline constexpr std::uint64_t kHasOtherTool = 4;

struct Part {
    std::uint64_t elapsed_ns = 0;
    std::uint64_t ns = 0;  // in MPI
    std::uint64_t remarks = 0;
    std::vector<KindRecord> kinds;  // TrafficRecord::kind is an index into these
    ProcessRecord process;
};

// The part as of this moment. rank: this process's in MPI_COMM_WORLD. has_pairs: by process, and not
// only by lane. remarks: beside kHasOtherKinds. Local; thread safe.
Part part_of_now(int rank, bool has_pairs, std::uint64_t remarks);

inline void to_json(Json& json, const Part& part) {
    json = {{"elapsed_ns", part.elapsed_ns},
            {"ns", part.ns},
            {"remarks", part.remarks},
            {"kinds", part.kinds},
            {"process", part.process}};
}

// ---- report/report.cc ----

// parts: of this process's snapshots, in their order, and last that of the end; processes may have
// different numbers of them, and a report holds the parts that there are. origin: of the report at rank
// 0. plan: made while all were alive. A report that cannot be written costs one warning. Collective
// over those processes of MPI_COMM_WORLD that are alive, without parts, too.
void write_reports(PrivateWorld& world, const GatherPlan& plan, const std::vector<Part>& parts,
                   const ReportOrigin& origin);

// 0, or errno's value. A folder of another user, or a link, is an error. Safe in signal handlers.
int make_folder(const char* path);
// Makes it. Returns the fault and the remedy; "" if all went well.
std::string complaint_of_folder(const std::string& path);

// The job's table, as docs/json.md has it; "null": there is none. Local.
std::string table_or_null();

// The part that a process writes by itself, without the others (hitopo_prof_every): a job that is ended
// by its time limit has no MPI_Finalize. It is a document "profile" of that process alone, in a file
// RANK.json of a folder beside the report; `hitopo report FOLDER` puts these together.
class OwnPart {
public:
    // Rank 0's settings, folder and origin stand for all. The world outlives this. Collective.
    OwnPart(const PrivateWorld& world, const ReportOrigin& origin);

    // The number of seconds between two parts; 0: it writes none.
    int every_s() const { return plan_.every_s; }
    // The same of the watch (profiler/watch), whose files lie in this folder, too.
    int watch_s() const { return plan_.watch_s; }
    const char* folder() const { return plan_.folder; }
    const char* job() const { return plan_.job; }

    // Replaces the part written before. Returns the fault and the remedy; "" if all went well. Local.
    std::string write(const Part& part);
    // Removes the part; and the folder, if it is empty then. Local.
    void remove();

private:
    std::string path() const {
        return std::string(plan_.folder) + '/' + std::to_string(world_.rank()) + ".json";
    }

    const PrivateWorld& world_;
    // The same at all processes.
    struct Plan {
        int every_s, watch_s;
        char folder[PATH_MAX];
        char job[256];
    } plan_ = {};
    bool has_written_ = false;
};

}  // namespace hitopo::profile

#endif
