// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/profile/profile_parser.h"

#include <fmt/format.h>

#include <stdexcept>

#include "ompi/tools/hitopo/json_member.h"
#include "profiler/tool/profile/profile_sums.h"

namespace hitopo::tool {
namespace {

constexpr int kMaxDepth = 32;  // the schema needs 7

// `row`, if it has so many entries or more; `what` is for the message.
const Json& row_of(const Json& row, std::size_t num_entries, const char* what) {
    if (!row.is_array() || row.size() < num_entries) {
        throw std::invalid_argument(fmt::format("{} is not an array of {} entries", what, num_entries));
    }
    return row;
}

// ["MPI_Send", count, bytes, ns]
Call read_call(const Json& json) {
    const Json& call = row_of(json, 4, "a call");
    if (!call[0].is_string()) {
        throw std::invalid_argument("a call has no name");
    }
    return {call[0].get<std::string>(), to_count(call[1], "count"), to_count(call[2], "bytes"),
            to_count(call[3], "ns")};
}

// [lane, messages, bytes, collective bytes]
LaneTraffic read_lane(const Json& json) {
    const Json& lane = row_of(json, 4, "a lane");
    return {to_int(lane[0], "lane", 0), to_count(lane[1], "messages"), to_count(lane[2], "bytes"),
            to_count(lane[3], "collective bytes")};
}

// [bits, messages, bytes]
SizeTraffic read_size(const Json& json) {
    const Json& size = row_of(json, 3, "a size");
    return {to_int(size[0], "bits", 0), to_count(size[1], "messages"), to_count(size[2], "bytes")};
}

std::vector<std::uint64_t> counts_at(const Json& object, const char* name) {
    std::vector<std::uint64_t> counts;
    for (const Json& value : array_at(object, name)) {
        counts.push_back(to_count(value, name));
    }
    return counts;
}

ServedCalls read_served(const Json& served) {
    return {text_at(served, "call"), count_at(served, "count"), counts_at(served, "messages"),
            counts_at(served, "bytes"), counts_at(served, "flat_bytes")};
}

ReportedOrder read_order(const Json& order) {
    ReportedOrder read = {
        text_at(order, "call"),      int_at(order, "size", 1),      count_at(order, "count"),
        text_at(order, "candidate"), bool_at(order, "is_weighted"), bool_at(order, "is_applied"),
        texts_at(order, "levels"),   counts_at(order, "before"),    counts_at(order, "after")};
    if (read.before.size() != read.levels.size() || read.after.size() != read.levels.size()) {
        throw std::invalid_argument("\"orders\" has not one number for each level");
    }
    return read;
}

// [rank, messages, bytes]
PairTraffic read_pair(const Json& json) {
    const Json& pair = row_of(json, 3, "a pair");
    return {to_int(pair[0], "rank", 0), to_count(pair[1], "messages"), to_count(pair[2], "bytes")};
}

Traffic read_traffic(const Json& json) {
    return {int_at(json, "id", 0),
            count_at(json, "made"),
            list_at(json, "calls", read_call),
            list_at(json, "lanes", read_lane),
            list_at(json, "sizes", read_size),
            json.contains("served") ? list_at(json, "served", read_served) : std::vector<ServedCalls>()};
}

}  // namespace

bool ProfileParser::operator()(int depth, Json::parse_event_t event, Json& value) {
    if (depth > kMaxDepth) {
        throw std::invalid_argument("JSON of too many levels");
    }
    if (event == Json::parse_event_t::key && depth == 1) {
        member_ = value.get<std::string>();
    }
    if (event == Json::parse_event_t::value && depth == 1 && member_ == "schema") {
        is_other_schema_ = value != kProfileSchema;
    }
    const bool is_end =
        event == Json::parse_event_t::object_end || event == Json::parse_event_t::array_end;
    if (!is_end || depth != 2 || member_ != "processes") {
        return true;
    }
    if (!is_other_schema_) {
        is_taking_ = true;
        take_process(value);
        is_taking_ = false;
    }
    return false;
}

void ProfileParser::take_process(const Json& json) {
    ProfiledProcess process;
    process.rank = int_at(json, "rank", 0);
    process.allowed = optional_text_at(json, "allowed");
    const Json& kinds = array_at(json, "kinds");
    for (kind_ = 0; *kind_ < kinds.size(); ++*kind_) {
        process.kinds.push_back(read_traffic(kinds[*kind_]));
    }
    kind_.reset();
    process.collective_bytes = count_at(json, "collective_bytes");
    if (json.contains("pairs")) {
        process.pairs = list_at(json, "pairs", read_pair);
        const Json& unknown = row_of(member(json, "unknown_pairs"), 2, "\"unknown_pairs\"");
        process.unknown = {-1, to_count(unknown[0], "messages"), to_count(unknown[1], "bytes")};
        ++num_with_pairs;
    }
    if (json.contains("orders")) {
        append(orders, list_at(json, "orders", read_order));
    }
    if (json.contains("other_orders")) {
        add_to(other_orders, count_at(json, "other_orders"));
    }
    if (!processes.empty() && process.rank <= processes.back().rank) {
        throw std::invalid_argument("the processes are not in the order of their ranks");
    }
    processes.push_back(std::move(process));
}

std::string ProfileParser::place() const {
    return !is_taking_ ? ""
                       : fmt::format("processes[{}]{}: ", processes.size(),
                                     kind_ ? fmt::format(".kinds[{}]", *kind_) : "");
}

}  // namespace hitopo::tool
