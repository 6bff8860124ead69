// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "test/coll/simulated_network.h"

#include <gtest/gtest.h>

#include <utility>

#include "ompi/mca/coll/hitopo/core/segments.h"

namespace hitopo::coll {
namespace {

// Sends and receives that are all posted at the beginning.
class PostedCalls : public Algorithm {
public:
    struct Call {
        bool is_send;
        int peer;
        std::size_t bytes;
    };
    PostedCalls(Messages& messages, std::vector<Call> calls)
        : messages_(messages), calls_(std::move(calls)) {}

    void advance() override {
        for (; next_ < calls_.size(); ++next_) {
            const Call& call = calls_[next_];
            const Posted posted = {0, Posted::For::kReceived, 0};
            if (call.is_send) {
                messages_.send(nullptr, call.bytes, call.peer, 0, false, posted);
            } else {
                messages_.receive(nullptr, call.bytes, call.peer, 0, posted);
            }
        }
    }
    void complete(std::vector<Posted>& completed) override { num_done_ += completed.size(); }
    void restart() override { next_ = num_done_ = 0; }
    bool is_finished() const override { return num_done_ == calls_.size(); }
    int error() const override { return 0; }

private:
    Messages& messages_;
    std::vector<Call> calls_;
    std::size_t next_ = 0, num_done_ = 0;
};

struct Sent {
    int from, to;
    std::size_t bytes;
};

// In the lab, where ranks 0 to 7 are below one switch, and 0 to 3 on one node.
std::optional<double> time_of(const std::vector<Sent>& messages, bool is_received = true) {
    const SimulatedMachine machine = lab_machine();
    SimulatedNetwork network(machine, 1);
    std::vector<std::vector<PostedCalls::Call>> calls(static_cast<std::size_t>(machine.num_processes()));
    for (const Sent& message : messages) {
        calls[static_cast<std::size_t>(message.from)].push_back({true, message.to, message.bytes});
        if (is_received) {
            calls[static_cast<std::size_t>(message.to)].push_back({false, message.from, message.bytes});
        }
    }
    std::vector<std::unique_ptr<Algorithm>> algorithms;
    for (int rank = 0; rank < machine.num_processes(); ++rank) {
        algorithms.push_back(std::make_unique<PostedCalls>(network.messages(rank),
                                                           calls[static_cast<std::size_t>(rank)]));
    }
    return network.run(algorithms);
}

// 1200 bytes by a trunk of 12 a microsecond, and 150 us; 2800 between nodes, where the processes' links
// of 70 are slower than the nodes', and 170 us; 700 within one, and 80 us.
TEST(SimulatedNetwork, one_message_takes_latency_and_the_slowest_link) {
    EXPECT_DOUBLE_EQ(time_of({{0, 31, 1200}}).value(), 250);
    EXPECT_DOUBLE_EQ(time_of({{0, 4, 2800}}).value(), 170 + 40);
    EXPECT_DOUBLE_EQ(time_of({{0, 3, 700}}).value(), 90);
}

// Two more latencies.
TEST(SimulatedNetwork, long_messages_ask_first) {
    EXPECT_DOUBLE_EQ(time_of({{0, 31, 120000}}).value(), 3 * 150 + 10000);
}

// Both leave by the trunk of the first switch; in the second case each has its own.
TEST(SimulatedNetwork, messages_share_links) {
    EXPECT_DOUBLE_EQ(time_of({{0, 31, 1200}, {4, 8, 1200}}).value(), 150 + 200);
    EXPECT_DOUBLE_EQ(time_of({{0, 31, 1200}, {8, 3, 1200}}).value(), 250);
}

// The last of three leaves after two halves of 100 us.
TEST(SimulatedNetwork, messages_keep_their_process_busy) {
    EXPECT_DOUBLE_EQ(time_of({{0, 8, 0}, {0, 16, 0}, {0, 24, 0}}).value(), 100 + 150);
}

TEST(SimulatedNetwork, knows_who_waits_for_ever) {
    EXPECT_FALSE(time_of({{0, 31, 1200}}, false).has_value());
}

// A trunk carries the message once, and is what limits.
TEST(SimulatedNetwork, a_bcast_in_the_lab_is_near_what_its_trunks_need) {
    constexpr std::size_t kBytes = 1 << 20;
    const SimulatedMachine machine = lab_machine();
    std::vector<Groups> groups;
    for (int rank = 0; rank < machine.num_processes(); ++rank) {
        groups.push_back(machine.groups_of(rank));
    }
    const Choice choice =
        choose(groups.front().shape(), machine.links(), Pattern::kFromRoot, kBytes, 1, 4);
    MessageSegments segments(groups.front(), choice.trees, MessageSegments::one_root(choice.has_proxies),
                             0, kBytes, 1, choice.num_segments);
    segments.comes_down = true;
    SimulatedNetwork network(machine, 32);
    std::vector<std::unique_ptr<Algorithm>> engines;
    for (int rank = 0; rank < machine.num_processes(); ++rank) {
        engines.push_back(std::make_unique<Engine>(network.messages(rank),
                                                   groups[static_cast<std::size_t>(rank)], choice.trees,
                                                   segments, choice.window));
    }
    const double limit_us = kBytes / 12.0, us = network.run(engines).value();
    EXPECT_GT(us, limit_us);
    EXPECT_LT(us, 1.3 * limit_us);
    EXPECT_EQ(network.busiest().level, kSwitch);
    EXPECT_NEAR(network.busiest().us, limit_us, 1e-3);
}

}  // namespace
}  // namespace hitopo::coll
