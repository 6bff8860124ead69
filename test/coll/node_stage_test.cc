// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Random calls of the processes of a node, in threads, and one at a time in an order that chance chooses
// at each step.
#include "ompi/mca/coll/hitopo/core/node_stage.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <cstdint>
#include <cstring>
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
    explicit Zeroed(int num) : cells(new NodeCell[static_cast<std::size_t>(num)]()) {}
    std::unique_ptr<NodeCell[]> cells;
};

using Numbers = std::vector<std::uint32_t>;

// The course of a call: the same at all processes.
struct Plan {
    bool is_merged, comes_down, is_from_leader, is_in_place;
    bool leader_takes;  // what does not come down
    int leader;
    std::vector<int> parent;                 // of each process but the leader
    std::vector<std::vector<int>> children;  // of each process
    std::size_t count;                       // numbers of 4 bytes
};

std::uint32_t number(int process, int call, std::size_t i) {
    return static_cast<std::uint32_t>(process * 1000003 + call * 10007 + static_cast<int>(i) * 101);
}

Numbers numbers(const Plan& plan, int process, int call) {
    Numbers all;
    for (std::size_t i = 0; i < plan.count; ++i) {
        all.push_back(number(process, call, i));
    }
    return all;
}

// Which operand is which shows, and in which order they are merged.
std::uint32_t merged(std::uint32_t in, std::uint32_t inout) { return 31 * in + 17 * inout + 5; }

Numbers merged(const Numbers& in, Numbers inout) {
    for (std::size_t i = 0; i < in.size(); ++i) {
        inout[i] = merged(in[i], inout[i]);
    }
    return inout;
}

// What process `process` and those below it contribute. The first message to arrive is received where
// the sum will be, if that is not the process's own memory.
Numbers contribution(const Plan& plan, int process, int call) {
    Numbers sum = numbers(plan, process, call);
    const std::vector<int>& children = plan.children[static_cast<std::size_t>(process)];
    const bool is_in_place = plan.is_in_place && (plan.comes_down || plan.leader == process);
    for (std::size_t i = children.size(); i-- > 0;) {
        Numbers other = contribution(plan, children[i], call);
        const bool is_received_in_sum = i + 1 == children.size() && !is_in_place;
        sum = is_received_in_sum ? merged(sum, std::move(other)) : merged(other, std::move(sum));
    }
    return sum;
}

// The result of other nodes.
std::uint32_t crossed(std::uint32_t value) { return value * 3 + 77; }
constexpr std::uint32_t kFromOthers = 7654321;

// The result that the takers have to receive.
Numbers expected(const Plan& plan, int call) {
    if (!plan.is_merged) {
        return plan.is_from_leader ? numbers(plan, plan.leader, call) : Numbers(plan.count, kFromOthers);
    }
    Numbers all = contribution(plan, plan.leader, call);
    for (std::uint32_t& value : all) {
        value = crossed(value);
    }
    return all;
}

class TestedCall : public NodeCall {
public:
    TestedCall(const Plan& plan, int process, int call, std::function<int()> step)
        : plan_(plan), process_(process), call_(call), step_(std::move(step)) {
        is_merged = plan.is_merged;
        is_from_leader = plan.is_from_leader;
        comes_down = plan.comes_down;
        leader = plan.leader;
        takes =
            comes_down ? !(is_from_leader && process == leader) : process == leader && plan.leader_takes;
        is_in_place = plan.is_in_place && takes;
        parent = plan.parent[static_cast<std::size_t>(process)];
        children = &plan.children[static_cast<std::size_t>(process)];
        num_bytes = plan.count * sizeof(std::uint32_t);
        length_error = kLengthError;
    }
    int give(char* data) override {
        const Numbers all = numbers(plan_, process_, call_);
        std::memcpy(data, all.data(), num_bytes);
        step_();
        return give_error;
    }
    int merge(const char* in, char* inout) override {
        const Numbers all = merged(read(in), read(inout));
        std::memcpy(inout, all.data(), num_bytes);
        step_();
        return 0;
    }
    int cross(const char* from, char* data) override {
        Numbers all = is_merged || is_from_leader ? read(from) : Numbers(plan_.count, kFromOthers);
        for (std::uint32_t& value : all) {
            value = is_merged ? crossed(value) : value;
        }
        if (!is_from_leader) {  // else others read it by now
            std::memcpy(data, all.data(), num_bytes);
        }
        step_();
        return 0;
    }
    int take(const char* data) override {
        step_();
        result = read(data);
        return 0;
    }
    int idle(unsigned) override { return step_(); }

    int give_error = 0;
    Numbers result;

private:
    Numbers read(const char* data) const {
        Numbers all(plan_.count);
        std::memcpy(all.data(), data, num_bytes);
        return all;
    }

