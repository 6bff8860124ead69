// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Where a thread is: in which call of MPI, or outside. The thread itself writes it, with two stores a
// call and a few more in calls that may block; the watch reads it, at any moment and without a lock.
//
// The thread writes a call's number before its peer or requests: a reader that met the call before has
// all of it.
#ifndef PROFILER_WATCH_PLACE_H
#define PROFILER_WATCH_PLACE_H

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "ompi/mca/hitopo/core/text/text.h"
#include "profiler/count/made_functions.h"

namespace hitopo::profile {

struct Communicator;

// Calls by the peers or requests that they wait for.
enum class CallKind : std::uint8_t {
    kOther,
    kMessage,     // one to or from a peer
    kCollective,  // the other members
    kWaiting,     // requests
    kPolling      // nothing: a program that polls stands still
};

// Whether `name`, in lower case, has that part; at its begin alone, where at_begin.
constexpr bool has_part(std::string_view name, std::string_view part, bool at_begin) {
    const std::size_t num_begins = name.size() < part.size() ? 0 : name.size() - part.size() + 1;
    for (std::size_t begin = 0; begin < num_begins && (begin == 0 || !at_begin); ++begin) {
        std::size_t i = 0;
        while (i < part.size() && to_lower(name[begin + i]) == part[i]) {
            ++i;
        }
        if (i == part.size()) {
            return true;
        }
    }
    return false;
}

// function: "MPI_Send".
constexpr CallKind kind_of_call(std::string_view function) {
    constexpr std::pair<CallKind, std::string_view> kBegins[] = {
        {CallKind::kPolling, "test"},           {CallKind::kPolling, "iprobe"},
        {CallKind::kPolling, "improbe"},        {CallKind::kPolling, "request_get_status"},
        {CallKind::kPolling, "parrived"},       {CallKind::kPolling, "win_test"},
        {CallKind::kWaiting, "wait"},           {CallKind::kMessage, "send"},
        {CallKind::kMessage, "ssend"},          {CallKind::kMessage, "rsend"},
        {CallKind::kMessage, "recv"},           {CallKind::kMessage, "probe"},
        {CallKind::kMessage, "mprobe"},         {CallKind::kOther, "comm_create_group"},
        {CallKind::kOther, "comm_create_from"},
    };
    constexpr std::string_view kCollectives[] = {
        "barrier",      "bcast",           "gather",      "scatter",    "alltoall",     "reduce",
        "scan",         "comm_dup",        "comm_idup",   "comm_split", "comm_spawn",   "comm_create",
        "comm_merge",   "comm_disconnect", "cart_create", "cart_sub",   "graph_create", "win_create",
        "win_allocate", "win_fence",       "win_free",
    };
    const std::string_view name = function.substr(function[3] == 'X' ? 5 : 4);
    for (const auto& [kind, begin] : kBegins) {
        if (has_part(name, begin, true)) {
            return has_part(name, "_init", false) ? CallKind::kOther : kind;
        }
    }
    for (const std::string_view part : kCollectives) {
        if (has_part(name, part, false)) {
            return CallKind::kCollective;
        }
    }
    return CallKind::kOther;
}

inline constexpr auto kCallKinds = [] {
    std::array<CallKind, kNumFunctions> kinds{};
    for (std::size_t function = 0; function < kNumFunctions; ++function) {
        kinds[function] = kind_of_call(kFunctionNames[function]);
    }
    return kinds;
}();

class Place {
public:
    // ---- the thread ----

    void enter(Function function) {
        now_.store((now_.load(std::memory_order_relaxed) | kFunctionBits) + 2 + function,
                   std::memory_order_release);
    }
    void leave() {
        now_.store(now_.load(std::memory_order_relaxed) & ~kFunctionBits, std::memory_order_release);
    }
    // Between two other calls, whatever it finds.
    void poll(Function function) {
        polled_.store(now_.load(std::memory_order_relaxed) + 1 + function, std::memory_order_relaxed);
    }
    void set_communicator(Communicator* communicator) {
        communicator_.store(communicator, std::memory_order_release);
    }
    void set_number(std::uint64_t number) { detail_.store(number, std::memory_order_release); }
    // peer: a rank of the communicator, or MPI's wildcard.
    void set_message(int peer, int tag) {
        detail_.store(
            std::uint64_t{static_cast<std::uint32_t>(peer)} << 32 | static_cast<std::uint32_t>(tag),
            std::memory_order_release);
    }
    void set_requests(const void* requests, std::int64_t count, bool is_fortran) {
        requests_.store(requests, std::memory_order_release);
        detail_.store(static_cast<std::uint64_t>(count) << 1 | (is_fortran ? 1 : 0),
                      std::memory_order_release);
    }

    // ---- the watch ----

    static constexpr unsigned kOutside = kNumFunctions;

    // Differs between any two calls, and between inside and outside.
    std::uint64_t now() const { return now_.load(std::memory_order_acquire); }
    static unsigned function_of(std::uint64_t now) {
        return (now & kFunctionBits) == 0 ? kOutside : static_cast<unsigned>(now & kFunctionBits) - 1;
    }
    // The function by which it polls at `now`, outside of others.
    unsigned polled(std::uint64_t now) const {
        const std::uint64_t polled = polled_.load(std::memory_order_relaxed);
        return (polled & ~kFunctionBits) == now ? function_of(polled) : kOutside;
    }
    Communicator* communicator() const { return communicator_.load(std::memory_order_acquire); }
    std::uint64_t number() const { return detail_.load(std::memory_order_acquire); }
    int peer() const { return static_cast<int>(static_cast<std::uint32_t>(number() >> 32)); }
    int tag() const { return static_cast<int>(static_cast<std::uint32_t>(number())); }
    const void* requests() const { return requests_.load(std::memory_order_acquire); }
    std::int64_t num_requests() const { return static_cast<std::int64_t>(number() >> 1); }
    bool are_fortran() const { return (number() & 1) != 0; }

    std::atomic<bool> is_taken{false};  // by a thread that has not ended

private:
    static constexpr std::uint64_t kFunctionBits = 0xffff;

    std::atomic<std::uint64_t> now_{0};  // number of calls, and the function's number plus 1; 0: outside
    std::atomic<std::uint64_t> polled_{0};  // the same
    std::atomic<std::uint64_t> detail_{0};
    std::atomic<Communicator*> communicator_{nullptr};
    std::atomic<const void*> requests_{nullptr};
};

// Whether places are kept: from MPI_Init on, in a job with hitopo_prof_watch.
extern std::atomic<bool> is_watched;

// All places of the process, that of MPI_Init's thread first. Further threads are not watched.
inline constexpr std::size_t kMaxPlaces = 64;
extern Place places[kMaxPlaces];

// This thread's, until it ends. Call it once.
Place* take_place() noexcept;

}  // namespace hitopo::profile

#endif
