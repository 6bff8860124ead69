// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/count/thread_counters.h"

#include <algorithm>

#include "profiler/count/call.h"
#include "profiler/count/communicators.h"
#include "profiler/count/made_functions.h"

namespace hitopo::profile {
namespace {

// A thread may call MPI after this was destroyed: then it takes counters anew, and keeps them.
struct UntilThreadEnds {
    ~UntilThreadEnds() {
        thread_state.counters = nullptr;
        ThreadCounters::instance().give_back(counters);
    }
    OwnCounters* counters;
};

}  // namespace

ThreadCounters& ThreadCounters::instance() {
    static ThreadCounters& counters = *new ThreadCounters;
    return counters;
}

OwnCounters& ThreadCounters::take() {
    OwnCounters* counters = nullptr;
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        auto free = std::find_if(all_.begin(), all_.end(),
                                 [](const auto& counters) { return !counters->is_taken; });
        if (free == all_.end()) {
            free = all_.insert(
                free, std::make_unique<OwnCounters>(Communicators::instance().kinds().capacity(),
                                                    std::size_t{kNumFunctions}));
        }
        counters = free->get();
        counters->is_taken = true;
    }
    thread_local const UntilThreadEnds until_thread_ends{counters};
    thread_state.counters = counters;
    return *counters;
}

void ThreadCounters::give_back(OwnCounters* counters) {
    const std::lock_guard<std::mutex> lock(mutex_);
    counters->is_taken = false;
}

Counters ThreadCounters::sum() {
    Counters sum(Communicators::instance().kinds().capacity(), kNumFunctions);
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& counters : all_) {
        const Lease lease(*counters);
        sum.add(*counters);
    }
    return sum;
}

}  // namespace hitopo::profile
