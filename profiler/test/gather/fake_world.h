// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Processes as threads, whose messages arrive when they are received and not before, as long ones do.
// Who waits for ever is let go, and noted.
#ifndef PROFILER_TEST_GATHER_FAKE_WORLD_H
#define PROFILER_TEST_GATHER_FAKE_WORLD_H

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "profiler/gather/gather.h"

namespace hitopo {

class FakeWorld {
public:
    explicit FakeWorld(int size) : size_(size), left_(static_cast<std::size_t>(size), kNever) {}

    // rank dies before its so-and-so-many-th message from now on, sent or received.
    void kill(int rank, int messages) { left_[static_cast<std::size_t>(rank)] = messages; }
    // What `to` receives as its n-th message is lost: there is no memory for it.
    void lose(int to, int message) { lost_[to] = message; }

    // Runs body(messages, rank) for each rank, until all have ended.
    void run(const std::function<void(PeerMessages&, int)>& body);

    bool is_dead(int rank) const { return left_[static_cast<std::size_t>(rank)] == 0; }
    int num_received(int rank) const { return at(num_received_, rank); }
    int num_sent(int rank) const { return at(num_sent_, rank); }
    // Waits that would not have ended, among those that are alive.
    int num_stuck() const { return num_stuck_; }

private:
    static constexpr int kNever = -1;

    class FakePeerMessages : public PeerMessages {
    public:
        FakePeerMessages(FakeWorld& world, int rank) : world_(world), rank_(rank) {}
        bool send(int to, std::string_view bytes) noexcept override {
            return world_.send(rank_, to, std::string(bytes));
        }
        std::optional<std::string> receive(int from) noexcept override {
            return world_.receive(from, rank_);
        }

    private:
        FakeWorld& world_;
        int rank_;
    };
    struct Waiter {
        std::function<bool()> condition;
        int other;
        bool is_stuck = false;
    };
    struct Message {
        std::string bytes;
        bool is_taken = false;
    };

    static int at(const std::map<int, int>& counts, int rank) {
        const auto found = counts.find(rank);
        return found == counts.end() ? 0 : found->second;
    }
    bool send(int from, int to, std::string bytes);
    std::optional<std::string> receive(int from, int to);
    bool has_died(int rank);
    bool is_over(int rank) const { return has_ended_.count(rank) > 0; }
    bool wait(std::unique_lock<std::mutex>& lock, std::function<bool()> condition, int other);
    void let_go_of_stuck();
    void note_change() {
        let_go_of_stuck();
        changed_.notify_all();
    }

    int size_;
    std::vector<int> left_;  // messages until its death
    std::map<int, int> lost_;
    std::map<int, int> num_received_, num_sent_;

    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::pair<int, int>, Message*> on_the_way_;
    std::set<int> has_ended_;
    std::list<Waiter> waiters_;
    int num_stuck_ = 0;
};

// ---- what follows holds the lock ----

inline bool FakeWorld::has_died(int rank) {
    int& left = left_[static_cast<std::size_t>(rank)];
    if (left > 0 && --left == 0) {
        has_ended_.insert(rank);
        note_change();
    }
    return left == 0;
}

// Where all wait, and for nothing that there is.
inline void FakeWorld::let_go_of_stuck() {
    const bool is_stuck = waiters_.size() + has_ended_.size() == static_cast<std::size_t>(size_) &&
                          std::none_of(waiters_.begin(), waiters_.end(), [this](const Waiter& waiter) {
                              return waiter.is_stuck || waiter.condition() || is_over(waiter.other);
                          });
    for (Waiter& waiter : waiters_) {
        waiter.is_stuck = waiter.is_stuck || is_stuck;
        num_stuck_ += is_stuck ? 1 : 0;
    }
}

// False where the other is over before the condition holds. It then has to be dead: one that ends by
// itself must have nobody who waits for it.
inline bool FakeWorld::wait(std::unique_lock<std::mutex>& lock, std::function<bool()> condition,
                            int other) {
    const auto waiter = waiters_.insert(waiters_.end(), {std::move(condition), other});
    note_change();
    changed_.wait(lock, [&] { return waiter->condition() || is_over(other) || waiter->is_stuck; });
    const bool holds = waiter->condition();
    num_stuck_ += !holds && !waiter->is_stuck && !is_dead(other) ? 1 : 0;
    waiters_.erase(waiter);
    return holds;
}

inline bool FakeWorld::send(int from, int to, std::string bytes) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (has_died(from) || is_dead(to)) {
        return false;
    }
    ++num_sent_[from];
    Message message = {std::move(bytes)};
    const auto way = std::pair(from, to);
    on_the_way_[way] = &message;
    const bool is_taken = wait(
        lock, [&] { return message.is_taken; }, to);
    if (!is_taken) {
        on_the_way_.erase(way);
    }
    return is_taken;
}

inline std::optional<std::string> FakeWorld::receive(int from, int to) {
    std::unique_lock<std::mutex> lock(mutex_);
    const auto way = std::pair(from, to);
    if (has_died(to) || !wait(
                            lock, [&] { return on_the_way_.count(way) > 0; }, from)) {
        return std::nullopt;
    }
    Message& message = *on_the_way_[way];
    std::string bytes = std::move(message.bytes);
    message.is_taken = true;
    on_the_way_.erase(way);
    note_change();
    const bool is_lost = ++num_received_[to] == at(lost_, to) && bytes.size() > 15;
    return is_lost ? std::string(PeerMessages::kLost) : bytes;
}

inline void FakeWorld::run(const std::function<void(PeerMessages&, int)>& body) {
    std::vector<std::thread> threads;
    for (int rank = 0; rank < size_; ++rank) {
        threads.emplace_back([&, rank] {
            FakePeerMessages messages(*this, rank);
            body(messages, rank);
            const std::lock_guard<std::mutex> lock(mutex_);
            has_ended_.insert(rank);
            note_change();
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

}  // namespace hitopo

#endif
