// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Component openib's questions to a fabric, on one that is data.
#include <gtest/gtest.h>

#include "ompi/mca/hitopo/openib/hitopo_openib_input.h"
#include "test/openib/fake_fabric.h"

namespace hitopo {
namespace {

constexpr std::uint64_t kPrefix = 0xfe80000000000000;
constexpr std::chrono::milliseconds kTimeout(300);

IbPort port(const std::string& host) { return {host, 1, 0x11, kPrefix, 1, true, true, false}; }

// leaf1 has the hosts h1 and h2 at ports 1 and 2, two links to spine b (ports 5, 6), one to spine a (4),
// and nothing at ports 3, 7 and 8. leaf2 has h3.
FakeFabric small_fabric() {
    FakeFabric fabric;
    fabric.add_switch("leaf1", 0x21, 8);
    fabric.add_switch("leaf2", 0x22, 8);
    fabric.add_switch("spine a", 0x32, 4);
    fabric.add_switch("spine b", 0x31, 4);
    fabric.add_host("h1", 0x11);
    fabric.add_host("h2", 0x12);
    fabric.add_host("h3", 0x13);
    fabric.link({"h1", 1}, {"leaf1", 1});
    fabric.link({"h2", 1}, {"leaf1", 2});
    fabric.link({"h3", 1}, {"leaf2", 1});
    fabric.link({"leaf1", 4}, {"spine a", 1});
    fabric.link({"leaf1", 5}, {"spine b", 1});
    fabric.link({"leaf1", 6}, {"spine b", 2});
    return fabric;
}

std::shared_ptr<FakeClient> small_client() { return std::make_shared<FakeClient>(small_fabric()); }

FabricMads mads_of(const std::shared_ptr<FakeClient>& client) {
    return FabricMads(client, kTimeout, [clock = client->clock] { return clock->now(); });
}

using Sizes = std::vector<std::size_t>;

TEST(OpenibMads, one_packet_finds_the_leaf) {
    const auto client = small_client();
    const LeafAnswer answer = mads_of(client).find_leaf({port("h1")});
    ASSERT_TRUE(answer.leaf) << answer.reason;
    EXPECT_EQ(answer.leaf->guid, 0x21u);
    EXPECT_EQ(answer.leaf->subnet_prefix, kPrefix);
    EXPECT_EQ(answer.leaf->max_uplinks, 8);
    EXPECT_EQ(client->rounds, Sizes{1});
    EXPECT_EQ(answer.reason.rfind("h1 port 1 at switch 0x0000000000000021 by 1 MAD in ", 0), 0u);
}

// Description and the 7 other ports; the 4 that are linked, of which h2 is no switch; a description.
TEST(OpenibMads, three_rounds_find_what_is_above) {
    const auto client = small_client();
    FabricMads mads = mads_of(client);
    const LeafAnswer leaf = mads.find_leaf({port("h1")});
    const UplinksAnswer answer = mads.find_uplinks(*leaf.leaf);
    ASSERT_TRUE(answer.uplinks) << answer.reason;
    EXPECT_EQ(answer.uplinks->name, "leaf1");
    EXPECT_EQ(answer.uplinks->l2_switches, (std::vector<std::uint64_t>{0x31, 0x32}));
    EXPECT_EQ(answer.uplinks->first_name, "spine b");
    EXPECT_EQ(client->rounds, (Sizes{1, 8, 4, 1}));
    EXPECT_EQ(answer.reason.rfind("2 switches above by 13 MADs in ", 0), 0u);
}

TEST(OpenibMads, a_leaf_without_links_has_nothing_above) {
    const auto client = small_client();
    FabricMads mads = mads_of(client);
    const UplinksAnswer answer = mads.find_uplinks(*mads.find_leaf({port("h3")}).leaf);
    ASSERT_TRUE(answer.uplinks);
    EXPECT_TRUE(answer.uplinks->l2_switches.empty());
    EXPECT_EQ(answer.uplinks->name, "leaf2");
}

TEST(OpenibMads, a_neighbour_that_is_silent_is_no_switch) {
    const auto client = small_client();
    client->fabric.silent = {"spine b"};
    FabricMads mads = mads_of(client);
    const UplinksAnswer answer = mads.find_uplinks(*mads.find_leaf({port("h1")}).leaf);
    ASSERT_TRUE(answer.uplinks) << answer.reason;
    EXPECT_EQ(answer.uplinks->l2_switches, std::vector<std::uint64_t>{0x32});
    EXPECT_NE(answer.reason.find("no answer from 2 neighbours"), std::string::npos);
}

TEST(OpenibMads, a_leaf_that_falls_silent_has_unknown_uplinks) {
    const auto client = small_client();
    FabricMads mads = mads_of(client);
    const LeafAnswer leaf = mads.find_leaf({port("h1")});
    client->fabric.silent = {"leaf1"};
    const UplinksAnswer answer = mads.find_uplinks(*leaf.leaf);
    EXPECT_FALSE(answer.uplinks);
    EXPECT_EQ(answer.reason, "switch 0x0000000000000021 did not report all its ports");
}

TEST(OpenibMads, the_next_rail_is_asked_where_one_does_not_answer) {
    const auto client = small_client();
    client->fabric.silent = {"leaf1"};
    client->refusals["h2"] = "no";
    const LeafAnswer answer = mads_of(client).find_leaf({port("h1"), port("h2"), port("h3")});
    ASSERT_TRUE(answer.leaf) << answer.reason;
    EXPECT_EQ(answer.leaf->guid, 0x22u);
    EXPECT_EQ(
        answer.reason.rfind("h1 port 1: no answer to 1 MAD, h2 port 1: no, h3 port 1 at switch", 0), 0u);
}

TEST(OpenibMads, a_host_linked_to_a_host_has_no_leaf) {
    FakeFabric fabric;
    fabric.add_host("h1", 1);
    fabric.add_host("h2", 2);
    fabric.link({"h1", 1}, {"h2", 1});
    const LeafAnswer answer = mads_of(std::make_shared<FakeClient>(fabric)).find_leaf({port("h1")});
    EXPECT_FALSE(answer.leaf);
    EXPECT_EQ(answer.reason, "h1 port 1 is linked to no switch");
}

TEST(OpenibMads, a_virtual_function_that_gets_no_answer_says_so) {
    const auto client = small_client();
    client->fabric.silent = {"leaf1"};
    IbPort own = port("h1");
    own.is_virtual = true;
    const LeafAnswer answer = mads_of(client).find_leaf({own});
    EXPECT_EQ(answer.reason,
              "h1 port 1: no answer to 1 MAD: a virtual function may not query the fabric");
    EXPECT_FALSE(answer.error);
}

// ibsim's client and a driver whose firmware hangs never come back from opening a port.
TEST(OpenibMads, a_driver_that_does_not_come_back_is_left_alone) {
    const auto client = std::make_shared<FakeClient>(small_fabric(), FakeClock::behind());
    std::promise<void> end_of_test;
    client->may_open = end_of_test.get_future().share();
    const LeafAnswer answer = mads_of(client).find_leaf({port("h1")});
    end_of_test.set_value();
    EXPECT_FALSE(answer.leaf);
    EXPECT_EQ(answer.reason, "the driver of h1 port 1 did not return");
}

TEST(OpenibMads, a_stopped_fabric_takes_the_deadline_for_both_calls_and_no_longer) {
    const auto client = small_client();
    const Deadline start = client->clock->now();
    FabricMads mads = mads_of(client);
    const LeafAnswer leaf = mads.find_leaf({port("h1")});
    client->fabric.silent = {"leaf1"};
    EXPECT_FALSE(mads.find_leaf({port("h1")}).leaf);
    EXPECT_FALSE(mads.find_uplinks(*leaf.leaf).uplinks);
    EXPECT_EQ(client->clock->now(), start + kTimeout);
}

// A third of the time, then half of what is left.
TEST(OpenibMads, silent_rails_share_the_time_equally) {
    const auto client = small_client();
    const Deadline start = client->clock->now();
    client->fabric.silent = {"leaf1"};
    const LeafAnswer answer = mads_of(client).find_leaf({port("h1"), port("h2"), port("h3")});
    EXPECT_TRUE(answer.leaf) << answer.reason;
    EXPECT_EQ(client->clock->now(), start + kTimeout / 3 * 2);
}

TEST(OpenibMads, the_time_between_the_calls_does_not_count) {
    const auto client = small_client();
    FabricMads mads = mads_of(client);
    const LeafAnswer leaf = mads.find_leaf({port("h1")});
    client->clock->move_to(client->clock->now() + 2 * kTimeout);
    const UplinksAnswer answer = mads.find_uplinks(*leaf.leaf);
    EXPECT_TRUE(answer.uplinks) << answer.reason;
}

TEST(OpenibMads, uplinks_of_a_leaf_that_another_source_found_are_not_asked) {
    const auto client = small_client();
    const UplinksAnswer answer = mads_of(client).find_uplinks({kPrefix, 0x21, 8});
    EXPECT_FALSE(answer.uplinks);
    EXPECT_TRUE(client->rounds.empty());
}

}  // namespace
}  // namespace hitopo
