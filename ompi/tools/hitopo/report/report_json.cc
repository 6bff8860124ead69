// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// For programs: `hitopo report --format json` (docs/json.md, "report"), and `--format csv`, a line for
// each communicator and lane (docs/profiling.md). Its fields are quoted as RFC 4180 has it; lines end as
// texts do here.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/report/profile_sums.h"

namespace hitopo::tool {
namespace {

Json lanes_json(const Profile& profile, const TrafficSums& sums) {
    Json lanes = Json::array();
    for (std::size_t i = 0; i < sums.lanes.size(); ++i) {
        const LaneSum& lane = sums.lanes[i];
        lanes.push_back({{"lane", profile.lanes[i]},
                         {"messages", lane.messages},
                         {"bytes", lane.bytes},
                         {"collective_bytes", lane.collective_bytes},
                         {"served_messages", lane.served_messages},
                         {"served_bytes", lane.served_bytes},
                         {"served_flat_bytes", lane.served_flat_bytes}});
    }
    return lanes;
}

Json spans_json(const Profile& profile, const TrafficSums& sums) {
    Json spans = Json::array();
    for (const int lane : spans_of(sums)) {
        spans.push_back(profile.lanes[static_cast<std::size_t>(lane)]);
    }
    return spans;
}

// The members that the whole job and a communicator have.
void add_sums(const Profile& profile, const TrafficSums& sums, Json& json) {
    json["num_calls"] = sums.calls;
    json["call_bytes"] = sums.call_bytes;
    json["ns"] = sums.ns;
    json["messages"] = sums.messages;
    json["bytes"] = sums.bytes;
    json["collective_bytes"] = sums.collective_bytes;
    json["spans"] = spans_json(profile, sums);
    json["lanes"] = lanes_json(profile, sums);
}

Json communicator_json(const Profile& profile, const ProfiledCommunicator& communicator,
                       const CommunicatorSums& sums) {
    Json json = {{"name", communicator.name},
                 {"count", communicator.count()},
                 {"size", communicator.size},
                 {"remote_size", communicator.remote_size},
                 {"num_registered", communicator.num_registered},
                 {"num_freed", communicator.num_freed},
                 {"ids", communicator.ids}};
    add_sums(profile, sums, json);
    Json calls = Json::array(), served = Json::array();
    for (const Call& call : sums.by_call) {
        calls.push_back(
            {{"call", call.name}, {"count", call.count}, {"bytes", call.bytes}, {"ns", call.ns}});
    }
    for (const auto& [name, count] : sums.served) {
        served.push_back({{"call", name}, {"count", count}});
    }
    json["calls"] = std::move(calls);
    json["served"] = std::move(served);
    return json;
}

Json order_json(const ReportedOrder& order) {
    return {{"call", order.call},
            {"size", order.size},
            {"count", order.count},
            {"candidate", order.candidate},
            {"is_weighted", order.is_weighted},
            {"is_applied", order.is_applied},
            {"levels", order.levels},
            {"before", order.before},
            {"after", order.after}};
}

Json orders_json(const Profile& profile) {
    Json orders = Json::array();
    for (const ReportedOrder& order : merged_orders(profile)) {
        orders.push_back(order_json(order));
    }
    return orders;
}

Json whole_json(const Profile& profile, const std::vector<CommunicatorSums>& sums) {
    const TrafficSums whole = whole_job(profile, sums);
    const std::optional<double> share = share_in_mpi(profile, whole);
    Json json = {{"seconds", profile.seconds}, {"share_in_mpi", share ? Json(*share) : Json()}};
    add_sums(profile, whole, json);
    return json;
}

// Safe text has no line ends.
std::string field(const std::string& text) {
    std::string quoted;
    for (const char c : safe(text, Charset::kUtf8)) {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted.find_first_of(",\"") == std::string::npos ? quoted : '"' + quoted + '"';
}

}  // namespace

std::string format_report_json(const Profile& profile) {
    const std::vector<CommunicatorSums> sums = sum_up(profile);
    Json communicators = Json::array();
    for (std::size_t i = 0; i < sums.size(); ++i) {
        communicators.push_back(communicator_json(profile, profile.communicators[i], sums[i]));
    }
    return pretty_json({{"hitopo", profile.version},
                        {"schema", kSchema},
                        {"document", "report"},
                        {"job", job_phrase(profile)},
                        {"size", profile.size},
                        {"num_processes", profile.processes.size()},
                        {"snapshot", profile.snapshot},
                        {"lanes", profile.lanes},
                        {"whole_job", whole_json(profile, sums)},
                        {"communicators", std::move(communicators)},
                        {"orders", orders_json(profile)},
                        {"other_orders", profile.other_orders},
                        {"warnings", profile.warnings}});
}

std::string format_report_csv(const Profile& profile) {
    std::string text =
        "communicator,count,size,remote_size,lane,messages,bytes,collective_bytes,served_messages,"
        "served_bytes,served_flat_bytes\n";
    const std::vector<CommunicatorSums> sums = sum_up(profile);
    for (std::size_t id = 0; id < sums.size(); ++id) {
        const ProfiledCommunicator& one = profile.communicators[id];
        const std::string begin =
            fmt::format("{},{},{},{}", field(one.name), one.count(), one.size, one.remote_size);
        for (std::size_t i = 0; i < profile.lanes.size(); ++i) {
            const LaneSum& lane = sums[id].lanes[i];
            text += fmt::format("{},{},{},{},{},{},{},{}\n", begin, field(profile.lanes[i]),
                                lane.messages, lane.bytes, lane.collective_bytes, lane.served_messages,
                                lane.served_bytes, lane.served_flat_bytes);
        }
    }
    return text;
}

}  // namespace hitopo::tool
