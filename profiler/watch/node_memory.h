// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Memory that the processes of a node share, so that one can tell what another did last that is stopped
// or gone. Its file loses its name as soon as all have opened it: nothing is left behind.
#ifndef PROFILER_WATCH_NODE_MEMORY_H
#define PROFILER_WATCH_NODE_MEMORY_H

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "profiler/record/watched.h"

namespace hitopo::profile {

// One process's part, which the others read. Times are of the steady clock.
struct WatchSlot {
    std::atomic<unsigned> num_looks;      // 0: nobody's. The last one's record is records[num_looks % 2]
    std::atomic<std::int64_t> looked_ns;  // when it looked last
    std::atomic<std::int64_t> progress_ns;  // when it went on
    std::atomic<bool> has_ended;
    WatchedProcess records[2];

    const WatchedProcess& last() const { return records[num_looks % 2]; }
};

// All zero at first.
struct NodeMemory {
    static constexpr int kMaxSlots = 1024;

    std::atomic<int> num_taken;
    std::atomic<std::int64_t> written_ns;  // when the node's file was; 0: it is not there
    std::atomic<bool> has_told;
    WatchSlot slots[kMaxSlots];

    // Those that are taken.
    WatchSlot* begin() { return slots; }
    WatchSlot* end() { return slots + (num_taken < kMaxSlots ? num_taken.load() : kMaxSlots); }

    // name: of a file in /dev/shm, of this job and node and of no other. meet() returns when all
    // processes of the node are in it. own: this process's part. Null: there is no room. It stays.
    static NodeMemory* open(const std::string& name, const std::function<void()>& meet, WatchSlot*& own);
};

}  // namespace hitopo::profile

#endif
