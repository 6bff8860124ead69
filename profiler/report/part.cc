// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/report/part.h"

#include <algorithm>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/support/own_cgroup.h"
#include "profiler/count/communicators.h"
#include "profiler/job.h"

namespace hitopo::profile {
namespace {

// Times of short calls are samples, and their sums right on average: one thread's are no longer than all
// of its time.
void bound_times(std::vector<CommunicatorPart>& communicators, std::uint64_t elapsed_ns) {
    std::uint64_t ticks = 0;
    for (const CommunicatorPart& part : communicators) {
        for (const CommunicatorPart::Call& call : part.calls) {
            ticks += call.count.ticks;
        }
    }
    const double share = static_cast<double>(elapsed_ns) / static_cast<double>(ns_of(ticks));
    const auto bound = [share](std::uint64_t& time) {
        time = share < 1 ? static_cast<std::uint64_t>(share * static_cast<double>(time)) : time;
    };
    for (CommunicatorPart& part : communicators) {
        std::for_each(part.calls.begin(), part.calls.end(),
                      [&](auto& call) { bound(call.count.ticks); });
        std::for_each(part.peers.begin(), part.peers.end(), [&](auto& peer) { bound(peer.ticks); });
    }
}

Json rank_or_null(int rank) { return rank == MPI_UNDEFINED ? Json() : Json(rank); }

Json describe_calls(const std::vector<CommunicatorPart::Call>& calls) {
    Json list = Json::array();
    for (const auto& [function, count] : calls) {
        list.push_back({{"call", kFunctionNames[function]},
                        {"count", count.count},
                        {"bytes", count.bytes},
                        {"ns", ns_of(count.ticks)}});
    }
    return list;
}

std::vector<int> world_ranks_of(const std::vector<PeerCount>& counts, MPI_Group group) {
    std::vector<int> ranks;
    ranks.reserve(counts.size());
    for (const PeerCount& peer : counts) {
        ranks.push_back(static_cast<int>(peer.rank));
    }
    return world_ranks(group, ranks);
}

Json describe_peers(const std::vector<PeerCount>& counts, MPI_Group group, const WorldTable& table) {
    const std::vector<int> ranks = world_ranks_of(counts, group);
    Json peers = Json::array();
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const PeerCount& peer = counts[i];
        peers.push_back({peer.rank, rank_or_null(ranks[i]), static_cast<int>(table.lane_to(ranks[i])),
                         peer.messages, peer.bytes, ns_of(peer.ticks), peer.fetches,
                         peer.fetched_bytes});
    }
    return peers;
}

Json describe_peer_sums(const std::vector<PeerCount>& counts, MPI_Group group, const WorldTable& table) {
    const std::vector<int> ranks = world_ranks_of(counts, group);
    PeerSums sums;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        sums.add(table.lane_to(ranks[i]), counts[i]);
    }
    PerLane ns;
    std::transform(sums.ticks.begin(), sums.ticks.end(), ns.begin(), ns_of);
    return {{"messages", sums.messages},
            {"bytes", sums.bytes},
            {"ns", ns},
            {"fetches", sums.fetches},
            {"fetched_bytes", sums.fetched_bytes}};
}

Json describe_served(const std::vector<ServedCount>& counts) {
    Json list = Json::array();
    for (const auto& [function, count, crossings, flat_bytes] : counts) {
        list.push_back({{"call", kFunctionNames[function]},
                        {"count", count},
                        {"messages", crossings.messages},
                        {"bytes", crossings.bytes},
                        {"flat_bytes", flat_bytes}});
    }
    return list;
}

Json describe_order(const OrderKind& order) {
    Json levels = Json::array();
    for (const Level level : order.levels) {
        levels.push_back(level_name(level));
    }
    return {{"call", order.call},
            {"size", order.size},
            {"count", order.count},
            {"candidate", order.candidate},
            {"is_weighted", order.is_weighted},
            {"is_applied", order.is_applied},
            {"levels", std::move(levels)},
            {"before", order.before},
            {"after", order.after}};
}

