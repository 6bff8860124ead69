// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// This process as the watch sees it, as text: where its threads are, since when, and what for.
#ifndef PROFILER_WATCH_OWN_PLACES_H
#define PROFILER_WATCH_OWN_PLACES_H

#include <cstdint>

#include "profiler/watch/fixed_text.h"
#include "profiler/watch/place.h"

namespace hitopo::profile {

class OwnPlaces {
public:
    explicit OwnPlaces(int world_size) : world_size_(world_size) {}

    // Looks where they are at now_ns, by the steady clock; returns when one of them went on last.
    std::int64_t look(std::int64_t now_ns);
    // Puts members of a process of docs/json.md, "hang". has_comms: no communicator is made or freed
    // meanwhile. Safe in signal handlers.
    void put(FixedText& text, std::int64_t now_ns, bool has_comms) const;

private:
    void put_place(FixedText& text, std::size_t number, std::int64_t now_ns, bool has_members) const;

    // One for each place. What a call waits for is known from its second look on.
    struct Seen {
        std::uint64_t now = 0;
        std::int64_t since_ns = 0;
        int num_looks = 0;
    } seen_[kMaxPlaces];
    int world_size_;
};

}  // namespace hitopo::profile

#endif
