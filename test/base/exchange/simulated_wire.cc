// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/base/exchange/simulated_wire.h"

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "ompi/mca/hitopo/core/text/guard.h"
#include "test/support/counted_memory.h"

namespace hitopo {
namespace {

constexpr std::uint32_t kNobody = StatusHeader::kNobody;
constexpr std::uint32_t kNobodyRuns = kNobody - 1;

WireFault::Kind kind_now = WireFault::kNone;  // what allocations of the running process do
long num_taken = 0, first_failing = 0, end_failing = 0;
bool is_counting = false;

bool take() {
    if (!is_counting) {
        return true;
    }
    ++num_taken;
    return kind_now != WireFault::kAllocation || num_taken < first_failing || num_taken >= end_failing;
}

struct Call {
    std::uint32_t to = kNobody, from = kNobody;
    const char* sent = nullptr;
    std::size_t num_sent = 0;
    char* received = nullptr;
    std::size_t capacity = 0;
    bool is_sent = true, is_received = true;  // or there is nobody
    bool has_failed = false;
    std::size_t num_received = 0;

    bool is_over() const { return is_sent && is_received; }
};

class Simulation {
public:
    Simulation(std::size_t num_processes, const WireFault& fault)
        : fault_(fault), processes_(num_processes) {
        run_.num_allocations.resize(num_processes);
        run_.num_messages.resize(num_processes);
    }

    SimulatedRun run(const std::function<void(ExchangeWire&)>& body) {
        std::vector<std::thread> threads;
        for (std::uint32_t process = 0; process < processes_.size(); ++process) {
            threads.emplace_back([this, process, &body] { live(process, body); });
        }
        {
            const std::lock_guard<std::mutex> lock(mutex_);
            running_ = 0;
        }
        processes_[0].turn.notify_one();
        for (std::thread& thread : threads) {
            thread.join();
        }
        return run_;
    }

    std::size_t swap(std::uint32_t own, Call call) {
        stop_counting(own);
        std::unique_lock<std::mutex> lock(mutex_);
        Process& me = processes_[own];
        const bool is_fault = fault_.kind != WireFault::kAllocation && fault_.process == own &&
                              run_.num_messages[own] + 1 == fault_.first;
        ++run_.num_messages[own];
        me.is_dead = me.is_dead || (is_fault && fault_.kind == WireFault::kDeath);
        if (me.is_dead) {
            throw MessageFailed{kErrorGeneric};
        }
        call.is_sent = call.to == kNobody;
        call.is_received = call.from == kNobody;
        me.call = call;
        meet(own, call.to);
        meet(call.from, own);
        while (!me.call.is_over()) {
            yield(own, lock);
        }
        if (is_fault) {
            spoil(me.call);
        }
        const Call done = std::exchange(me.call, {});
        start_counting(own);
        if (done.has_failed) {
            throw MessageFailed{kErrorGeneric};
        }
        return done.num_received;
    }

    std::size_t size() const { return processes_.size(); }

private:
    struct Process {
        std::condition_variable turn;
        Call call;
        bool is_over = false, is_dead = false;
        long num_taken = 0;
    };

    class Wire : public ExchangeWire {
    public:
        Wire(Simulation& simulation, std::uint32_t own) : simulation_(simulation), own_(own) {}
        std::uint32_t own() const override { return own_; }
        std::size_t size() const override { return simulation_.size(); }
        std::size_t swap(std::uint32_t to, const void* sent, std::size_t num_sent, std::uint32_t from,
                         void* received, std::size_t capacity) override {
            Call call;
            call.to = to;
            call.from = from;
            call.sent = static_cast<const char*>(sent);
            call.num_sent = num_sent;
            call.received = static_cast<char*>(received);
            call.capacity = capacity;
            return simulation_.swap(own_, call);
        }

    private:
        Simulation& simulation_;
        const std::uint32_t own_;
    };

    void live(std::uint32_t own, const std::function<void(ExchangeWire&)>& body) {
        {
            std::unique_lock<std::mutex> lock(mutex_);
            processes_[own].turn.wait(lock, [&] { return running_ == own; });
        }
        Wire wire(*this, own);
        start_counting(own);
        int code = kSuccess;
        try {
            body(wire);
        } catch (const MessageFailed& failed) {
            code = failed.code;
        } catch (const std::bad_alloc&) {
            code = kErrorOutOfResource;
        } catch (const std::exception&) {
            code = kErrorGeneric;
        }
        stop_counting(own);
        std::unique_lock<std::mutex> lock(mutex_);
        processes_[own].is_over = true;
        if (code != kSuccess && !processes_[own].is_dead && !run_.end) {
            run_.end = {own, code};
        }
        run_.num_allocations[own] = processes_[own].num_taken;
        pass_turn(own);
    }

