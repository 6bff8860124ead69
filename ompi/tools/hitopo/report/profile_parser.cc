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

// [peer, rank, lane, messages, bytes, ns, fetches, fetched_bytes]
Peer read_peer(const Json& peer) {
    if (!peer.is_array() || peer.size() < 8) {
        throw std::invalid_argument("a peer is an array of eight numbers");
    }
    return {to_int(peer[0], "peer", 0),   peer[1].is_null() ? -1 : to_int(peer[1], "rank", 0),
            to_int(peer[2], "lane", 0),   to_count(peer[3], "messages"),
            to_count(peer[4], "bytes"),   to_count(peer[5], "ns"),
            to_count(peer[6], "fetches"), to_count(peer[7], "fetched_bytes")};
}

// [rank, messages, bytes]
PairTraffic read_pair(const Json& pair) {
    if (!pair.is_array() || pair.size() < 3) {
        throw std::invalid_argument("a pair is an array of three numbers");
    }
    return {to_int(pair[0], "pairs", 0), to_count(pair[1], "messages"), to_count(pair[2], "bytes")};
}

ProcessPairs read_pairs_of(const Json& process) {
    std::vector<PairTraffic> pairs = list_at(process, "pairs", read_pair);
    const Json& unknown = array_at(process, "unknown_pairs");
    if (unknown.size() != 2) {
        throw std::invalid_argument("\"unknown_pairs\" has not two numbers");
    }
    return {int_at(process, "rank", 0), std::move(pairs), to_count(unknown[1], "unknown_pairs"),
            count_at(process, "collective_bytes")};
}

}  // namespace

bool ProfileParser::operator()(int depth, Json::parse_event_t event, Json& value) {
    if (depth > kMaxDepth) {
        throw std::invalid_argument("JSON of too many levels");
    }
    if (event == Json::parse_event_t::key && depth == 1) {
        is_in_processes_ = value.get_ref<const std::string&>() == "processes";
    }
    const bool is_end =
        event == Json::parse_event_t::object_end || event == Json::parse_event_t::array_end;
    if (!is_end || depth != 2 || !is_in_processes_) {
        return true;
    }
    is_taking_ = true;
    take_process(value);
    is_taking_ = false;
    return false;
}

void ProfileParser::take_process(const Json& process) {
    const Json& entries = array_at(process, "communicators");
    for (entry_ = 0; *entry_ < entries.size(); ++*entry_) {
        take_entry(entries[*entry_]);
    }
    entry_.reset();
    if (process.contains("pairs")) {
        pairs.push_back(read_pairs_of(process));
    }
    if (process.contains("orders")) {
        append(orders, list_at(process, "orders", read_order));
    }
    if (process.contains("other_orders")) {
        add_to(other_orders, count_at(process, "other_orders"));
    }
    const int rank = int_at(process, "rank", 0);
    if (!processes.empty() && rank <= processes.back().rank) {
        throw std::invalid_argument("the processes are not in the order of their ranks");
    }
    processes.push_back(
        {{rank, process.contains("allowed") ? optional_text_at(process, "allowed") : std::nullopt},
         traffic.size()});
}

void ProfileParser::take_entry(const Json& entry) {
    std::vector<Peer> peers;
    if (use_ == ProfileUse::kReport) {
        const Json& all = array_at(entry, "peers");
        peers.reserve(all.size());
        for (peer_ = 0; *peer_ < all.size(); ++*peer_) {
            peers.push_back(read_peer(all[*peer_]));
        }
        peer_.reset();
    }
    traffic.push_back(
        {int_at(entry, "id", 0), int_at(entry, "rank", 0), list_at(entry, "calls", read_call),
         std::move(peers), read_peer_sums(entry), counts_at(entry, "collective_bytes"),
         entry.contains("served") ? list_at(entry, "served", read_served) : std::vector<ServedCalls>()});
}

std::string ProfileParser::place() const {
    return !is_taking_ ? ""
                       : fmt::format("processes[{}]", processes.size()) +
                             (entry_ ? fmt::format(".communicators[{}]", *entry_) : "") +
                             (peer_ ? fmt::format(".peers[{}]", *peer_) : "") + ": ";
}

}  // namespace hitopo::tool
