// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A thread that does one thing, with all signals blocked. Its caller's wait is bounded.
#ifndef OMPI_MCA_HITOPO_SUPPORT_HELPER_THREAD_H
#define OMPI_MCA_HITOPO_SUPPORT_HELPER_THREAD_H

#include <pthread.h>
#include <signal.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

namespace hitopo {

// All signals are blocked while it lives: the application's handlers never run in threads that start
// meanwhile. A new thread inherits the signal mask of its maker.
class BlockedSignals {
public:
    BlockedSignals() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;

private:
    sigset_t before_;
};

class HelperThread {
public:
    using Deadline = std::chrono::steady_clock::time_point;

    // Empty if no thread could be started.
    static std::optional<HelperThread> start(std::function<void()> body) {
        HelperThread helper(std::make_shared<State>(std::move(body)));
        try {
            const BlockedSignals blocked;
            helper.thread_ = std::thread([state = helper.state_] { state->run(); });
        } catch (const std::system_error&) {
            return std::nullopt;
        }
        return helper;
    }

    HelperThread(HelperThread&&) = default;

    // One that was not joined runs on by itself: its body may touch its own data only.
    ~HelperThread() {
        if (thread_.joinable()) {
            thread_.detach();
        }
    }

    // Whether the body has ended by then. Waits no longer.
    bool ends_by(Deadline deadline) {
        std::unique_lock<std::mutex> lock(state_->mutex);
        return state_->ended.wait_until(lock, deadline, [this] { return state_->has_ended; });
    }

    // Rethrows an exception of the body.
    void join() {
        thread_.join();
        if (state_->thrown) {
            std::rethrow_exception(state_->thrown);
        }
    }

    std::thread::native_handle_type handle() { return thread_.native_handle(); }

private:
    struct State {
        explicit State(std::function<void()> body) : body(std::move(body)) {}

        void run() {
            try {
                body();
            } catch (...) {
                thrown = std::current_exception();
            }
            const std::lock_guard<std::mutex> lock(mutex);
            has_ended = true;
            ended.notify_one();
        }

        std::function<void()> body;
        std::exception_ptr thrown;
        std::mutex mutex;
        std::condition_variable ended;
        bool has_ended = false;
    };

    explicit HelperThread(std::shared_ptr<State> state) : state_(std::move(state)) {}

    std::shared_ptr<State> state_;
    std::thread thread_;
};

// For calls into a driver that may never come back: of firmware that hangs, for example. The body's
// result; empty if it is not there by the deadline, or the body throws. One that comes too late runs on
// by itself: it may touch its own data only.
template <class T>
std::optional<T> run_bounded(HelperThread::Deadline deadline, std::function<T()> body) {
    const auto result = std::make_shared<std::optional<T>>();
    std::optional<HelperThread> helper =
        HelperThread::start([result, body = std::move(body)] { *result = body(); });
    if (!helper || !helper->ends_by(deadline)) {
        return std::nullopt;
    }
    return std::move(*result);
}

}  // namespace hitopo

#endif
