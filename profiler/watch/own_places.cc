// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/watch/own_places.h"

#include <algorithm>
#include <ctime>
#include <iterator>
#include <string_view>

#include "ompi/mca/hitopo/core/text/flat_map.h"
#include "profiler/count/call.h"
#include "profiler/count/communicators.h"
#include "profiler/profile_glue.h"

namespace hitopo::profile {

std::atomic<bool> is_watched{false};
Place places[kMaxPlaces];

namespace {

// A place that nobody reads, for threads beyond kMaxPlaces.
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

// ---- text ----

namespace {

// Ranks in their order, "0-3,8" or "0-28:4"; those of other jobs, which are negative, are left out.
template <class RankAt>
void put_ranks(FixedText& text, std::int64_t count, RankAt&& rank_at) {
    const char* separator = "";
    for (std::int64_t i = 0, end; i < count; i = end) {
        end = i + 1;
        const std::int64_t step = end < count ? rank_at(end) - rank_at(i) : 0;
        while (step > 0 && end < count && rank_at(end) - rank_at(end - 1) == step) {
            ++end;
        }
        end = end < i + 3 ? i + 1 : end;
        if (rank_at(i) >= 0) {
            text << separator << rank_at(i);
            separator = ",";
        }
        if (end > i + 1) {
            text << "-" << rank_at(end - 1);
        }
        if (end > i + 1 && step > 1) {
            text << ":" << step;
        }
    }
}

// Equal at all members, and different from other communicators that live.
std::uint64_t id_of(const Communicator& communicator, const Peers* peers) {
    const bool is_intra = communicator.shape.remote_size == 0;
    const std::uint64_t root = is_intra && peers != nullptr && peers->size() > 0
                                   ? static_cast<unsigned>(peers->world_rank(0))
                                   : 0;
    const std::uint64_t context =
        communicator.is_window ? UINT64_MAX : hitopo_profile_context(communicator.handle);
    return combine(combine(communicator.origin->key, context), root);
}

// has_members: its peers cannot go while this looks.
void put_communicator(FixedText& text, const Communicator& communicator, int world_size,
                      bool has_members) {
    const Peers* const peers = has_members ? communicator.peers.ready() : nullptr;
    const Kind& kind = *communicator.kind.load(std::memory_order_relaxed);
    text << "{\"id\":\"";
    text.put_hex(id_of(communicator, peers)) << "\",\"kind\":";
    text.put_string(communicator.origin->name);
    if (&kind != communicator.origin) {
        text << ",\"name\":";
        text.put_string(kind.name);
    }
    char room[512];
    FixedText ranks(room, sizeof room);
    if (peers != nullptr && communicator.shape.remote_size == 0) {
        if (peers->size() == world_size) {
            ranks << "0-" << world_size - 1;
        } else {
            put_ranks(ranks, peers->size(),
                      [&](std::int64_t i) { return std::int64_t{peers->world_rank(i)}; });
        }
    }
    if (!ranks.is_full() && !ranks.text().empty()) {
        text << ",\"ranks\":\"" << ranks.text() << "\"";
    }
    text << "}";
}

// peer: of the communicator. In the text: of MPI_COMM_WORLD, -1 any, -2 unknown; absent: none.
void put_peer(FixedText& text, const Communicator& communicator, bool has_members, int peer, int tag) {
    const Peers* const peers = has_members ? communicator.peers.ready() : nullptr;
    if (peer == MPI_PROC_NULL) {
        return;
    }
    const bool is_known = peers != nullptr && peers->has(peer) && peers->world_rank(peer) >= 0;
    text << ",\"peer\":" << (peer == MPI_ANY_SOURCE ? -1 : is_known ? peers->world_rank(peer) : -2);
    if (tag != MPI_ANY_TAG) {
        text << ",\"tag\":" << tag;
    }
}

constexpr std::int64_t kNsPerSecond = 1000000000;
constexpr std::int64_t kMaxRequests = 256;  // that are looked at
constexpr int kMaxPending = 4;              // that are written

void put_requests(FixedText& text, const Place& place, int world_size, bool has_members) {
    static constexpr std::string_view kAwaited[] = {"",        "send",       "receive",
                                                    "message", "collective", "other"};
    int num_pending = 0;
    text << ",\"requests\":[";
    for (std::int64_t i = 0; i < std::min(place.num_requests(), kMaxRequests); ++i) {
        const hitopo_profile_pending_t pending =
            hitopo_profile_pending(place.requests(), place.are_fortran() ? 1 : 0, static_cast<long>(i));
        if (pending.awaited == HITOPO_PROFILE_NOTHING || ++num_pending > kMaxPending) {
            continue;
        }
        text << (num_pending > 1 ? "," : "") << "{\"awaits\":\"" << kAwaited[pending.awaited] << "\"";
        if (const Communicator* const communicator = Communicators::known(pending.comm)) {
            if (pending.knows_peer != 0) {
                put_peer(text, *communicator, has_members, pending.peer, pending.tag);
            }
            text << ",\"number\":" << communicator->num_collectives.load() << ",\"comm\":";
            put_communicator(text, *communicator, world_size, has_members);
        }
        text << "}";
    }
    text << "],\"num_pending\":" << num_pending;
}

}  // namespace

void OwnPlaces::put_place(FixedText& text, std::size_t number, std::int64_t now_ns,
                          bool has_members) const {
    const Place& place = places[number];
    const Seen& seen = seen_[number];
    const unsigned function = Place::function_of(seen.now);
    text << "{\"since\":"
         << static_cast<std::int64_t>(std::time(nullptr)) - (now_ns - seen.since_ns) / kNsPerSecond;
    if (function == Place::kOutside) {
        if (const unsigned polled = place.polled(seen.now); polled != Place::kOutside) {
            text << ",\"polls\":\"" << kFunctionNames[polled] << "\"";
        }
    } else {
        text << ",\"function\":\"" << kFunctionNames[function] << "\"";
    }
    const CallKind kind = function == Place::kOutside ? CallKind::kOther : kCallKinds[function];
    const Communicator* const communicator = place.communicator();
    const bool is_known = seen.num_looks > 1;
    if (is_known && kind == CallKind::kWaiting) {
        put_requests(text, place, world_size_, has_members);
    } else if (is_known && kind != CallKind::kOther && communicator != nullptr) {
        if (kind == CallKind::kMessage) {
            put_peer(text, *communicator, has_members, place.peer(), place.tag());
        } else {
            text << ",\"number\":" << place.number();
        }
        text << ",\"comm\":";
        put_communicator(text, *communicator, world_size_, has_members);
    }
    text << "}";
}

std::int64_t OwnPlaces::look(std::int64_t now_ns) {
    std::int64_t last_progress = 0;
    for (std::size_t i = 0; i < kMaxPlaces; ++i) {
        const std::uint64_t now = places[i].now();
        Seen& seen = seen_[i];
        const bool goes_on = seen.now != now || seen.num_looks == 0;
        seen = goes_on ? Seen{now, now_ns, 1} : Seen{now, seen.since_ns, seen.num_looks + 1};
        last_progress = places[i].is_taken ? std::max(last_progress, seen.since_ns) : last_progress;
    }
    return last_progress;
}

void OwnPlaces::put(FixedText& text, std::int64_t now_ns, bool has_comms) const {
    constexpr std::size_t kForCounts = 1024, kForEnd = 64;
    text << "\"threads\":[";
    const char* separator = "";
    for (std::size_t i = 0; i < kMaxPlaces; ++i) {
        const bool is_put = places[i].is_taken && text.put_whole(kForCounts, [&] {
            text << separator;
            put_place(text, i, now_ns, has_comms || !has_threads);
        });
        separator = is_put ? "," : separator;
    }
    text << "],\"counts\":{";
    separator = "";
    bool has_all = has_comms;
    const auto put_count = [&](Communicator& communicator) {
        const std::uint64_t count =
            has_all ? communicator.num_collectives.load(std::memory_order_relaxed) : 0;
        const bool is_put = count > 0 && text.put_whole(kForEnd, [&] {
            text << separator << "\"";
            text.put_hex(id_of(communicator, communicator.peers.ready())) << "\":" << count;
        });
        has_all = has_all && is_put == (count > 0);
        separator = is_put ? "," : separator;
    };
    if (has_comms) {
        Communicators::instance().for_each_live(put_count);
    }
    text << "},\"has_all_counts\":" << (has_all ? "true" : "false");
}

}  // namespace hitopo::profile
