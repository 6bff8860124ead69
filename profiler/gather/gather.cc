// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
//   parts = each: varints report and rank, and bytes behind the varint of their length
#include "profiler/gather/gather.h"

#include <algorithm>
#include <climits>
#include <unordered_set>
#include <utility>

#include "ompi/mca/hitopo/core/address/bytes.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {
namespace {

constexpr int kRoot = 0;

// Appends the message of `from`, or nothing.
void receive(PeerMessages& messages, int from, std::string& all) noexcept {
    const std::optional<std::string> bytes = messages.receive(from);
    if (bytes && *bytes != PeerMessages::kLost) {
        (void)has_done([&] { all += *bytes; });
    }
}

}  // namespace

std::string encode(const Parts& parts) {
    ByteWriter writer;
    for (const ProcessPart& part : parts) {
        writer.put_varint(static_cast<std::uint64_t>(part.report));
        writer.put_varint(static_cast<std::uint64_t>(part.rank));
        writer.put_short(part.bytes);
    }
    return writer.take();
}

std::optional<Parts> decode_parts(std::string_view bytes) {
    ByteReader reader(bytes);
    Parts parts;
    const auto get_int = [&] {
        const std::uint64_t number = reader.get_varint();
        if (number > INT_MAX) {
            reader.fail();
        }
        return static_cast<int>(number);
    };
    while (reader.num_left() > 0) {
        const int report = get_int();
        const int rank = get_int();
        parts.push_back({report, rank, std::string(reader.get_short())});
    }
    return reader.has_failed() ? std::nullopt : std::optional(std::move(parts));
}

GatherPlan gather_plan(int rank, int size, const std::function<std::int64_t(int)>& node_of) {
    const std::int64_t own = node_of(rank);
    GatherPlan plan;
    plan.leader = rank;
    std::unordered_set<std::int64_t> met;
    for (int other = 0; other < size; ++other) {
        const std::int64_t node = node_of(other);
        plan.hash = combine(plan.hash, static_cast<std::uint64_t>(node));
        if (other != rank && node >= 0 && node == own) {
            plan.leader = std::min(plan.leader, other);
            plan.members.push_back(other);
        } else if (rank == kRoot && other != kRoot && (node < 0 || met.insert(node).second)) {
            plan.leaders.push_back(other);
        }
    }
    if (plan.leader != rank) {
        plan.members.clear();
    }
    return plan;
}

void gather(PeerMessages& messages, int rank, int size, const GatherPlan& plan,
            const std::function<Parts()>& own, const Take& take) noexcept {
    std::string bytes;
    (void)has_done([&] { bytes = encode(own()); });
    for (const int member : plan.members) {
        receive(messages, member, bytes);
    }
    if (rank != kRoot) {
        (void)messages.send(plan.leader != rank ? plan.leader : kRoot, bytes);
        return;
    }
    for (std::size_t node = 0; node <= plan.leaders.size(); ++node) {
        const int end = node < plan.leaders.size() ? plan.leaders[node] : size;
        (void)has_done([&] { take(decode_parts(std::exchange(bytes, {})).value_or(Parts()), end); });
        if (end < size) {
            receive(messages, end, bytes);
        }
    }
}

}  // namespace hitopo
