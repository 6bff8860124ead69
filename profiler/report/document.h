// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The parts of document "profile" (docs/json.md) that one process knows.
#ifndef PROFILER_REPORT_DOCUMENT_H
#define PROFILER_REPORT_DOCUMENT_H

#include <nlohmann/json.hpp>
#include <string>

#include "profiler/count/communicator.h"
#include "profiler/count/world.h"
#include "profiler/traffic/orders.h"
#include "profiler/traffic/pairs.h"

namespace hitopo::profile {

using Json = nlohmann::ordered_json;

// Names may hold any bytes, JSON may not.
std::string to_text(const Json& json);

// An entry of `communicators` without `id` and `spans`. Local.
Json describe(const CommunicatorPart& part);

// An entry of a process's `communicators`. wants_peers: each peer, and not their sums. Local.
Json describe_traffic(const CommunicatorPart& part, int id, const WorldTable& table, bool wants_peers);

// What a process has beside them where pairs are counted.
Json describe_pairs(const WorldPairs& pairs);

// What it has beside them where it was told of orders.
Json describe_orders(const Orders& orders);

// `spans` of an entry of `communicators`, from its `ranks`. Local.
Json describe_spans(const Json& ranks, const WorldTable& table);

}  // namespace hitopo::profile

#endif
