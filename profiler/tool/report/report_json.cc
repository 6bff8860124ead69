// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// For programs: `hitopo report --format json` (docs/json.md, "report"), and `--format csv`, a line for
// each kind of communicators and lane (docs/profiling.md). Its fields are quoted as RFC 4180 has it;
// lines end as texts do here.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "profiler/record/record_json.h"
#include "profiler/tool/profile/phrases.h"
#include "profiler/tool/report/report.h"

namespace hitopo::tool {
namespace {

constexpr std::size_t kMaxListedPairs = 100;

// One for each of `values`.
template <class T, class ToJson>
Json list_of(const std::vector<T>& values, ToJson to_json) {
    Json list = Json::array();
    for (const T& value : values) {
        list.push_back(to_json(value));
    }
    return list;
}

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

Json sizes_json(const TrafficSums& sums) {
    Json sizes = Json::array();
    for (std::size_t i = 0; i < kSizeNames.size(); ++i) {
        sizes.push_back({{"length", kSizeNames[i]},
                         {"messages", sums.sizes[i].messages},
                         {"bytes", sums.sizes[i].bytes}});
    }
    return sizes;
}

Json call_json(const FunctionSum& call) {
    return {{"call", call.name}, {"count", call.count},       {"bytes", call.bytes},
            {"ns", call.ns},     {"least_ns", call.least_ns}, {"most_ns", call.most_ns}};
}

// The members that the whole job and a kind have.
void add_sums(const Profile& profile, const TrafficSums& sums, Json& json) {
    json["num_calls"] = sums.calls;
    json["call_bytes"] = sums.call_bytes;
    json["ns"] = sums.ns;
    json["messages"] = sums.messages;
    json["bytes"] = sums.bytes;
    json["collective_bytes"] = sums.collective_bytes;
    json["lanes"] = lanes_json(profile, sums);
    json["sizes"] = sizes_json(sums);
    json["calls"] = list_of(sums.by_call, call_json);
    json["served"] = Json::array();
    for (const auto& [name, count] : sums.served) {
        json["served"].push_back({{"call", name}, {"count", count}});
    }
}

Json whole_json(const Report& report) {
    const Profile& profile = report.profile;
    const TrafficSums& whole = report.sums.whole;
    const std::uint64_t run = run_ns(profile);
    Json json = {{"seconds", profile.seconds},
                 {"share_in_mpi", run > 0 ? Json(share_of(whole.ns, run)) : Json()},
                 {"outside_ns", outside_ns(profile, whole)},
                 {"groups", list_of(by_group(whole), [](const CallCount& group) {
                      return Json{{"group", group.name},
                                  {"count", group.count},
                                  {"bytes", group.bytes},
                                  {"ns", group.ns}};
                  })}};
    add_sums(profile, whole, json);
    return json;
}

Json places_json(const std::vector<PlaceTime>& places) {
    return list_of(places, [](const PlaceTime& place) {
        return Json{{"name", place.name}, {"ns", place.ns}, {"ranks", place.ranks}};
    });
}

Json waits_json(const Report& report) {
    const Waits& waits = report.waits;
    return {{"median_ns", median_ns(waits.ranks)},
            {"ranks", list_of(waits.ranks,
                              [](const RankTime& time) {
                                  return Json{{"rank", time.rank}, {"ns", time.ns}};
                              })},
            {"nodes", places_json(waits.nodes)},
            {"switches", places_json(waits.switches)}};
}

Json pairs_json(const Profile& profile) {
    const RankLanes lanes(profile.table);
    return list_of(heaviest_pairs(profile, kMaxListedPairs).pairs, [&](const Pair& pair) {
        return Json{{"from", pair.from},
                    {"to", pair.to},
                    {"lane", lanes.between(pair.from, pair.to)},
                    {"messages", pair.messages},
                    {"bytes", pair.bytes}};
    });
}

Json kind_json(const Profile& profile, const KindSum& sums) {
    const KindRecord& kind = profile.kinds[sums.kind];
    Json json = {{"name", kind.name},
                 {"key", kind.key},
                 {"number", sums.number},
                 {"size", kind.size},
                 {"remote_size", kind.remote_size}};
    add_sums(profile, sums, json);
    return json;
}

Json next_json(const Next& next) {
    return {{"advice", list_of(next.advice,
                               [](const Advice& advice) {
                                   return Json{{"share", advice.share},
                                               {"text", advice.text},
                                               {"command", advice.command}};
                               })},
            {"sentences", next.sentences}};
}

// Safe text has no line ends.
std::string field(const Json& value) {
    std::string quoted;
    for (const char c :
         value.is_string() ? safe(value.get<std::string>(), Charset::kUtf8) : value.dump()) {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted.find_first_of(",\"") == std::string::npos ? quoted : '"' + quoted + '"';
}

}  // namespace

Json report_document(const Report& report) {
    const Profile& profile = report.profile;
    return {{"hitopo", profile.version},
            {"schema", kProfileSchema},
            {"document", "report"},
            {"job", job_phrase(profile)},
            {"size", profile.size},
            {"num_processes", profile.processes.size()},
            {"snapshot", profile.snapshot},
            {"lanes", profile.lanes},
            {"whole_job", whole_json(report)},
            {"waits", waits_json(report)},
            {"pairs", pairs_json(profile)},
            {"communicators",
             list_of(report.sums.kinds, [&](const KindSum& sums) { return kind_json(profile, sums); })},
            {"orders", merged_orders(profile)},
            {"other_orders", report.sums.other_orders},
            {"next", next_json(report.next)},
            {"warnings", profile.warnings}};
}

std::string format_report_json(const Report& report) { return pretty_json(report_document(report)); }

std::string format_report_csv(const Report& report) {
    std::string text =
        "communicators,number,size,remote_size,calls,call_bytes,ns,lane,messages,bytes,"
        "collective_bytes,served_messages,served_bytes,served_flat_bytes\n";
    for (const KindSum& sums : report.sums.kinds) {
        const Json kind = kind_json(report.profile, sums);
        for (const Json& lane : kind["lanes"]) {
            for (const char* member :
                 {"name", "number", "size", "remote_size", "num_calls", "call_bytes", "ns"}) {
                text += field(kind[member]) + ',';
            }
            for (const Json& value : lane) {
                text += field(value) + ',';
            }
            text.back() = '\n';
        }
    }
    return text;
}

}  // namespace hitopo::tool
