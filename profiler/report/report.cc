// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/report/report.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <utility>

#include "ompi/mca/hitopo/base/hitopo_base_api.h"
#include "ompi/mca/hitopo/core/address/lane.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/mca/hitopo/core/text/version.h"
#include "profiler/profile_glue.h"

namespace hitopo::profile {
namespace {

constexpr int kSchema = 1;

std::string table_or_null() {
    const char* reason = "";
    const std::unique_ptr<char, void (*)(void*)> text(ompi_hitopo_describe_table(&reason), std::free);
    return text == nullptr ? "null" : text.get();
}

Json lane_names() {
    Json lanes = Json::array();
    for (std::size_t lane = 0; lane < kNumLanes; ++lane) {
        lanes.push_back(lane_name(static_cast<Lane>(lane)));
    }
    return lanes;
}

Json warnings_of(std::uint64_t remarks) {
    const hitopo_profile_settings_t& settings = *hitopo_profile_settings();
    Json warnings = Json::array();
    if ((remarks & kLeftOutCommunicators) != 0) {
        warnings.push_back("some registered communicators were not counted: there were more than " +
                           std::to_string(settings.max_communicators) +
                           ", which MCA variable hitopo_prof_max_communicators can raise");
    }
    if ((remarks & kLeftOutSnapshots) != 0) {
        warnings.push_back("some snapshots were not taken: there were more than " +
                           std::to_string(settings.max_snapshots) +
                           ", which MCA variable hitopo_prof_max_snapshots can raise");
    }
    if ((remarks & kHasOtherTool) != 0) {
        warnings.push_back(
            "some calls may not be counted: another tool stood before the profiler (the job's output "
            "says "
            "which)");
    }
    return warnings;
}

// `object`, whose first members `begin` holds: "{..".
std::string joined(const std::string& begin, const std::string& object) {
    return object == "{}" ? begin + '}' : begin + ',' + object.substr(1);
}

// All reports, at rank 0.
class JobReports {
public:
    JobReports(const PrivateWorld& world, const ReportOrigin& origin) : world_(world), origin_(origin) {}

    // No part of a rank below `end` is still to come. Where ranks go by node, parts of the first nodes
    // wait for the last one.
    void take(Parts&& parts, int end) {
        for (ProcessPart& part : parts) {
            of(part.report).describe(part);
            const std::pair key(part.rank, part.report);
            waiting_.insert_or_assign(key, std::move(part));
        }
        while (!waiting_.empty() && waiting_.begin()->second.rank < end) {
            const auto first = waiting_.extract(waiting_.begin());
            of(first.mapped().report).add(first.mapped());
        }
    }

    void finish() {
        std::string complaint;
        (void)of(kEnd);
        for (auto& [number, report] : reports_) {
            report.finish();
            complaint = complaint.empty() ? report.complaint() : complaint;
        }
        if (!complaint.empty()) {
            hitopo_profile_warn(safe(complaint, Charset::kAscii).c_str());
        }
    }

private:
    ReportWriter& of(int number) {
        const auto found = reports_.find(number);
        return found != reports_.end()
                   ? found->second
                   : reports_
                         .try_emplace(number,
                                      report_path(hitopo_profile_settings()->report, number, origin_),
                                      world_, number)
                         .first->second;
    }

    const PrivateWorld& world_;
    const ReportOrigin& origin_;
    std::map<int, ReportWriter> reports_;                 // by number
    std::map<std::pair<int, int>, ProcessPart> waiting_;  // by rank, and number of the report
};

}  // namespace

void write_reports(PrivateWorld& world, const Duties& duties, const std::vector<Part>& parts,
                   const ReportOrigin& origin) {
    if (!world.wants_report()) {
        return;
    }
    const WorldTable table;
    const auto own = [&] {
        Parts own;
        for (const Part& part : parts) {
            const int report = &part == &parts.back() ? kEnd : static_cast<int>(own.size()) + 1;
            own.push_back(part.of_report(report, world.rank(), table, world.keeps_peers()));
        }
        return own;
    };
    JobReports reports(world, origin);
    gather(world, world.rank(), world.size(), duties, own,
           [&](Parts&& told, int end) { reports.take(std::move(told), end); });
    if (world.rank() == 0) {
        reports.finish();
    }
}

ReportWriter::ReportWriter(std::string path, const PrivateWorld& world, int snapshot,
                           std::string part_of)
    : file_(std::move(path)), world_(world), snapshot_(snapshot), part_of_(std::move(part_of)) {}

void ReportWriter::describe(const ProcessPart& part) {
    for (const ProcessPart::Entry& entry : part.entries) {
        if (entry.describe && ids_.count(entry.key) == 0) {
            const std::string id = std::to_string(communicators_.size());
            communicators_.push_back(joined("{\"id\":" + id, entry.describe()));
            ids_.emplace(entry.key, communicators_.size() - 1);
        }
    }
}

void ReportWriter::add(const ProcessPart& part) {
    std::string text = "{\"rank\":" + std::to_string(part.rank) + ",\"communicators\":[";
    const char* separator = "";
    for (const ProcessPart::Entry& entry : part.entries) {
        const auto id = ids_.find(entry.key);
        if (id != ids_.end()) {  // else memory was lacking
            text += separator + joined("{\"id\":" + std::to_string(id->second), entry.traffic);
            separator = ",";
        }
    }
    remarks_ |= part.remarks;
    elapsed_ns_ = std::max(elapsed_ns_, part.elapsed_ns);
    if (has_begun_) {
        file_.write(",\n");
    } else {
        begin();
    }
    file_.write(joined(text + ']', part.members));
}

void ReportWriter::begin() {
    Json head = {{"hitopo", kHitopoVersion}, {"schema", kSchema},     {"document", "profile"},
                 {"size", world_.size()},    {"snapshot", snapshot_}, {"lanes", lane_names()}};
    if (!part_of_.empty()) {
        head["part_of"] = part_of_;
    }
    if (!world_.keeps_peers()) {
        head["max_peers"] = world_.max_peers();
    }
    // The table is the same at all, and as large as the job.
    const bool has_table = part_of_.empty() || world_.rank() == 0;
    std::string text = to_text(head);
    text.pop_back();
    file_.write(text + ",\n\"table\": " + (has_table ? table_or_null() : "null") +
                ",\n\"processes\": [\n");
    has_begun_ = true;
}

void ReportWriter::finish() {
    if (!has_begun_) {
        begin();  // whoever had a part is gone
    }
    file_.write("\n],\n\"communicators\": [");
    const char* separator = "\n";
    for (const std::string& communicator : communicators_) {
        file_.write(separator + communicator);
        separator = ",\n";
    }
    const Json tail = {{"seconds", static_cast<double>(elapsed_ns_) * 1e-9},
                       {"warnings", warnings_of(remarks_)}};
    file_.write("\n],\n" + to_text(tail).substr(1) + "\n");
    file_.finish();
}

}  // namespace hitopo::profile