// The lanes that lie between two of these ranks of MPI_COMM_WORLD.
Json describe_spans(const std::vector<int>& ranks, const WorldTable& table) {
    std::vector<WorldTable::Address> read(ranks.size());
    std::vector<const std::int32_t*> addresses;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        addresses.push_back(WorldTable::read(ranks[i], read[i]));
    }
    const unsigned spanned = table.lanes().spanned_by(std::move(addresses));
    Json spans = Json::array();
    for (unsigned lane = 0; lane < kNumLanes; ++lane) {
        if ((spanned >> lane & 1u) != 0) {
            spans.push_back(lane_name(static_cast<Lane>(lane)));
        }
    }
    return spans;
}

// An entry of `communicators`, but for its id.
Json describe(const CommunicatorPart& part, const WorldTable& table) {
    const Communicator& communicator = *part.communicator;
    const std::vector<int> world = world_ranks(communicator.group());
    Json ranks = Json::array();
    std::transform(world.begin(), world.end(), std::back_inserter(ranks), rank_or_null);
    return {{"key", to_hex(communicator.key())},
            {"name", part.name},
            {"size", ranks.size()},
            {"remote_size", communicator.is_inter() ? communicator.num_peers() : 0},
            {"ranks", ranks},
            {"is_registered", part.is_registered},
            {"is_freed", part.is_freed},
            {"spans", describe_spans(world, table)}};
}

// An entry of a process's `communicators`, but for its id. wants_peers: each peer, and not their sums.
Json describe_traffic(const CommunicatorPart& part, const WorldTable& table, bool wants_peers) {
    const MPI_Group peers = part.communicator->peers();
    Json traffic = {{"rank", part.communicator->rank()},
                    {"calls", describe_calls(part.calls)},
                    {"peers", wants_peers ? describe_peers(part.peers, peers, table) : Json::array()},
                    {"collective_bytes", part.collective_bytes}};
    if (!part.served.empty()) {
        traffic["served"] = describe_served(part.served);
    }
    if (!wants_peers) {
        traffic["peer_sums"] = describe_peer_sums(part.peers, peers, table);
    }
    return traffic;
}

Json describe_pairs(const WorldPairs& pairs) {
    Json list = Json::array();
    for (const PairCount& pair : pairs.pairs.by_rank()) {
        list.push_back({pair.rank, pair.messages, pair.bytes});
    }
    return {{"pairs", std::move(list)},
            {"unknown_pairs", {pairs.unknown.messages, pairs.unknown.bytes}},
            {"collective_bytes", pairs.collective_bytes}};
}

Json describe_orders(const Orders& orders) {
    Json list = Json::array();
    for (const OrderKind& order : orders.kinds()) {
        list.push_back(describe_order(order));
    }
    Json members = {{"orders", std::move(list)}};
    if (orders.num_others() > 0) {
        members["other_orders"] = orders.num_others();
    }
    return members;
}

}  // namespace

std::string to_text(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Part::Part(std::uint64_t remarks)
    : elapsed_ns_(profile::elapsed_ns()),
      remarks_(remarks),
      communicators_(Communicators::instance().parts()) {
    if (!has_threads) {
        bound_times(communicators_, elapsed_ns_);
    }
    remarks_ |= Communicators::instance().has_left_out() ? kLeftOutCommunicators : 0;
    if (counts_pairs) {
        pairs_ = Communicators::instance().pairs();
    }
    orders_ = Communicators::instance().orders();
    allowed_cpus_ = OwnCgroup().allowed_cpus().to_string();
}

ProcessPart Part::of_report(int report, int rank, const WorldTable& table, bool wants_peers) const {
    Json members = Json::object();
    if (!allowed_cpus_.empty()) {
        members["allowed"] = allowed_cpus_;
    }
    if (pairs_) {
        members.update(describe_pairs(*pairs_));
    }
    if (!orders_.kinds().empty()) {
        members.update(describe_orders(orders_));
    }
    ProcessPart told = {report, rank, elapsed_ns_, remarks_, to_text(members)};
    for (const CommunicatorPart& part : communicators_) {
        told.entries.push_back({part.communicator->key(),
                                to_text(describe_traffic(part, table, wants_peers)),
                                [&] { return to_text(describe(part, table)); }});
    }
    return told;
}

}  // namespace hitopo::profile
