// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Where a thread is: in which call of MPI, or outside. The thread itself writes it, with two stores a
// call and a few more in calls that may block; the watch reads it, at any moment and without a lock.
#ifndef PROFILER_WATCH_PLACE_H
#define PROFILER_WATCH_PLACE_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "profiler/count/made_functions.h"
#include "profiler/record/watched.h"
#include "profiler/traffic/peers.h"

namespace hitopo::profile {

struct Communicator;

struct Place {
    static constexpr std::uint64_t kFunctionBits = 0xffff;
    static constexpr unsigned kOutside = kNumFunctions;

    // A program that polls stands still: such calls change nothing but `polled`.
    void enter(Function function) {
        const std::uint64_t before = now.load(std::memory_order_relaxed);
        if (kCallKinds[function] == kPolling) {
            polled.store(before + 1 + function, std::memory_order_relaxed);
        } else {
            now.store((before | kFunctionBits) + 2 + function, std::memory_order_release);
        }
    }
    void leave() {
        now.store(now.load(std::memory_order_relaxed) & ~kFunctionBits, std::memory_order_release);
    }
    // peer: in MPI_COMM_WORLD.
    void set_message(std::int32_t peer, int tag) {
        set_detail(std::uint64_t{static_cast<std::uint32_t>(peer)} << 32 |
                   static_cast<std::uint32_t>(tag));
    }
    void set_requests(const void* array, std::int64_t count, bool is_fortran) {
        requests.store(array, std::memory_order_relaxed);
        set_detail(static_cast<std::uint64_t>(count) << 1 | (is_fortran ? 1 : 0));
    }
    void set_detail(std::uint64_t value) { detail.store(value, std::memory_order_relaxed); }
    static unsigned function_of(std::uint64_t now) {
        return (now & kFunctionBits) == 0 ? kOutside : static_cast<unsigned>(now & kFunctionBits) - 1;
    }

    // The number of calls, and in kFunctionBits the function's number plus 1; 0: outside.
    std::atomic<std::uint64_t> now{0}, polled{0};
    std::atomic<std::uint64_t> detail{0};  // a collective's number, or as above
    std::atomic<const Communicator*> communicator{nullptr};
    std::atomic<const void*> requests{nullptr};
    std::atomic<bool> is_taken{false};  // by a thread that has not ended
};

// Whether places are kept: from MPI_Init on, in a job with hitopo_prof_watch.
extern std::atomic<bool> is_watched;

// This thread's, until it ends. Call it once; first in MPI_Init. Threads beyond kMaxThreads have one
// that nobody reads.
Place* take_place() noexcept;

// peer: of a communicator with these peers (null: unknown), or MPI's wildcard.
std::int32_t world_peer(const Peers* peers, int peer);

// Puts where this process is into threads and comms of `process`. Returns when one of its threads went
// on last, by the steady clock; nothing where communicators are made or freed at this moment. Safe in
// signal handlers.
std::optional<std::int64_t> look_at_places(std::int64_t now_ns, WatchedProcess& process);

}  // namespace hitopo::profile

#endif
