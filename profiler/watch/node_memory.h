// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Memory that the processes of a node share, so that one can tell what another did last that is stopped
// or gone. Its file loses its name as soon as all have opened it: nothing is left behind.
#ifndef PROFILER_WATCH_NODE_MEMORY_H
#define PROFILER_WATCH_NODE_MEMORY_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace hitopo::profile {

// One process's part, which the others read. Times are of the steady clock.
struct WatchSlot {
    static constexpr std::size_t kTextBytes = 4096;

    bool is_used() const { return pid.load(std::memory_order_acquire) != 0; }
    // The process as the system sees it, by a letter of proc(5): R, S, D, T, ..; '-': it is gone; 'F':
    // it has left MPI_Finalize; '?': unknown. Safe in signal handlers.
    char state() const;

    // Where the next text goes; then set_text. One thread at a time.
    char* next_text() { return texts[(version + 1) % 2]; }
    void set_text(std::size_t length);
    // Copies the text as of one moment; returns its length, 0: there is none.
    std::size_t copy_text(char* to) const;

    int rank;
    std::uint64_t start;  // in the system's ticks: ids come back
    std::uint64_t space;  // in which the id counts
    std::atomic<std::int64_t> pid;
    std::atomic<bool> has_ended;
    std::atomic<std::int64_t> looked_ns;    // when its thread looked
    std::atomic<std::int64_t> progress_ns;  // when it went on
    std::atomic<unsigned> version;          // of the text, in texts[version % 2]; 0: there is none
    std::size_t lengths[2];
    char texts[2][kTextBytes];  // members of a process of docs/json.md, "hang"
};

// All zero at first.
class NodeMemory {
public:
    // This process's part, too; null where there is none.
    struct Opened {
        NodeMemory* memory = nullptr;
        WatchSlot* own = nullptr;
    };
    // name: of a file in /dev/shm, of this job and node and of no other. meet() returns when all
    // processes of the node are in it. Where memory cannot be shared, it is this process's alone. It
    // stays.
    static Opened open(const std::string& name, int rank, const std::function<void()>& meet);

    static constexpr int kMaxSlots = 1024;
    WatchSlot* begin() { return reinterpret_cast<WatchSlot*>(this + 1); }
    WatchSlot* end() { return begin() + (num_taken_ < kMaxSlots ? num_taken_.load() : kMaxSlots); }

    enum File { kNone, kByWatch, kOnSignal };
    std::atomic<int> file;  // the node's: why it was written
    std::atomic<bool> has_told;

private:
    static NodeMemory* map(int file);

    std::atomic<int> num_taken_;
};

}  // namespace hitopo::profile

#endif
