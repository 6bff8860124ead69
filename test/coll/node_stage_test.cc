// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Random calls of the processes of a node, in threads, and one at a time in an order that chance chooses
// at each step.
#include "ompi/mca/coll/hitopo/core/node_stage.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace hitopo::coll {
namespace {

constexpr int kLengthError = 15, kIdleError = 75;

struct Zeroed {
    explicit Zeroed(int num) : cells(new NodeCell[static_cast<std::size_t>(num) + 1]()) {}
    std::unique_ptr<NodeCell[]> cells;
};

// What a call does: the same at all processes.
struct Plan {
    int giver, taker;
    std::size_t count;  // numbers of 4 bytes
};

std::uint32_t number(int process, int call, std::size_t i) {
    return static_cast<std::uint32_t>(process * 1000003 + call * 10007 + static_cast<int>(i) * 101);
}

std::uint32_t from_network(int call, std::size_t i) { return number(77, call, i); }

// What the takers have to receive.
std::uint32_t expected(const Plan& plan, int num, int call, std::size_t i) {
    std::uint32_t sum = from_network(call, i);
    for (int process = 0; process < num; ++process) {
        sum += plan.giver == NodeCall::kAll || plan.giver == process ? number(process, call, i) : 0;
    }
    return sum;
}

class TestedCall : public NodeCall {
public:
    TestedCall(const Plan& plan, int process, int call, std::function<int()> step)
        : process_(process), call_(call), step_(std::move(step)) {
        giver = plan.giver;
        taker = plan.taker;
        num_bytes = plan.count * sizeof(std::uint32_t);
        length_error = kLengthError;
    }
    int give(char* data) override {
        for (std::size_t i = 0; i < count(); ++i) {
            set(data, i, number(process_, call_, i));
        }
        step_();
        return give_error;
    }
    int merge(const char* in, char* inout) override {
        for (std::size_t i = 0; i < count(); ++i) {
            set(inout, i, get(in, i) + get(inout, i));
        }
        step_();
        return 0;
    }
    int cross(char* data) override {
        for (std::size_t i = 0; i < count(); ++i) {
            set(data, i, (giver == kNone ? 0 : get(data, i)) + from_network(call_, i));
        }
        step_();
        return 0;
    }
    int take(const char* data) override {
        step_();
        for (std::size_t i = 0; i < count(); ++i) {
            result.push_back(get(data, i));
        }
        return 0;
    }
    int idle() override { return step_(); }

    int give_error = 0;
    std::vector<std::uint32_t> result;

private:
    std::size_t count() const { return num_bytes / sizeof(std::uint32_t); }
    static std::uint32_t get(const char* data, std::size_t i) {
        std::uint32_t value = 0;
        std::memcpy(&value, data + i * sizeof(value), sizeof(value));
        return value;
    }
    static void set(char* data, std::size_t i, std::uint32_t value) {
        std::memcpy(data + i * sizeof(value), &value, sizeof(value));
    }

