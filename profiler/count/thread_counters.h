// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Each thread has counters of its own, so that threads do not wait for each other; their sum is the
// process's. A thread that ends leaves its counters to the next one.
#ifndef PROFILER_COUNT_THREAD_COUNTERS_H
#define PROFILER_COUNT_THREAD_COUNTERS_H

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "profiler/job.h"
#include "profiler/traffic/counters.h"

namespace hitopo::profile {

struct OwnCounters : Counters {
    using Counters::Counters;
    std::atomic_flag is_busy = ATOMIC_FLAG_INIT;
    bool is_taken = false;  // by a thread that has not ended
};

// No other thread reads or writes these counters while it lives. Nearly always they are free, so that
// this costs a third of a mutex.
class Lease {
public:
    explicit Lease(OwnCounters& counters) : counters_(has_threads ? &counters : nullptr) {
        while (counters_ != nullptr && counters_->is_busy.test_and_set(std::memory_order_acquire)) {
            std::this_thread::yield();
        }
    }
    ~Lease() {
        if (counters_ != nullptr) {
            counters_->is_busy.clear(std::memory_order_release);
        }
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

private:
    OwnCounters* counters_;
};

class ThreadCounters {
public:
    // Never destroyed: threads may end after static destructors ran.
    static ThreadCounters& instance();

    // This thread's, until it ends. Call it once there are kinds.
    OwnCounters& take();
    void give_back(OwnCounters* counters);

    Counters sum();

private:
    std::mutex mutex_;  // of what follows
    std::vector<std::unique_ptr<OwnCounters>> all_;
};

}  // namespace hitopo::profile

#endif
