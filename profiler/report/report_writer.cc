// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/report/report_writer.h"

#include <cstdlib>
#include <memory>

#include "ompi/mca/hitopo/base/hitopo_base_api.h"
#include "ompi/mca/hitopo/core/address/lane.h"
#include "ompi/mca/hitopo/core/text/version.h"
#include "profiler/profile_glue.h"
#include "profiler/report/document.h"
#include "profiler/report/part.h"

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

}  // namespace

bool keeps_peers(int size) {
    const int most = hitopo_profile_settings()->max_peers;
    return most < 0 || size <= most;
}

void ReportWriter::add(const Root::Taken& part) {
    remarks_ |= part.head.remarks;
    for (const Json& communicator : Json::parse(part.descriptions)) {
        Json entry = {{"id", communicators_.size()}};
        entry.update(communicator);
        entry["spans"] = describe_spans(communicator["ranks"], table_);
        communicators_.push_back(to_text(entry));
    }
    if (has_begun_) {
        file_.write(",\n");
    } else {
        begin(part.head.elapsed_ns);
    }
    file_.write(part.traffic);
}

void ReportWriter::begin(std::uint64_t elapsed_ns) {
    const double seconds = static_cast<double>(elapsed_ns) * 1e-9;
    Json head = {{"hitopo", kHitopoVersion}, {"schema", kSchema},          {"document", "profile"},
                 {"size", kind_.size},       {"snapshot", kind_.snapshot}, {"seconds", seconds},
                 {"lanes", lane_names()}};
    if (!kind_.part_of.empty()) {
        head["part_of"] = kind_.part_of;
    }
    if (!keeps_peers(kind_.size)) {
        head["max_peers"] = hitopo_profile_settings()->max_peers;
    }
    std::string text = to_text(head);
    text.pop_back();
    file_.write(text + ",\n\"table\": " + (kind_.has_table ? table_or_null() : "null") +
                ",\n\"processes\": [\n");
    has_begun_ = true;
}

void ReportWriter::finish() {
    if (!has_begun_) {
        begin(0);  // whoever had a part is gone
    }
    file_.write("\n],\n\"communicators\": [");
    const char* separator = "\n";
    for (const std::string& communicator : communicators_) {
        file_.write(separator + communicator);
        separator = ",\n";
    }
    file_.write("\n],\n\"warnings\": " + to_text(warnings_of(remarks_)) + "}\n");
    file_.finish();
}

}  // namespace hitopo::profile