    int process_, call_;
    std::function<int()> step_;
};

std::vector<Plan> random_plans(int num, int num_calls, std::mt19937& random) {
    std::vector<Plan> plans;
    const auto below = [&](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
    for (int call = 0; call < num_calls; ++call) {
        const bool is_reduction = below(2) == 0;
        const int one = below(num + 1) - 1 == -1 ? NodeCall::kNone : below(num);
        plans.push_back({is_reduction ? NodeCall::kAll : one,
                         is_reduction && below(2) == 0 ? one : NodeCall::kAll,
                         1 + random() % (kMostShared / sizeof(std::uint32_t))});
    }
    return plans;
}

// "" or what is wrong with a call that has ended.
std::string judge(const TestedCall& tested, const Plan& plan, int num, int process, int call,
                  int error) {
    const bool takes = plan.taker == NodeCall::kAll || plan.taker == process;
    bool is_right = error == 0 && tested.result.size() == (takes ? plan.count : 0);
    for (std::size_t i = 0; is_right && i < tested.result.size(); ++i) {
        is_right = tested.result[i] == expected(plan, num, call, i);
    }
    return is_right ? "" : "call " + std::to_string(call) + " ended with " + std::to_string(error);
}

// What went wrong first at this process, or "". Goes on then: others wait for it.
std::string run_all(NodeStage& stage, const std::vector<Plan>& plans, int num, int process,
                    const std::function<int()>& step) {
    std::string wrong;
    for (std::size_t call = 0; call < plans.size(); ++call) {
        const Plan& plan = plans[call];
        TestedCall tested(plan, process, static_cast<int>(call), step);
        const int error = stage.run(tested);
        wrong = wrong.empty() ? judge(tested, plan, num, process, static_cast<int>(call), error) : wrong;
    }
    return wrong;
}

// The same, of which some begin before the earlier ones have ended, each process's own number; and some
// are waited for.
std::string begin_all(NodeStage& stage, const std::vector<Plan>& plans, int num, int process,
                      const std::function<int()>& step) {
    std::mt19937 random(static_cast<unsigned>(process));
    std::deque<std::unique_ptr<TestedCall>> pending;
    std::string wrong;
    std::size_t num_ended = 0;
    const auto end = [&](const TestedCall& tested, int error) {
        const std::string what =
            judge(tested, plans[num_ended], num, process, static_cast<int>(num_ended), error);
        wrong = wrong.empty() ? what : wrong;
        ++num_ended;
    };
    const auto move_on = [&] {
        int error = 0;
        while (!pending.empty() && (error = stage.move_on(*pending.front())) != kPending) {
            end(*pending.front(), error);
            pending.pop_front();
        }
    };
    for (std::size_t call = 0; call < plans.size(); ++call) {
        const auto idle = [&] {  // as Open MPI's progress
            move_on();
            return step();
        };
        if (random() % 4 == 0) {
            TestedCall tested(plans[call], process, static_cast<int>(call), idle);
            const int error = stage.run(tested);
            end(tested, error);
            continue;
        }
        pending.push_back(
            std::make_unique<TestedCall>(plans[call], process, static_cast<int>(call), step));
        stage.begin(*pending.back());
        for (std::size_t i = random() % 3; i > 0; --i) {
            move_on();
            step();
        }
    }
    while (!pending.empty()) {
        move_on();
        step();
    }
    return wrong;
}

// Lets one thread run at a time; each step may hand over to another.
class Turns {
public:
    Turns(int num, unsigned seed) : is_running_(static_cast<std::size_t>(num), true), random_(seed) {}

    void begin(int process) {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [&] { return turn_ == process; });
    }
    void step(int process) {
        std::unique_lock<std::mutex> lock(mutex_);
        choose();
        changed_.notify_all();
        changed_.wait(lock, [&] { return turn_ == process; });
    }
    void end(int process) {
        const std::lock_guard<std::mutex> lock(mutex_);
        is_running_[static_cast<std::size_t>(process)] = false;
        choose();
        changed_.notify_all();
    }

private:
    // Some are chosen seldom for a while, so that others run ahead of them.
    void choose() {
        std::vector<int> running;
        for (std::size_t i = 0; i < is_running_.size(); ++i) {
            if (is_running_[i]) {
                running.push_back(static_cast<int>(i));
            }
        }
        if (running.empty()) {
            return;
        }
        late_ = random_() % 200 == 0 ? static_cast<int>(random_() % is_running_.size()) : late_;
        turn_ = running[random_() % running.size()];
        if (turn_ == late_ && random_() % 16 != 0) {
            turn_ = running[random_() % running.size()];
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<bool> is_running_;
    std::mt19937 random_;
    int turn_ = 0, late_ = 0;
};

template <class Body>
void in_threads(int num, Body body) {
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(num));
    for (int process = 0; process < num; ++process) {
        threads.emplace_back([=] { body(process); });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

TEST(NodeStage, any_order_of_steps) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        std::mt19937 random(seed);
        const int num =
            1 + static_cast<int>(random() % (seed % 4 == 0 ? 40 : 12));  // 18 and more: a deeper tree
        const std::vector<Plan> plans = random_plans(num, 40, random);
        const Zeroed memory(num);
        Turns turns(num, seed);
        std::vector<std::string> wrong(static_cast<std::size_t>(num));
        in_threads(num, [&, num](int process) {
            turns.begin(process);
            NodeStage stage(memory.cells.get(), num, process);
            wrong[static_cast<std::size_t>(process)] = run_all(stage, plans, num, process, [&] {
                turns.step(process);
                return 0;
            });
            turns.end(process);
        });
        for (const std::string& what : wrong) {
            ASSERT_EQ(what, "") << "seed " << seed << ", " << num << " processes";
        }
    }
}

int yield() {
    std::this_thread::yield();
    return 0;
}

// run(stage, plans, num, process) at each process of nodes of several sizes returns what went wrong.
template <class Run>
void in_nodes_of_threads(Run run) {
    for (const int num : {1, 2, 3, 9, 40}) {
        std::mt19937 random(static_cast<unsigned>(num));
        const std::vector<Plan> plans = random_plans(num, 400, random);
        const Zeroed memory(num);
        std::vector<std::string> wrong(static_cast<std::size_t>(num));
        in_threads(num, [&, num](int process) {
            NodeStage stage(memory.cells.get(), num, process);
            wrong[static_cast<std::size_t>(process)] = run(stage, plans, num, process);
        });
        for (const std::string& what : wrong) {
            ASSERT_EQ(what, "") << num << " processes";
        }
    }
}

TEST(NodeStage, threads) {
    in_nodes_of_threads([](NodeStage& stage, const std::vector<Plan>& plans, int num, int process) {
        return run_all(stage, plans, num, process, yield);
    });
}

TEST(NodeStage, several_at_once) {
    in_nodes_of_threads([](NodeStage& stage, const std::vector<Plan>& plans, int num, int process) {
        return begin_all(stage, plans, num, process, yield);
    });
}

// One process has another length, or an error of its own: all that take know, and the next call is as
// ever.
TEST(NodeStage, errors_of_one_call_reach_all) {
    constexpr int kNum = 20;
    const Zeroed memory(kNum);
    std::vector<int> errors(kNum), afterwards(kNum);
    for (const bool is_length : {true, false}) {
        const Zeroed fresh(kNum);
        in_threads(kNum, [&](int process) {
            NodeStage stage(fresh.cells.get(), kNum, process);
            const bool is_wrong = process == kNum - 1;
            const std::size_t count = is_wrong && is_length ? 5 : 4;
            TestedCall call({NodeCall::kAll, NodeCall::kAll, count}, process, 0, yield);
            call.give_error = is_wrong && !is_length ? 3 : 0;
            errors[static_cast<std::size_t>(process)] = stage.run(call);
            TestedCall next({NodeCall::kAll, NodeCall::kAll, 4}, process, 1, yield);
            afterwards[static_cast<std::size_t>(process)] = stage.run(next);
        });
        EXPECT_EQ(errors, std::vector<int>(kNum, is_length ? kLengthError : 3));
        EXPECT_EQ(afterwards, std::vector<int>(kNum, 0));
    }
}

// Nobody comes: the wait's error ends this call and all later ones.
TEST(NodeStage, a_wait_that_ends_with_an_error_is_the_last) {
    const Zeroed memory(2);
    NodeStage stage(memory.cells.get(), 2, 1);
    TestedCall call({NodeCall::kAll, NodeCall::kAll, 1}, 1, 0, [] { return kIdleError; });
    EXPECT_EQ(stage.run(call), kIdleError);
    TestedCall next({1, NodeCall::kNone, 1}, 1, 1, [] { return 0; });
    EXPECT_EQ(stage.run(next), kIdleError);
}

}  // namespace
}  // namespace hitopo::coll
