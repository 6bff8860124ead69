// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <ctime>
#include <iterator>
#include <string_view>

#include "profiler/count/call.h"
#include "profiler/count/communicators.h"
#include "profiler/profile_glue.h"
#include "profiler/watch/place.h"

namespace hitopo::profile {

std::atomic<bool> is_watched{false};

namespace {

Place places[kMaxThreads];
Place nowhere;

struct UntilThreadEnds {
    ~UntilThreadEnds() {
        thread_state.place = &nowhere;
        place->is_taken = false;
    }
    Place* place;
};

}  // namespace

Place* take_place() noexcept {
    thread_state.place = &nowhere;
    quietly([] {
        const auto free = std::find_if(std::begin(places), std::end(places),
                                       [](Place& place) { return !place.is_taken.exchange(true); });
        if (free != std::end(places)) {
            thread_local const UntilThreadEnds until_thread_ends{free};
            thread_state.place = free;
        }
    });
    return thread_state.place;
}

std::int32_t world_peer(const Peers* peers, int peer) {
    const bool is_known = peers != nullptr && peers->has(peer) && peers->world_rank(peer) >= 0;
    return peer == MPI_ANY_SOURCE ? kAnyPeer : is_known ? peers->world_rank(peer) : kUnknownPeer;
}

// ---- as a record ----

namespace {

template <std::size_t kBytes>
void put(char (&to)[kBytes], std::string_view text) {
    to[text.copy(to, kBytes - 1)] = '\0';
}

// Its index, where there is room; else -1.
std::int32_t index_of(const Communicator* communicator, WatchedProcess& process) {
    if (communicator == nullptr || communicator->id == 0) {
        return -1;
    }
    WatchedComm* const end = process.comms + process.num_comms;
    WatchedComm* const found = std::find_if(
        process.comms, end, [&](const WatchedComm& comm) { return comm.id == communicator->id; });
    if (found == end) {
        if (process.num_comms == kMaxComms) {
            return -1;
        }
        const Kind& kind = *communicator->kind.load();
        *found = {communicator->id, communicator->num_collectives, communicator->shape.size, {}, {}};
        put(found->kind, communicator->origin->name);
        put(found->name, &kind == communicator->origin ? "" : kind.name);
        ++process.num_comms;
    }
    return static_cast<std::int32_t>(found - process.comms);
}

void add(WatchedThread& thread, const WatchedWait& wait) {
    if (thread.num_waits < kMaxWaits) {
        thread.waits[thread.num_waits] = wait;
    }
    ++thread.num_waits;
}

void add_requests(const Place& place, WatchedThread& thread, WatchedProcess& process) {
    constexpr std::uint64_t kMostRequests = 256;
    const std::uint64_t num = std::min(place.detail >> 1, kMostRequests);
    for (std::uint64_t i = 0; i < num; ++i) {
        const hitopo_profile_pending_t pending = hitopo_profile_pending(
            place.requests, static_cast<int>(place.detail & 1), static_cast<long>(i));
        if (pending.what != 0) {
            const Communicator* const comm = Communicators::known(pending.comm);
            const Peers* const peers = comm == nullptr ? nullptr : comm->peers.ready();
            add(thread, {comm == nullptr ? 0 : comm->num_collectives.load(),
                         pending.knows_peer != 0 ? world_peer(peers, pending.peer) : kUnknownPeer,
                         pending.tag, index_of(comm, process), pending.what});
        }
    }
}

void put_thread(const Place& place, std::uint64_t now, WatchedThread& thread, WatchedProcess& process) {
    const unsigned function = Place::function_of(now);
    if (function == Place::kOutside) {
        const std::uint64_t polled = place.polled;
        thread.polls = (polled & ~Place::kFunctionBits) == now && polled != now;
        put(thread.function, thread.polls ? kFunctionNames[Place::function_of(polled)] : "");
        return;
    }
    put(thread.function, kFunctionNames[function]);
    const std::uint64_t detail = place.detail;
    if (kCallKinds[function] == kWaiting) {
        add_requests(place, thread, process);
    } else if (kCallKinds[function] != kOtherCall) {
        const bool is_collective = kCallKinds[function] == kCollective;
        add(thread, {detail, is_collective ? kUnknownPeer : static_cast<std::int32_t>(detail >> 32),
                     is_collective ? kAnyTag : static_cast<std::int32_t>(detail),
                     index_of(place.communicator, process), kCallKinds[function]});
    }
}

}  // namespace

std::optional<std::int64_t> look_at_places(std::int64_t now_ns, WatchedProcess& process) {
    static struct Seen {
        std::uint64_t now;
        std::int64_t since_ns;
    } seen[kMaxThreads];
    const auto held = Communicators::instance().try_hold();
    if (!held) {
        return std::nullopt;
    }
    std::int64_t last_ns = 0;
    process.num_threads = process.num_comms = 0;
    for (int i = 0; i < kMaxThreads; ++i) {
        const std::uint64_t now = places[i].now;
        seen[i] = {now, seen[i].now == now && seen[i].since_ns > 0 ? seen[i].since_ns : now_ns};
        if (places[i].is_taken) {
            WatchedThread& thread = process.threads[process.num_threads++];
            thread = {};
            thread.since = std::time(nullptr) - (now_ns - seen[i].since_ns) / 1000000000;
            put_thread(places[i], now, thread, process);
            last_ns = std::max(last_ns, seen[i].since_ns);
        }
    }
    Communicators::instance().for_each_live([&](const Communicator& communicator) {
        if (communicator.shape.size > 1) {
            (void)index_of(&communicator, process);
        }
    });
    return last_ns;
}

}  // namespace hitopo::profile
