// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/report/profile_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "ompi/tools/hitopo/json_member.h"
#include "ompi/tools/hitopo/report/profile_sums.h"

namespace hitopo::tool {
namespace {

constexpr int kMaxDepth = 32;  // the schema needs 7

Call read_call(const Json& call) {
    return {text_at(call, "call"), count_at(call, "count"), count_at(call, "bytes"),
            count_at(call, "ns")};
}

// What was taken out left an empty array behind.
void require_taken(const Json& object, const char* name) {
    if (!array_at(object, name).empty()) {
        throw std::invalid_argument(fmt::format("\"{}\" holds something of another type", name));
    }
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

std::optional<PeerSums> read_peer_sums(const Json& entry) {
    if (!entry.contains("peer_sums")) {
        return std::nullopt;
    }
    const Json& sums = entry["peer_sums"];
    return PeerSums{counts_at(sums, "messages"), counts_at(sums, "bytes"), counts_at(sums, "ns"),
                    counts_at(sums, "fetches"), counts_at(sums, "fetched_bytes")};
}

}  // namespace

bool ProfileParser::operator()(int depth, Json::parse_event_t event, Json& value) {
    if (depth > kMaxDepth) {
        throw std::invalid_argument("JSON of too many levels");
    }
    if (event == Json::parse_event_t::key) {
        note_key(depth, value);
        return true;
    }
    if (is_unused(depth, event)) {
        return false;
    }
    const bool is_end =
        event == Json::parse_event_t::object_end || event == Json::parse_event_t::array_end;
    return !is_end || !take(depth, value);
}

void ProfileParser::note_key(int depth, const Json& key) {
    if (depth <= kSteps[kProcess].depth) {
        is_in_pairs_ = depth == kSteps[kProcess].depth && key.get_ref<const std::string&>() == "pairs";
    }
    for (std::size_t i = 0; i < kNumSections; ++i) {
        if (depth == kSteps[i].depth) {
            inside_[i] = key.get_ref<const std::string&>() == kSteps[i].key;
        }
    }
}

bool ProfileParser::take(int depth, const Json& value) {
    if (is_pair(depth)) {
        take_pair(value);
    } else if (is_element(depth, kEntry)) {
        take_peer(value);
    } else if (is_element(depth, kProcess)) {
        take_entry(value);
    } else if (is_element(depth, kDocument)) {
        take_process(value);
    } else {
        return false;
    }
    return true;
}

// [rank, messages, bytes]
void ProfileParser::take_pair(const Json& pair) {
    if (!pair.is_array() || pair.size() < 3) {
        throw std::invalid_argument("a pair is an array of three numbers");
    }
    pairs_.push_back(
        {to_int(pair[0], "pairs", 0), to_count(pair[1], "messages"), to_count(pair[2], "bytes")});
}

// [peer, rank, lane, messages, bytes, ns, fetches, fetched_bytes]
void ProfileParser::take_peer(const Json& peer) {
    if (!peer.is_array() || peer.size() < 8) {
        throw std::invalid_argument("a peer is an array of eight numbers");
    }
    peers_.push_back({to_int(peer[0], "peer", 0), peer[1].is_null() ? -1 : to_int(peer[1], "rank", 0),
                      to_int(peer[2], "lane", 0), to_count(peer[3], "messages"),
                      to_count(peer[4], "bytes"), to_count(peer[5], "ns"), to_count(peer[6], "fetches"),
                      to_count(peer[7], "fetched_bytes")});
}

void ProfileParser::take_entry(const Json& entry) {
    inside_[kEntry] = false;
    if (use_ == ProfileUse::kReport) {
        require_taken(entry, "peers");
    }
    peers_.shrink_to_fit();
    traffic.push_back(
        {int_at(entry, "id", 0), int_at(entry, "rank", 0), list_at(entry, "calls", read_call),
         std::move(peers_), read_peer_sums(entry), counts_at(entry, "collective_bytes"),
         entry.contains("served") ? list_at(entry, "served", read_served) : std::vector<ServedCalls>()});
    peers_.clear();
}

void ProfileParser::take_pairs_of(const Json& process) {
    require_taken(process, "pairs");
    const Json& unknown = array_at(process, "unknown_pairs");
    if (unknown.size() != 2) {
        throw std::invalid_argument("\"unknown_pairs\" has not two numbers");
    }
    pairs_.shrink_to_fit();
    pairs.push_back({int_at(process, "rank", 0), std::move(pairs_),
                     to_count(unknown[1], "unknown_pairs"), count_at(process, "collective_bytes")});
    pairs_.clear();
}

void ProfileParser::take_orders_of(const Json& process) {
    append(orders, list_at(process, "orders", read_order));
    if (process.contains("other_orders")) {
        add_to(other_orders, count_at(process, "other_orders"));
    }
}

void ProfileParser::take_process(const Json& process) {
    inside_[kProcess] = false;
    is_in_pairs_ = false;
    require_taken(process, "communicators");
    if (process.contains("pairs")) {
        take_pairs_of(process);
    }
    if (process.contains("orders")) {
        take_orders_of(process);
    }
    const int rank = int_at(process, "rank", 0);
    if (!processes.empty() && rank <= processes.back().rank) {
        throw std::invalid_argument("the processes are not in the order of their ranks");
    }
    processes.push_back(
        {{rank, process.contains("allowed") ? optional_text_at(process, "allowed") : std::nullopt},
         traffic.size()});
}

std::string ProfileParser::place() const {
    if (!is_inside(kDocument)) {
        return "";
    }
    std::string place = fmt::format("processes[{}]", processes.size());
    if (is_inside(kProcess)) {
        const std::size_t first = processes.empty() ? 0 : processes.back().traffic_end;
        place += fmt::format(".communicators[{}]", traffic.size() - first);
    }
    if (is_inside(kEntry)) {
        place += fmt::format(".peers[{}]", peers_.size());
    }
    return place + ": ";
}

}  // namespace hitopo::tool