    const Plan& plan_;
    int process_, call_;
    std::function<int()> step_;
};

// All processes in a random tree below the leader.
Plan random_plan(int num, std::mt19937& random) {
    const auto below = [&](int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); };
    const auto size = static_cast<std::size_t>(num);
    Plan plan{below(2) == 0, true, false, below(2) == 0, below(2) == 0, below(num), {}, {}, 0};
    if (plan.is_merged) {
        plan.comes_down = below(2) == 0;
    } else {
        plan.is_from_leader = below(2) == 0;
    }
    plan.parent.resize(size);
    plan.children.resize(size);
    for (int i = 1; i < num; ++i) {
        const int process = (plan.leader + i) % num, parent = (plan.leader + below(i)) % num;
        plan.parent[static_cast<std::size_t>(process)] = parent;
        plan.children[static_cast<std::size_t>(parent)].push_back(process);
    }
    plan.count = 1 + random() % (kMostShared / sizeof(std::uint32_t));
    return plan;
}

std::vector<Plan> random_plans(int num, int num_calls, std::mt19937& random) {
    std::vector<Plan> plans;
    for (int call = 0; call < num_calls; ++call) {
        plans.push_back(random_plan(num, random));
    }
    return plans;
}

// A call of one number from each of them, which the first one merges.
Plan allreduce(int num) {
    Plan plan{true, true, false, false, true, 0, std::vector<int>(static_cast<std::size_t>(num)), {}, 1};
    plan.children.resize(static_cast<std::size_t>(num));
    for (int process = 1; process < num; ++process) {
        plan.children[0].push_back(process);
    }
    return plan;
}

// The first fault at this process, or "". Goes on then: others wait for it.
std::string run_all(NodeStage& stage, const std::vector<Plan>& plans, int process,
                    const std::function<int()>& step) {
    std::string wrong;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        const int call = static_cast<int>(i);
        TestedCall tested(plans[i], process, call, step);
        const int error = stage.run(tested);
        const Numbers right = tested.takes ? expected(plans[i], call) : Numbers();
        if (wrong.empty() && (error != 0 || tested.result != right)) {
            wrong = "call " + std::to_string(call) + " ended with " + std::to_string(error);
        }
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
        const int num = 1 + static_cast<int>(random() % (seed % 4 == 0 ? 40 : 12));
        const std::vector<Plan> plans = random_plans(num, 40, random);
        const Zeroed memory(num);
        Turns turns(num, seed);
        std::vector<std::string> wrong(static_cast<std::size_t>(num));
        in_threads(num, [&, num](int process) {
            turns.begin(process);
            NodeStage stage(memory.cells.get(), num, process);
            wrong[static_cast<std::size_t>(process)] = run_all(stage, plans, process, [&] {
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

TEST(NodeStage, threads) {
    for (const int num : {1, 2, 3, 9, 40}) {
        std::mt19937 random(static_cast<unsigned>(num));
        const std::vector<Plan> plans = random_plans(num, 400, random);
        const Zeroed memory(num);
        std::vector<std::string> wrong(static_cast<std::size_t>(num));
        in_threads(num, [&, num](int process) {
            NodeStage stage(memory.cells.get(), num, process);
            wrong[static_cast<std::size_t>(process)] = run_all(stage, plans, process, yield);
        });
        for (const std::string& what : wrong) {
            ASSERT_EQ(what, "") << num << " processes";
        }
    }
}

// One process has another length, or an error of its own: all that take know, and the next call is as
// ever.
TEST(NodeStage, errors_of_one_call_reach_all) {
    constexpr int kNum = 20;
    std::vector<int> errors(kNum), afterwards(kNum);
    for (const bool is_length : {true, false}) {
        const Zeroed fresh(kNum);
        in_threads(kNum, [&](int process) {
            NodeStage stage(fresh.cells.get(), kNum, process);
            const bool is_wrong = process == kNum - 1;
            const Plan plan = allreduce(kNum);
            Plan own = plan;
            own.count = is_wrong && is_length ? 5 : 1;
            TestedCall call(own, process, 0, yield);
            call.give_error = is_wrong && !is_length ? 3 : 0;
            errors[static_cast<std::size_t>(process)] = stage.run(call);
            TestedCall next(plan, process, 1, yield);
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
    const Plan plan = allreduce(2);
    TestedCall call(plan, 1, 0, [] { return kIdleError; });
    EXPECT_EQ(stage.run(call), kIdleError);
    TestedCall next(plan, 1, 1, [] { return 0; });
    EXPECT_EQ(stage.run(next), kIdleError);
}

}  // namespace
}  // namespace hitopo::coll
