// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/report/own_part.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <numeric>
#include <vector>

#include "profiler/profile_glue.h"
#include "profiler/report/report_file.h"
#include "profiler/report/report_writer.h"

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

OwnPart::OwnPart(const PrivateWorld& world, const ReportOrigin& origin)
    : rank_(world.rank()), size_(world.size()) {
    if (rank_ == 0 && !has_done([&] { plan_ = plan_of(origin); })) {
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
    if (settings.every_s != 0 && settings.report != nullptr && *settings.report != '\0') {
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
    const WorldTable table;
    const bool wants_peers = keeps_peers(size_);
    const PartHead head = part.head(wants_peers);
    std::vector<std::int32_t> ids(head.num_keys);
    std::iota(ids.begin(), ids.end(), 0);
    const std::string descriptions = part.descriptions(std::vector<std::int32_t>(ids.size(), 1));
    const std::string traffic = part.traffic(rank_, ids, table, wants_peers);
    ReportFile file(path());
    if (file.is_open()) {
        has_written_ = true;
        // The table is the same at all, and as large as the job.
        ReportWriter writer(file, table, {0, size_, plan_.job, rank_ == 0});
        writer.add({head, descriptions, traffic});
        writer.finish();
    }
    return file.complaint();
}

void OwnPart::remove() {
    if (has_written_) {
        (void)unlink(path().c_str());
        (void)rmdir(plan_.folder);
    }
}

}  // namespace hitopo::profile
