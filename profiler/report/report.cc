// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/report/report.h"

#include <algorithm>
#include <cstdio>
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

constexpr int kSchema = 2;

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
    if ((remarks & kHasOtherKinds) != 0) {
        warnings.push_back(
            "some kinds of communicators were counted together as (others): there were "
            "more than " +
            std::to_string(settings.max_kinds) + ", which MCA variable hitopo_prof_max_kinds can raise");
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
                         100 * end.share_in_mpi(), safe(end.path(), Charset::kAscii).c_str());
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
    const auto own = [&] {
        Parts own;
        for (const Part& part : parts) {
            const int report = &part == &parts.back() ? kEnd : static_cast<int>(own.size()) + 1;
            ProcessPart& mine = own.emplace_back(ProcessPart{report, world.rank()});
            Json::to_msgpack(part.to_json(world.rank(), world.keeps_peers()), mine.bytes);
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
    : path_(std::move(path)),
      file_(path_),
      world_(world),
      snapshot_(snapshot),
      part_of_(std::move(part_of)) {}

std::size_t ReportWriter::take_id(Json& kind) {
    const auto [entry, is_new] = ids_.emplace(kind["key"].get<std::string>(), kinds_.size());
    if (is_new) {
        kinds_.push_back({{"id", entry->second}});
    }
    for (const char* member : {"key", "name", "size", "remote_size"}) {
        kinds_[entry->second].emplace(member, std::move(kind[member]));
        kind.erase(member);
    }
    return entry->second;
}

void ReportWriter::add(Json part) {
    const auto take = [&](Json& object, const char* member) {
        const auto number = object[member].get<std::uint64_t>();
        object.erase(member);
        return number;
    };
    const std::uint64_t elapsed_ns = take(part, "elapsed_ns");
    longest_ns_ = std::max(longest_ns_, elapsed_ns);
    elapsed_ns_ += static_cast<double>(elapsed_ns);
    ns_in_mpi_ += static_cast<double>(take(part, "ns"));
    remarks_ |= take(part, "remarks");
    for (Json& kind : part["kinds"]) {
        Json entry = {{"id", take_id(kind)}};
        entry.update(kind);
        kind = std::move(entry);
    }
    if (has_begun_) {
        file_.write(",\n");
    } else {
        begin();
    }
    file_.write(to_text(part));
}

double ReportWriter::share_in_mpi() const { return elapsed_ns_ > 0 ? ns_in_mpi_ / elapsed_ns_ : -1; }

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

}  // namespace hitopo::profile
