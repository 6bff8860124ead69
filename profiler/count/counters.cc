// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/count/counters.h"

#include <algorithm>
#include <functional>
#include <string>

#include "profiler/count/communicators.h"
#include "profiler/count/scope.h"
#include "profiler/count/world.h"
#include "profiler/job.h"
#include "profiler/profile_glue.h"

namespace hitopo::profile {
namespace {

using Values = unsigned long long*;

template <std::uint64_t CallCount::*member>
void read_calls(const Communicator& /*communicator*/, const Traffic& traffic, Values values) {
    std::transform(traffic.calls().begin(), traffic.calls().end(), values, [](const CallCount& call) {
        return member == &CallCount::ticks ? ns_of(call.*member) : call.*member;
    });
}

template <std::uint64_t PeerCount::*member>
void read_peers(const Communicator& /*communicator*/, const Traffic& traffic, Values values) {
    for (const PeerCount& peer : traffic.peers()) {
        values[peer.rank] = member == &PeerCount::ticks ? ns_of(peer.*member) : peer.*member;
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

void read_collectives(const Communicator& /*communicator*/, const Traffic& traffic, Values values) {
    std::copy(traffic.collective_bytes().begin(), traffic.collective_bytes().end(), values);
}

template <PerLane Crossings::*member>
void read_served(const Communicator& /*communicator*/, const Traffic& traffic, Values values) {
    for (const ServedCount& served : traffic.served()) {
        const PerLane& more = served.crossings.*member;
        std::transform(more.begin(), more.end(), values, values, std::plus<>());
    }
}

// An entry for each of these; of an intercommunicator, ranks are those of the remote group.
enum class Entries { kFunctions, kPeers, kLanes };

constexpr struct {
    const char* name;
    const char* what;
    Entries entries;
    void (*read)(const Communicator& communicator, const Traffic& traffic, Values values);
} kCounters[] = {
    {"calls", "Calls", Entries::kFunctions, read_calls<&CallCount::count>},
    {"call_bytes", "Bytes", Entries::kFunctions, read_calls<&CallCount::bytes>},
    {"call_time", "Nanoseconds", Entries::kFunctions, read_calls<&CallCount::ticks>},
    {"peer_messages", "Messages to each rank", Entries::kPeers, read_peers<&PeerCount::messages>},
    {"peer_bytes", "Bytes of messages to each rank", Entries::kPeers, read_peers<&PeerCount::bytes>},
    {"peer_time", "Nanoseconds in calls that send to each rank", Entries::kPeers,
     read_peers<&PeerCount::ticks>},
    {"peer_fetches", "One-sided calls that fetch from each rank", Entries::kPeers,
     read_peers<&PeerCount::fetches>},
    {"peer_fetched_bytes", "Bytes that they fetched", Entries::kPeers,
     read_peers<&PeerCount::fetched_bytes>},
    {"lane_bytes", "Bytes of messages and one-sided calls", Entries::kLanes, read_lanes},
    {"lane_collective_bytes", "Bytes that flat algorithms of collectives would send", Entries::kLanes,
     read_collectives},
    {"lane_served_messages", "Messages for collectives that coll/hitopo served", Entries::kLanes,
     read_served<&Crossings::messages>},
    {"lane_served_bytes", "Bytes of these", Entries::kLanes, read_served<&Crossings::bytes>}};

template <class NameOf>
std::string list(std::size_t count, NameOf&& name_of) {
    std::string names;
    for (std::size_t i = 0; i < count; ++i) {
        names.append(" ").append(name_of(i));
    }
    return names;
}

}  // namespace
}  // namespace hitopo::profile

using namespace hitopo::profile;

void hitopo_profile_register_counters() noexcept {
    quietly([] {
        const std::string functions =
            " of each function:" + list(kNumFunctions, [](std::size_t i) { return kFunctionNames[i]; });
        const std::string lanes = " across each lane:" + list(hitopo::kNumLanes, [](std::size_t i) {
                                      return hitopo::lane_name(static_cast<hitopo::Lane>(i));
                                  });
        int number = 0;
        for (const auto& counter : kCounters) {
            const std::string what = counter.what + (counter.entries == Entries::kFunctions ? functions
                                                     : counter.entries == Entries::kLanes   ? lanes
                                                                                            : "");
            hitopo_profile_register_counter(number++, counter.name, what.c_str());
        }
    });
}

int hitopo_profile_read(ompi_communicator_t* comm, int number, unsigned long long* values) noexcept {
    if (!has_threads && !thread_state.owns_mpi) {
        return -1;
    }
    std::size_t count = 0;
    quietly([&] {
        const Communicator* communicator = Communicators::instance().of(comm);
        if (communicator == nullptr) {
            return;
        }
        const auto& counter = kCounters[number];
        count = counter.entries == Entries::kFunctions ? kNumFunctions
                : counter.entries == Entries::kLanes
                    ? hitopo::kNumLanes
                    : static_cast<std::size_t>(communicator->num_peers());
        if (values != nullptr) {
            std::fill_n(values, count, 0);
            counter.read(*communicator, communicator->traffic(), values);
        }
    });
    return static_cast<int>(count);
}
