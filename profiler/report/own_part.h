// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The part that a process writes by itself, without the others (hitopo_prof_every): a job that is ended
// by its time limit has no MPI_Finalize. It is a document "profile" of that process alone, in a file
// RANK.json of a folder beside the report; `hitopo report FOLDER` puts these together.
#ifndef PROFILER_REPORT_OWN_PART_H
#define PROFILER_REPORT_OWN_PART_H

#include <climits>
#include <string>

#include "profiler/report/part.h"
#include "profiler/report/private_world.h"
#include "profiler/report/report_path.h"

namespace hitopo::profile {

class OwnPart {
public:
    // What rank 0's settings, folder and origin say stands for all. The world outlives this. Collective.
    OwnPart(const PrivateWorld& world, const ReportOrigin& origin);

    // The number of seconds between two parts; 0: it writes none.
    int every_s() const { return plan_.every_s; }

    // Replaces what was written before. What went wrong, and the remedy; "" where all went well. Local.
    std::string write(const Part& part);
    // What was written; and the folder, where it is empty then. Local.
    void remove();

private:
    // The same at all processes.
    struct Plan {
        int every_s;
        char folder[PATH_MAX];
        char job[256];
    };
    static Plan plan_of(const ReportOrigin& origin);
    std::string path() const {
        return std::string(plan_.folder) + '/' + std::to_string(world_.rank()) + ".json";
    }

    const PrivateWorld& world_;
    Plan plan_ = {};
    bool has_written_ = false;
};

}  // namespace hitopo::profile

#endif
