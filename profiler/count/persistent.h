// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Persistent requests, and what each sends whenever it is started. Local; thread safe.
#ifndef PROFILER_COUNT_PERSISTENT_H
#define PROFILER_COUNT_PERSISTENT_H

#include <atomic>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profiler/traffic/counters.h"
#include "profiler/traffic/kinds.h"

namespace hitopo::profile {

struct Persistent {
    Kind* kind;
    std::uint64_t bytes;            // of all that it sends
    std::vector<Message> messages;  // to single peers
    PerLane collective_bytes;       // of a flat collective
};

class PersistentRequests {
public:
    // Never destroyed: as the other objects that MPI's functions call.
    static PersistentRequests& instance() {
        static PersistentRequests& requests = *new PersistentRequests;
        return requests;
    }

    // The handle may have been another request's, whose end nobody saw.
    void add(const void* handle, Persistent persistent) {
        const std::lock_guard<std::mutex> lock(mutex_);
        by_handle_[handle] = std::move(persistent);
        has_some_ = true;
    }
    void remove(const void* handle) {
        if (has_some_) {
            const std::lock_guard<std::mutex> lock(mutex_);
            by_handle_.erase(handle);
            has_some_ = !by_handle_.empty();
        }
    }
    // Calls body(persistent) if the request is one.
    template <class Body>
    void with(const void* handle, Body&& body) {
        const std::lock_guard<std::mutex> lock(mutex_);
        const auto found = by_handle_.find(handle);
        if (found != by_handle_.end()) {
            body(std::as_const(found->second));
        }
    }

private:
    std::atomic<bool> has_some_{false};
    std::mutex mutex_;
    std::unordered_map<const void*, Persistent> by_handle_;
};

}  // namespace hitopo::profile

#endif
