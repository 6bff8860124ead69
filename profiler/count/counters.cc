// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/count/counters.h"

#include <algorithm>
#include <functional>
#include <string>

#include "profiler/count/communicators.h"
#include "profiler/count/scope.h"
#include "profiler/count/world.h"
#include "profiler/job.h"

namespace hitopo::profile {
namespace {

using Values = unsigned long long*;

std::size_t num_entries(const Communicator& communicator, hitopo_profile_counter_t counter) {
    return counter < HITOPO_PROFILE_PEER_MESSAGES ? kNumFunctions
           : counter < HITOPO_PROFILE_LANE_BYTES  ? static_cast<std::size_t>(communicator.num_peers())
                                                  : kNumLanes;
}

std::uint64_t value_of(const CallCount& call, hitopo_profile_counter_t counter) {
    return counter == HITOPO_PROFILE_CALLS        ? call.count
           : counter == HITOPO_PROFILE_CALL_BYTES ? call.bytes
                                                  : ns_of(call.ticks);
}

std::uint64_t value_of(const PeerCount& peer, hitopo_profile_counter_t counter) {
    switch (counter) {
        case HITOPO_PROFILE_PEER_MESSAGES:
            return peer.messages;
        case HITOPO_PROFILE_PEER_BYTES:
            return peer.bytes;
        case HITOPO_PROFILE_PEER_TIME:
            return ns_of(peer.ticks);
        case HITOPO_PROFILE_PEER_FETCHES:
            return peer.fetches;
        default:
            return peer.fetched_bytes;
    }
}

void read_lanes(const Communicator& communicator, const Traffic& traffic, Values values) {
    const std::vector<int> ranks = world_ranks(communicator.peers());
    const WorldTable table;
    for (const PeerCount& peer : traffic.peers()) {
        values[static_cast<std::size_t>(table.lane_to(ranks[peer.rank]))] +=
            peer.bytes + peer.fetched_bytes;
    }
}

void read_served(const Traffic& traffic, PerLane Crossings::*member, Values values) {
    for (const ServedCount& served : traffic.served()) {
        const PerLane& more = served.crossings.*member;
        std::transform(more.begin(), more.end(), values, values, std::plus<>());
    }
}

void read(const Communicator& communicator, hitopo_profile_counter_t counter, Values values) {
    const Traffic traffic = communicator.traffic();
    if (counter < HITOPO_PROFILE_PEER_MESSAGES) {
        std::transform(traffic.calls().begin(), traffic.calls().end(), values,
                       [&](const CallCount& call) { return value_of(call, counter); });
    } else if (counter < HITOPO_PROFILE_LANE_BYTES) {
        for (const PeerCount& peer : traffic.peers()) {
            values[peer.rank] = value_of(peer, counter);
        }
    } else if (counter == HITOPO_PROFILE_LANE_BYTES) {
        read_lanes(communicator, traffic, values);
    } else if (counter == HITOPO_PROFILE_LANE_SERVED_MESSAGES) {
        read_served(traffic, &Crossings::messages, values);
    } else if (counter == HITOPO_PROFILE_LANE_SERVED_BYTES) {
        read_served(traffic, &Crossings::bytes, values);
    } else {
        std::copy(traffic.collective_bytes().begin(), traffic.collective_bytes().end(), values);
    }
}

// Never destroyed: MPI_T may be asked after static destructors ran.
template <class NameOf>
const std::string& join(std::size_t count, NameOf&& name_of) {
    std::string names;
    for (std::size_t i = 0; i < count; ++i) {
        names.append(i > 0 ? " " : "").append(name_of(i));
    }
    return *new std::string(std::move(names));
}

}  // namespace
}  // namespace hitopo::profile

using namespace hitopo::profile;

std::size_t hitopo_profile_read(ompi_communicator_t* comm, hitopo_profile_counter_t counter,
                                unsigned long long* values) noexcept {
    std::size_t count = 0;
    quietly([&] {
        const Communicator* communicator = Communicators::instance().of(comm);
        if (communicator == nullptr) {
            return;
        }
        count = num_entries(*communicator, counter);
        if (values != nullptr) {
            std::fill_n(values, count, 0);
            if (communicator->has_counters()) {
                read(*communicator, counter, values);
            }
        }
    });
    return count;
}

const char* hitopo_profile_functions() noexcept {
    static const std::string& names =
        join(kNumFunctions, [](std::size_t i) { return kFunctionNames[i]; });
    return names.c_str();
}

const char* hitopo_profile_lanes() noexcept {
    static const std::string& names = join(hitopo::kNumLanes, [](std::size_t i) {
        return hitopo::lane_name(static_cast<hitopo::Lane>(i));
    });
    return names.c_str();
}
