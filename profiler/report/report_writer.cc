// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/report/report_writer.h"

#include <cstdlib>
#include <memory>

#include "ompi/mca/hitopo/base/hitopo_describe.h"
#include "ompi/mca/hitopo/core/text/version.h"
#include "profiler/profile_glue.h"
#include "profiler/report/document.h"
#include "profiler/traffic/lane.h"

namespace hitopo::profile {
namespace {

constexpr int kSchema = 1;
constexpr std::size_t kElapsed = 0, kRemarks = 1, kFirstKey = 2;  // of a head

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

std::vector<std::uint64_t> head_of(const Part& part) {
    std::vector<std::uint64_t> head = {part.elapsed_ns(), part.remarks()};
    const std::vector<std::uint64_t> keys = part.keys();
    head.insert(head.end(), keys.begin(), keys.end());
    return head;
}

NumberedKeys ReportWriter::number(const std::vector<std::uint64_t>& head) {
    NumberedKeys numbered;
    remarks_ |= head[kRemarks];
    seconds_ = static_cast<double>(head[kElapsed]) * 1e-9;
    new_keys_.clear();
    for (std::size_t i = kFirstKey; i < head.size(); ++i) {
        const auto [entry, is_first] = ids_.emplace(head[i], static_cast<std::int32_t>(ids_.size()));
        numbered.ids.push_back(entry->second);
        numbered.is_new.push_back(is_first ? 1 : 0);
        if (is_first) {
            new_keys_.push_back(head[i]);
        }
    }
    return numbered;
}

void ReportWriter::take_back() {
    for (const std::uint64_t key : new_keys_) {
        ids_.erase(key);
    }
}

void ReportWriter::add(const std::string& descriptions, const std::string& traffic) {
    for (const Json& communicator : Json::parse(descriptions)) {
        Json entry = {{"id", communicators_.size()}};
        entry.update(communicator);
        entry["spans"] = describe_spans(communicator["ranks"], table_);
        communicators_.push_back(to_text(entry));
    }
    if (has_begun_) {
        file_.write(",\n");
    } else {
        begin(seconds_);
    }
    file_.write(traffic);
}

void ReportWriter::begin(double seconds) {
    const Json head = {
        {"hitopo", kHitopoVersion}, {"schema", kSchema},  {"document", "profile"}, {"size", size_},
        {"snapshot", snapshot_},    {"seconds", seconds}, {"lanes", lane_names()}};
    std::string text = to_text(head);
    text.pop_back();
    file_.write(text + ",\n\"table\": " + table_or_null() + ",\n\"processes\": [\n");
    has_begun_ = true;
}

void ReportWriter::finish() {
    if (!has_begun_) {
        begin(seconds_);  // whoever had a part is gone
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
