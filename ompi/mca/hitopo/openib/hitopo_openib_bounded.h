// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// For calls into a driver that may never come back: of firmware that hangs, for example.
#ifndef OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_BOUNDED_H
#define OMPI_MCA_HITOPO_OPENIB_HITOPO_OPENIB_BOUNDED_H

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "ompi/mca/hitopo/openib/hitopo_openib_input.h"
#include "ompi/mca/hitopo/support/blocked_signals.h"

namespace hitopo {

template <class T>
class BoundedCall {
public:
    explicit BoundedCall(std::function<T()> body) : body_(std::move(body)) {}

    void run() {
        std::optional<T> result;
        try {
            result = body_();
        } catch (...) {  // none: as if it came too late
        }
        const std::lock_guard<std::mutex> lock(mutex_);
        result_ = std::move(result);
        is_done_ = true;
        done_.notify_one();
    }

    std::optional<T> wait(Deadline deadline) {
        std::unique_lock<std::mutex> lock(mutex_);
        done_.wait_until(lock, deadline, [this] { return is_done_; });
        return std::move(result_);
    }

private:
    std::function<T()> body_;
    std::mutex mutex_;
    std::condition_variable done_;
    bool is_done_ = false;
    std::optional<T> result_;
};

// The body's result; empty if it is not there by the deadline. Then it runs on, on a thread that nobody
// waits for any more: it may touch only what it owns itself.
template <class T>
std::optional<T> run_bounded(Deadline deadline, std::function<T()> body) {
    const auto call = std::make_shared<BoundedCall<T>>(std::move(body));
    try {
        const BlockedSignals blocked;
        std::thread([call] { call->run(); }).detach();
    } catch (const std::system_error&) {
        return std::nullopt;
    }
    return call->wait(deadline);
}

}  // namespace hitopo

#endif
