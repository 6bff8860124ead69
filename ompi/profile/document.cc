// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/profile/document.h"

#include "ompi/mca/hitopo/core/text.h"
#include "ompi/profile/job.h"

namespace hitopo::profile {
namespace {

Json rank_or_null(int rank) { return rank == MPI_UNDEFINED ? Json() : Json(rank); }

Json describe_calls(const Traffic& traffic) {
    Json calls = Json::array();
    for (std::size_t function = 0; function < traffic.calls().size(); ++function) {
        const CallCount& call = traffic.calls()[function];
        if (call.count > 0) {
            calls.push_back({{"call", kFunctionNames[function]},
                             {"count", call.count},
                             {"bytes", call.bytes},
                             {"ns", ns_of(call.ticks)}});
        }
    }
    return calls;
}

Json describe_peers(const Traffic& traffic, MPI_Group group, const WorldTable& table) {
    std::vector<int> ranks;
    for (const PeerCount& peer : traffic.peers()) {
        ranks.push_back(static_cast<int>(peer.rank));
    }
    ranks = world_ranks(group, ranks);
    Json peers = Json::array();
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        const PeerCount& peer = traffic.peers()[i];
        peers.push_back({peer.rank, rank_or_null(ranks[i]), static_cast<int>(table.lane_to(ranks[i])),
                         peer.messages, peer.bytes, ns_of(peer.ticks), peer.fetches,
                         peer.fetched_bytes});
    }
    return peers;
}

}  // namespace

std::string to_text(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json describe(const Communicator& communicator) {
    Json ranks = Json::array();
    for (const int rank : world_ranks(communicator.group())) {
        ranks.push_back(rank_or_null(rank));
    }
    return {{"key", to_hex(communicator.key())},
            {"name", communicator.name()},
            {"size", ranks.size()},
            {"remote_size", communicator.is_inter() ? communicator.num_peers() : 0},
            {"ranks", ranks},
            {"is_registered", communicator.is_registered() && !communicator.is_freed()},
            {"is_freed", communicator.is_freed()}};
}

Json describe_traffic(const Communicator& communicator, int id, const WorldTable& table) {
    const Traffic traffic = communicator.traffic();
    return {{"id", id},
            {"rank", communicator.rank()},
            {"calls", describe_calls(traffic)},
            {"peers", describe_peers(traffic, communicator.peers(), table)},
            {"collective_bytes", traffic.collective_bytes()}};
}

Json describe_spans(const Json& ranks, const WorldTable& table) {
    std::vector<const std::int32_t*> addresses;
    for (const Json& rank : ranks) {
        addresses.push_back(table.address(rank.is_null() ? MPI_UNDEFINED : rank.get<int>()));
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

}  // namespace hitopo::profile
