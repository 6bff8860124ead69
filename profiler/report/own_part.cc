// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/report/own_part.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "profiler/profile_glue.h"
#include "profiler/report/report.h"

namespace hitopo::profile {
namespace {

// The program may go elsewhere.
std::string absolute(const std::string& path) {
    char folder[PATH_MAX];
    return path[0] == '/' || getcwd(folder, sizeof folder) == nullptr ? path
                                                                      : std::string(folder) + '/' + path;
}

bool copy(const std::string& text, char* room, std::size_t num_bytes) {
    const bool fits = text.size() < num_bytes;
    std::memcpy(room, text.c_str(), fits ? text.size() + 1 : 0);
    return fits;
}

// 0, or errno's value. A folder that somebody else made, or a link, is none of ours.
int make_folder(const char* path) {
    struct stat status = {};
    if (mkdir(path, 0777) != 0 && (errno != EEXIST || lstat(path, &status) != 0)) {  // less umask
        return errno;
    }
    return status.st_mode == 0 || (S_ISDIR(status.st_mode) && status.st_uid == geteuid()) ? 0 : EPERM;
}

}  // namespace

OwnPart::OwnPart(const PrivateWorld& world, const ReportOrigin& origin) : world_(world) {
    if (world.rank() == 0 && world.wants_report() && !has_done([&] { plan_ = plan_of(origin); })) {
        plan_.every_s = 0;
    }
    world.broadcast(&plan_.every_s, sizeof plan_.every_s);  // collective
    if (plan_.every_s != 0) {
        world.broadcast(&plan_, sizeof plan_);  // collective
    }
}

OwnPart::Plan OwnPart::plan_of(const ReportOrigin& origin) {
    const hitopo_profile_settings_t& settings = *hitopo_profile_settings();
    Plan plan = {};
    if (settings.every_s != 0) {
        const std::string folder = parts_folder(absolute(report_path(settings.report, 0, origin)));
        const std::string job = report_path("%t.%h.%j.%p", 0, origin);
        const bool fits =
            copy(folder, plan.folder, sizeof plan.folder) && copy(job, plan.job, sizeof plan.job);
        plan.every_s = fits ? settings.every_s : 0;
    }
    return plan;
}

std::string OwnPart::write(const Part& part) {
    if (const int error = make_folder(plan_.folder)) {
        return std::string("cannot write ") + plan_.folder + ": " + std::strerror(error) +
               " (MCA variable hitopo_prof_report names another file)";
    }
    ReportWriter writer(path(), world_, kEnd, plan_.job);
    if (writer.is_open()) {
        has_written_ = true;
        writer.add(part.to_json(world_.rank(), world_.keeps_peers()));
        writer.finish();
    }
    return writer.complaint();
}

void OwnPart::remove() {
    if (has_written_) {
        (void)unlink(path().c_str());
        (void)rmdir(plan_.folder);
    }
}

}  // namespace hitopo::profile
