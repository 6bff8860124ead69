// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Messages across each lane, counted one by one as the profiler does, are as many as groups say: each is
// entered once.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "ompi/mca/coll/hitopo/core/segments.h"
#include "profiler/traffic/peers.h"
#include "test/coll/random_case.h"

namespace hitopo::coll {
namespace {

// Up to 40 processes on nodes whose switches, islands and clusters contain each other, as in any table.
Rows nested_rows(std::mt19937_64& random) {
    const auto below = [&](std::size_t n) { return static_cast<std::int32_t>(random() % n); };
    const auto parents = [&](std::size_t num, std::size_t num_parents) {
        std::vector<std::int32_t> all(num);
        for (std::int32_t& parent : all) {
            parent = below(num_parents);
        }
        return all;
    };
    const auto switches = parents(8, 5), islands = parents(5, 3), clusters = parents(3, 2);
    std::vector<std::array<std::int32_t, kNumLevels>> addresses(2 + random() % 39);
    for (auto& address : addresses) {
        address = {};
        address[kNode] = below(switches.size());
        address[kSwitch] = switches[static_cast<std::size_t>(address[kNode])];
        address[kIsland] = islands[static_cast<std::size_t>(address[kSwitch])];
        address[kCluster] = clusters[static_cast<std::size_t>(address[kIsland])];
        address[kSocket] = below(2);
    }
    return Rows(std::move(addresses));
}

// Tells of each message that it sends.
class CountedMessages : public Messages {
public:
    CountedMessages(Messages& messages, const std::vector<Lane>& lanes, Crossings& crossings)
        : messages_(messages), lanes_(lanes), crossings_(crossings) {
        element = messages.element;
        num_tags = messages.num_tags;
    }
    int send(const char* from, std::size_t count, int peer, int tag, bool must_match,
             const Posted& posted) override {
        crossings_.add(lanes_[static_cast<std::size_t>(peer)], count * element.size);
        return messages_.send(from, count, peer, tag, must_match, posted);
    }
    int receive(char* to, std::size_t count, int peer, int tag, const Posted& posted) override {
        return messages_.receive(to, count, peer, tag, posted);
    }
    int reduce(const char* in, char* inout, std::size_t count) override {
        return messages_.reduce(in, inout, count);
    }
    int copy(const char* from, char* to, std::size_t count) override {
        return messages_.copy(from, to, count);
    }

private:
    Messages& messages_;
    const std::vector<Lane>& lanes_;
    Crossings& crossings_;
};

std::vector<Lane> lanes_of(const Rows& rows, int self) {
    std::vector<Lane> lanes;
    for (int rank = 0; rank < rows.size(); ++rank) {
        lanes.push_back(Lanes(~0U, 0).between(rows.get()[self], rows.get()[rank]));
    }
    return lanes;
}

// A message once through the groups, and how often a segment is sent across each lane; what stays in a
// node counts as of lane node.
PerLane entries(const Groups& groups) {
    const auto num = [&](int level) {
        return static_cast<std::uint64_t>(groups.shape().num_groups[static_cast<std::size_t>(level)]);
    };
    PerLane entered = {};
    entered[static_cast<std::size_t>(Lane::kOutside)] = num(kCluster) - 1;
    entered[static_cast<std::size_t>(Lane::kCluster)] = num(kIsland) - num(kCluster);
    entered[static_cast<std::size_t>(Lane::kIsland)] = num(kSwitch) - num(kIsland);
    entered[static_cast<std::size_t>(Lane::kSwitch)] = num(kNode) - num(kSwitch);
    entered[static_cast<std::size_t>(Lane::kNode)] = num(kProcess) - num(kNode);
    return entered;
}

PerLane by_network(const PerLane& counts) {
    PerLane sums = counts;
    for (const Lane lane : {Lane::kCore, Lane::kSocket, Lane::kL2Numa}) {
        sums[static_cast<std::size_t>(Lane::kNode)] += counts[static_cast<std::size_t>(lane)];
        sums[static_cast<std::size_t>(lane)] = 0;
    }
    return sums;
}

PerLane times(const PerLane& counts, std::size_t factor) {
    PerLane products = counts;
    for (std::uint64_t& product : products) {
        product *= factor;
    }
    return products;
}

// The messages of all processes of a random communicator, and in how many segments of how many elements.
struct Sent {
    Crossings crossings = {};
    PerLane entered = {};  // by one segment on its way up or down
    std::size_t num_segments, count;
};

Sent send_through(const Rows& rows, MessageSegments::Roots roots, bool goes_up,
                  std::mt19937_64& random) {
    Sent sent;
    sent.num_segments = 1 + random() % 9;
    sent.count = random() % 100;
    const std::vector<Groups> groups = rows.groups(kCountingLevels);
    const auto size = static_cast<std::size_t>(rows.size());
    const TreeShape shape;
    FakeNetwork network(rows.size(), Element{8, 8, 0, 8}, 8, random);
    std::vector<std::vector<char>> buffers(size, std::vector<char>(8 * sent.count + 1));
    std::vector<std::vector<Lane>> lanes(size);
    std::vector<std::unique_ptr<MessageSegments>> segments;
    std::vector<std::unique_ptr<CountedMessages>> counted;
    std::vector<std::unique_ptr<Algorithm>> engines;
    for (std::size_t i = 0; i < size; ++i) {
        const int rank = static_cast<int>(i);
        lanes[i] = lanes_of(rows, rank);
        counted.push_back(
            std::make_unique<CountedMessages>(network.messages(rank), lanes[i], sent.crossings));
        segments.push_back(std::make_unique<MessageSegments>(groups[i], shape, roots, 0, sent.count, 8,
                                                             static_cast<int>(sent.num_segments)));
        segments[i]->input = segments[i]->output = buffers[i].data();
        segments[i]->comes_down = true;
        segments[i]->goes_up = goes_up;
        engines.push_back(std::make_unique<Engine>(*counted[i], groups[i], shape, *segments[i], 4));
    }
    EXPECT_TRUE(network.run(engines));
    sent.entered = entries(groups[0]);
    return sent;
}

// ways: up and down.
void expect_each_group_entered(MessageSegments::Roots roots, std::size_t ways) {
    for (std::uint64_t i = 0; i < 100 && !testing::Test::HasFailure(); ++i) {
        const std::uint64_t seed = test_seed() + i;
        SCOPED_TRACE("HITOPO_TEST_SEED=" + std::to_string(seed));
        std::mt19937_64 random(seed);
        const Rows rows = nested_rows(random);
        const Sent sent = send_through(rows, roots, ways == 2, random);
        EXPECT_EQ(by_network(sent.crossings.messages), times(sent.entered, ways * sent.num_segments));
        EXPECT_EQ(by_network(sent.crossings.bytes), times(sent.entered, ways * 8 * sent.count));
    }
}

TEST(Crossings, of_bcast_are_one_for_each_group) {
    expect_each_group_entered(MessageSegments::Roots::kOne, 1);
}

TEST(Crossings, of_allreduce_are_two_for_each_group) {
    expect_each_group_entered(MessageSegments::Roots::kAll, 2);
}

}  // namespace
}  // namespace hitopo::coll
