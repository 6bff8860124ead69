// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/cpuid/hitopo_cpuid_thread.h"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "ompi/mca/hitopo/support/blocked_signals.h"
#include "ompi/mca/hitopo/support/cpu_mask.h"

namespace hitopo {
namespace {

// The first version of the kernel's struct sched_attr, which no C library header has for long.
struct SchedAttributes {
    std::uint32_t num_bytes;
    std::uint32_t policy;
    std::uint64_t flags;
    std::int32_t nice;
    std::uint32_t priority;
    std::uint64_t slice_ns;
    std::uint64_t deadline_ns;
    std::uint64_t period_ns;
};
static_assert(sizeof(SchedAttributes) == 48, "SCHED_ATTR_SIZE_VER0");

// Ranks that wait in MPI_Init keep their CPUs busy, and a thread that moves to such a CPU waits there
// for the next tick. From Linux 6.12 on, one that asks for short slices runs at once.
void ask_for_short_slices() {
    constexpr std::uint64_t kShortest = 100000;
    SchedAttributes own = {};
    if (syscall(SYS_sched_getattr, 0, &own, sizeof own, 0) == 0 && own.policy == SCHED_OTHER) {
        own.slice_ns = kShortest;
        syscall(SYS_sched_setattr, 0, &own, 0);
    }
}

class HelperThread {
public:
    explicit HelperThread(const std::function<void()>& body) : body_(body) {}

    bool start() {
        const BlockedSignals blocked;
        try {
            thread_ = std::thread([this] { run(); });
        } catch (const std::system_error&) {
            return false;
        }
        return true;
    }

    void finish(std::chrono::steady_clock::time_point deadline) {
        std::unique_lock<std::mutex> lock(mutex_);
        const auto is_done = [this] { return is_done_; };
        if (!done_.wait_until(lock, deadline, is_done)) {
            do {
                pull_back();
            } while (!done_.wait_for(lock, std::chrono::milliseconds(1), is_done));
        }
        lock.unlock();
        thread_.join();
        if (thrown_) {
            std::rethrow_exception(thrown_);
        }
    }

private:
    void run() {
        ask_for_short_slices();
        try {
            body_();
        } catch (...) {
            thrown_ = std::current_exception();
        }
        const std::lock_guard<std::mutex> lock(mutex_);
        is_done_ = true;
        done_.notify_one();
    }

    void pull_back() {
        const CpuMask mine = CpuMask::of_thread(0);
        pthread_setaffinity_np(thread_.native_handle(), mine.num_bytes(), mine.get());
    }

    const std::function<void()>& body_;
    std::thread thread_;
    std::mutex mutex_;
    std::condition_variable done_;
    bool is_done_ = false;
    std::exception_ptr thrown_;
};

}  // namespace

bool run_on_helper_thread(std::chrono::steady_clock::time_point deadline,
                          const std::function<void()>& body) {
    HelperThread helper(body);
    if (!helper.start()) {
        return false;
    }
    helper.finish(deadline);
    return true;
}

}  // namespace hitopo
