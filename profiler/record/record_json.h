// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Records as the document "profile" has them (docs/json.md): nlohmann finds these functions by their
// arguments. hitopo-profile reads them, with a message for each fault (profile.cc).
#ifndef PROFILER_RECORD_RECORD_JSON_H
#define PROFILER_RECORD_RECORD_JSON_H

#include <nlohmann/json.hpp>

#include "profiler/record/record.h"

namespace hitopo {

using Json = nlohmann::ordered_json;

inline void to_json(Json& json, const CallCount& call) {
    json = {call.name, call.count, call.bytes, call.ns};
}

inline void to_json(Json& json, const LaneCount& lane) {
    json = {lane.lane, lane.messages, lane.bytes, lane.collective_bytes};
}

inline void to_json(Json& json, const SizeCount& size) { json = {size.bits, size.messages, size.bytes}; }

inline void to_json(Json& json, const ServedCount& served) {
    json = {{"call", served.name},
            {"count", served.count},
            {"messages", served.messages},
            {"bytes", served.bytes},
            {"flat_bytes", served.flat_bytes}};
}

inline void to_json(Json& json, const TrafficRecord& traffic) {
    json = {{"id", traffic.kind},
            {"made", traffic.made},
            {"calls", traffic.calls},
            {"lanes", traffic.lanes},
            {"sizes", traffic.sizes}};
    if (!traffic.served.empty()) {
        json["served"] = traffic.served;
    }
}

inline void to_json(Json& json, const KindRecord& kind) {
    json = {
        {"key", kind.key}, {"name", kind.name}, {"size", kind.size}, {"remote_size", kind.remote_size}};
}

inline void to_json(Json& json, const PeerCount& peer) { json = {peer.rank, peer.messages, peer.bytes}; }

inline void to_json(Json& json, const OrderCount& order) {
    json = {{"call", order.call},
            {"size", order.size},
            {"count", order.count},
            {"candidate", order.candidate},
            {"is_weighted", order.is_weighted},
            {"is_applied", order.is_applied},
            {"levels", order.levels},
            {"before", order.before},
            {"after", order.after}};
}

inline void to_json(Json& json, const ProcessRecord& process) {
    json = {{"rank", process.rank},
            {"kinds", process.kinds},
            {"collective_bytes", process.collective_bytes}};
    if (process.allowed) {
        json["allowed"] = *process.allowed;
    }
    if (process.has_pairs) {
        json["pairs"] = process.pairs;
        json["unknown_pairs"] = {process.unknown.messages, process.unknown.bytes};
    }
    if (!process.orders.empty()) {
        json["orders"] = process.orders;
    }
    if (process.other_orders > 0) {
        json["other_orders"] = process.other_orders;
    }
}

}  // namespace hitopo

#endif