    void start_counting(std::uint32_t own) {
        kind_now = fault_.process == own ? fault_.kind : WireFault::kNone;
        num_taken = processes_[own].num_taken;
        first_failing = fault_.first;
        end_failing = fault_.first + fault_.num;
        is_counting = true;
    }

    void stop_counting(std::uint32_t own) {
        if (is_counting) {
            processes_[own].num_taken = num_taken;
            is_counting = false;
        }
    }

    // Both wait for each other from here on: the message goes over when both are there.
    void meet(std::uint32_t sender, std::uint32_t receiver) {
        if (sender == kNobody || receiver == kNobody) {
            return;
        }
        Call& out = processes_[sender].call;
        Call& in = processes_[receiver].call;
        if (out.is_sent || in.is_received || out.to != receiver || in.from != sender) {
            return;
        }
        const bool fits = out.num_sent <= in.capacity;
        in.num_received = fits ? out.num_sent : 0;
        in.has_failed = in.has_failed || !fits;
        if (fits) {
            std::copy_n(out.sent, out.num_sent, in.received);
        }
        out.is_sent = in.is_received = true;
    }

    void spoil(Call& call) const {
        constexpr std::size_t kHeaderBytes = sizeof(StatusHeader) + sizeof(std::uint64_t);
        call.has_failed |= (fault_.kind == WireFault::kUnsent && call.to != kNobody) ||
                           (fault_.kind == WireFault::kLost && call.from != kNobody);
        if (fault_.kind == WireFault::kCut) {
            call.num_received /= 2;
        } else if (fault_.kind == WireFault::kDamaged && call.num_received > kHeaderBytes) {
            std::fill(call.received + kHeaderBytes, call.received + call.num_received, '\xff');
        }
    }

    bool can_run(std::uint32_t process) const {
        return !processes_[process].is_over && processes_[process].call.is_over();
    }

    void yield(std::uint32_t own, std::unique_lock<std::mutex>& lock) {
        pass_turn(own);
        processes_[own].turn.wait(lock, [&] { return running_ == own; });
    }

    void pass_turn(std::uint32_t own) {
        running_ = next_after(own);
        while (running_ == kNobodyRuns && end_waits()) {
            running_ = next_after(own);
        }
        if (running_ != kNobodyRuns) {
            processes_[running_].turn.notify_one();
        }
    }

    std::uint32_t next_after(std::uint32_t own) const {
        for (std::uint32_t i = 1; i <= processes_.size(); ++i) {
            const auto process = static_cast<std::uint32_t>((own + i) % processes_.size());
            if (can_run(process)) {
                return process;
            }
        }
        return kNobodyRuns;
    }

    bool is_gone(std::uint32_t process) const {
        return processes_[process].is_over || processes_[process].is_dead;
    }

    // Nobody can go on: ends what waits for somebody who is gone, or else all. Whether there was any.
    bool end_waits() {
        const auto end_if = [&](auto is_ended) {
            bool has_ended = false;
            for (Process& process : processes_) {
                Call& call = process.call;
                if (process.is_over || call.is_over()) {
                    continue;
                }
                const bool is_send_ended = !call.is_sent && is_ended(call.to);
                const bool is_receive_ended = !call.is_received && is_ended(call.from);
                call.has_failed |= is_send_ended || is_receive_ended;
                call.is_sent |= is_send_ended;
                call.is_received |= is_receive_ended;
                if (is_send_ended || is_receive_ended) {
                    ++run_.num_stranded;
                    has_ended = true;
                }
            }
            return has_ended;
        };
        return end_if([this](std::uint32_t process) { return is_gone(process); }) ||
               end_if([](std::uint32_t) { return true; });
    }

    const WireFault fault_;
    std::mutex mutex_;
    std::vector<Process> processes_;
    std::uint32_t running_ = kNobodyRuns;
    SimulatedRun run_;
};

}  // namespace

SimulatedRun run_processes(std::size_t num_processes, const WireFault& fault,
                           const std::function<void(ExchangeWire&)>& body) {
    may_allocate = take;
    SimulatedRun run = Simulation(num_processes, fault).run(body);
    may_allocate = nullptr;
    return run;
}

}  // namespace hitopo
