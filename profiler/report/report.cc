// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/report/report.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "ompi/mca/hitopo/base/hitopo_base_api.h"
#include "ompi/mca/hitopo/core/address/lane.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/mca/hitopo/core/text/version.h"
#include "profiler/profile_glue.h"

namespace hitopo::profile {
namespace {

constexpr int kSchema = 2;

Json warnings_of(std::uint64_t remarks) {
    const hitopo_profile_settings_t& settings = *hitopo_profile_settings();
    const auto than = [](int limit, const char* variable) {
        return "there were more than " + std::to_string(limit) + ", which MCA variable " + variable +
               " can raise";
    };
    Json warnings = Json::array();
    for (const auto& [remark, warning] :
         {std::pair(kHasOtherKinds, "some kinds of communicators were counted together as (others): " +
                                        than(settings.max_kinds, "hitopo_prof_max_kinds")),
          std::pair(kLeftOutSnapshots, "some snapshots were not taken: " +
                                           than(settings.max_snapshots, "hitopo_prof_max_snapshots")),
          std::pair(kHasOtherTool,
                    std::string("some calls may not be counted: another tool stood before the profiler "
                                "(the job's output says which)"))}) {
        if ((remarks & remark) != 0) {
            warnings.push_back(warning);
        }
    }
    return warnings;
}

// Names may hold any bytes, JSON may not.
std::string to_text(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// One report.
class ReportWriter {
public:
    // snapshot: kEnd at the end. part_of: the job, where one process writes its part by itself, else "".
    ReportWriter(std::string path, const PrivateWorld& world, int snapshot,
                 const std::string& part_of = "")
        : file_(std::move(path)) {
        Json head = {{"hitopo", kHitopoVersion}, {"schema", kSchema},    {"document", "profile"},
                     {"size", world.size()},     {"snapshot", snapshot}, {"lanes", Json::array()}};
        for (std::size_t lane = 0; lane < kNumLanes; ++lane) {
            head["lanes"].push_back(lane_name(static_cast<Lane>(lane)));
        }
        if (!part_of.empty()) {
            head["part_of"] = part_of;
        }
        if (!world.keeps_peers()) {
            head["max_peers"] = world.max_peers();
        }
        // The table is the same at all, and as large as the job.
        const bool has_table = part_of.empty() || world.rank() == 0;
        std::string text = to_text(head);
        text.pop_back();
        file_.write(text + ",\n\"table\": " + (has_table ? table_or_null() : "null") +
                    ",\n\"processes\": [\n");
    }

    // For each part, in the order of ranks.
    void add(Json part) {
        const auto elapsed_ns = part["elapsed_ns"].get<std::uint64_t>();
        longest_ns_ = std::max(longest_ns_, elapsed_ns);
        elapsed_ns_ += static_cast<double>(elapsed_ns);
        ns_in_mpi_ += part["ns"].get<double>();
        remarks_ |= part["remarks"].get<std::uint64_t>();
        for (Json& traffic : part["process"]["kinds"]) {
            traffic["id"] = id_of(part["kinds"][traffic["id"].get<std::size_t>()]);
        }
        file_.write(separator_ + to_text(part["process"]));
        separator_ = ",\n";
    }

    void finish() {
        file_.write("\n],\n\"kinds\": [");
        const char* separator = "\n";
        for (const Json& kind : kinds_) {
            file_.write(separator + to_text(kind));
            separator = ",\n";
        }
        const Json tail = {{"seconds", static_cast<double>(longest_ns_) * 1e-9},
                           {"warnings", warnings_of(remarks_)}};
        file_.write("\n],\n" + to_text(tail).substr(1) + "\n");
        file_.finish();
    }

    bool is_open() const { return file_.is_open(); }
    // The fault, and the remedy; "" where all went well.
    std::string complaint() const { return file_.complaint(); }
    const std::string& path() const { return file_.path(); }
    // The part of the processes' time that they were in MPI, from 0 on; negative if none ran.
    double share_in_mpi() const { return elapsed_ns_ > 0 ? ns_in_mpi_ / elapsed_ns_ : -1; }

private:
    // The kind's index in the document.
    std::size_t id_of(const Json& kind) {
        const auto [entry, is_new] = ids_.emplace(kind["key"].get<std::string>(), kinds_.size());
        if (is_new) {
            kinds_.push_back({{"id", entry->second}});
            kinds_.back().update(kind);
        }
        return entry->second;
    }

    ReportFile file_;
    const char* separator_ = "";                        // before the next process
    std::unordered_map<std::string, std::size_t> ids_;  // of kinds, by key
    std::vector<Json> kinds_;
    std::uint64_t remarks_ = 0;
    std::uint64_t longest_ns_ = 0;
    double elapsed_ns_ = 0, ns_in_mpi_ = 0;  // of all processes
};

// All reports, at rank 0.
class JobReports {
public:
    JobReports(const PrivateWorld& world, const ReportOrigin& origin) : world_(world), origin_(origin) {}

    // No part of a rank below `end` is still to come. Where ranks go by node, parts of the first nodes
    // wait for the last one.
    void take(Parts&& parts, int end) {
        for (ProcessPart& part : parts) {
            const std::pair key(part.rank, part.report);
            waiting_.insert_or_assign(key, std::move(part));
        }
        while (!waiting_.empty() && waiting_.begin()->second.rank < end) {
            const auto first = waiting_.extract(waiting_.begin());
            of(first.mapped().report).add(Json::from_msgpack(first.mapped().bytes));
        }
    }

    void finish() {
        std::string complaint;
        const ReportWriter& end = of(kEnd);
        for (auto& [number, report] : reports_) {
            report.finish();
            complaint = complaint.empty() ? report.complaint() : complaint;
        }
        if (!complaint.empty()) {
            hitopo_profile_warn(safe(complaint, Charset::kAscii).c_str());
        } else if (end.share_in_mpi() >= 0) {
            std::fprintf(stderr, "HiTopo: %.0f %% of the time was in MPI. Where: hitopo report %s\n",
                         std::min(100.0, 100 * end.share_in_mpi()),
                         safe(end.path(), Charset::kAscii).c_str());
        }
    }

private:
    ReportWriter& of(int number) {
        const std::string path = report_path(hitopo_profile_settings()->report, number, origin_);
        return reports_.try_emplace(number, path, world_, number).first->second;
    }

    const PrivateWorld& world_;
    const ReportOrigin& origin_;
    std::map<int, ReportWriter> reports_;                 // by number
    std::map<std::pair<int, int>, ProcessPart> waiting_;  // by rank, and number of the report
};

// ---- the parts that processes write by themselves ----

// Makes a path absolute: the program may change its folder.
std::string absolute(const std::string& path) {
    char folder[PATH_MAX];
    return path[0] == '/' || getcwd(folder, sizeof folder) == nullptr ? path
                                                                      : std::string(folder) + '/' + path;
}

template <std::size_t kBytes>
bool copy(const std::string& text, char (&room)[kBytes]) {
    return std::snprintf(room, kBytes, "%s", text.c_str()) < static_cast<int>(kBytes);
}

}  // namespace

void write_reports(PrivateWorld& world, const GatherPlan& plan, const std::vector<Part>& parts,
                   const ReportOrigin& origin) {
    if (!world.wants_report()) {
        return;
    }
    const auto own = [&] {
        Parts own;
        for (const Part& part : parts) {
            const int report = &part == &parts.back() ? kEnd : static_cast<int>(own.size()) + 1;
            ProcessPart& mine = own.emplace_back(ProcessPart{report, world.rank()});
            Json::to_msgpack(Json(part), mine.bytes);
        }
        return own;
    };
    JobReports reports(world, origin);
    gather(world, world.rank(), world.size(), plan, own,
           [&](Parts&& received, int end) { reports.take(std::move(received), end); });
    if (world.rank() == 0) {
        reports.finish();
    }
}

std::string table_or_null() {
    const char* reason = "";
    const std::unique_ptr<char, void (*)(void*)> text(ompi_hitopo_describe_table(&reason), std::free);
    return text == nullptr ? "null" : text.get();
}

int make_folder(const char* path) {
    struct stat status = {};
    if (mkdir(path, 0777) != 0 && (errno != EEXIST || lstat(path, &status) != 0)) {  // less umask
        return errno;
    }
    return status.st_mode == 0 || (S_ISDIR(status.st_mode) && status.st_uid == geteuid()) ? 0 : EPERM;
}

std::string complaint_of_folder(const std::string& path) {
    const int error = make_folder(path.c_str());
    return error == 0 ? ""
                      : "cannot write " + path + ": " + std::strerror(error) +
                            " (MCA variable hitopo_prof_report names another file)";
}

OwnPart::OwnPart(const PrivateWorld& world, const ReportOrigin& origin) : world_(world) {
    const hitopo_profile_settings_t& settings = *hitopo_profile_settings();
    if (world.rank() == 0 && world.wants_report() && (settings.every_s != 0 || settings.watch_s != 0)) {
        (void)has_done([&] {
            const std::string folder = parts_folder(absolute(report_path(settings.report, 0, origin)));
            const std::string job = report_path("%t.%h.%j.%p", 0, origin);
            if (copy(folder, plan_.folder) && copy(job, plan_.job)) {
                plan_.every_s = settings.every_s;
                plan_.watch_s = settings.watch_s;
            }
        });
    }
    int is_on = plan_.every_s != 0 || plan_.watch_s != 0 ? 1 : 0;
    world.broadcast(&is_on, sizeof is_on);  // collective
    if (is_on != 0) {
        world.broadcast(&plan_, sizeof plan_);  // collective
    }
}

std::string OwnPart::write(const Part& part) {
    const std::string complaint = complaint_of_folder(plan_.folder);
    if (!complaint.empty()) {
        return complaint;
    }
    ReportWriter writer(path(), world_, kEnd, plan_.job);
    if (writer.is_open()) {
        has_written_ = true;
        writer.add(part);
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
