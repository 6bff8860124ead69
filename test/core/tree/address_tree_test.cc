// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/tree/address_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "test/core/tree/fake_tree.h"
#include "test/support/counted_memory.h"

namespace hitopo {
namespace {

using Ints = std::vector<int>;

TEST(AddressTree, of_an_empty_communicator_has_no_node) {
    const AddressTree tree = tree_of({on_host("a")}).restrict_to({});
    EXPECT_EQ(tree.size(), 0U);
    EXPECT_EQ(tree.nodes().size(), 0U);
}

TEST(AddressTree, a_process_can_stand_twice) {
    const AddressTree tree =
        tree_of({on_host("a").has(make_machine({})).runs_on("0")}).restrict_to({0, 0});
    EXPECT_EQ(values_of(tree, kHwThread), (Ints{0, 1}));
}

// ---- memory in a large job ----

constexpr std::uint32_t kNumNodes = 20000, kNumSeats = 50;

// 20 nodes a switch, 25 switches an island; all nodes are occupied alike.
std::shared_ptr<const JobFacts> large_facts() {
    auto facts = std::make_shared<JobFacts>();
    facts->machines.push_back(*Machine::decode(make_machine({2, 1, 1, 25}).encoded()));
    for (std::uint32_t core = 0; core < kNumSeats; ++core) {
        PlaceInNode own;
        own.cpus.add(static_cast<int>(core));
        own.instance_numbers = place(facts->machines[0], own.cpus);
        own.machine = 0;
        facts->places.push_back(std::move(own));
    }
    facts->nodes.reserve(kNumNodes);
    facts->sharings.reserve(kNumNodes);
    for (std::uint32_t number = 0; number < kNumNodes; ++number) {
        if (number % 20 == 0) {
            const auto value = static_cast<std::int32_t>(number);
            facts->branches.push_back({0, value / 500, value / 20});
        }
        facts->nodes.push_back({number, 0, number / 20, 0, number});
        facts->sharings.push_back({number, 0});
    }
    return facts;
}

enum class Mapping { kBySlot, kByNode, kShuffled };

AddressTree large_tree(Mapping mapping) {
    ProcessMap process_map;
    std::vector<std::uint32_t> places(kNumSeats);
    std::iota(places.begin(), places.end(), 0U);
    (void)process_map.sequences.number_of(places);
    for (std::uint32_t node = 0; node < kNumNodes; ++node) {
        process_map.nodes.push_back({node, 0});
        process_map.node_of.insert(process_map.node_of.end(), kNumSeats, node);
    }
    if (mapping == Mapping::kByNode) {
        for (std::uint32_t rank = 0; rank < process_map.node_of.size(); ++rank) {
            process_map.node_of[rank] = rank % kNumNodes;
        }
    } else if (mapping == Mapping::kShuffled) {
        std::shuffle(process_map.node_of.begin(), process_map.node_of.end(), std::mt19937(1));
    }
    return {large_facts(), std::move(process_map)};
}

std::size_t bytes_of_last(const AddressTree& world, std::size_t num, std::size_t stride) {
    std::vector<std::uint32_t> ranks(num);
    for (std::size_t i = 0; i < num; ++i) {
        ranks[i] = static_cast<std::uint32_t>(world.size() - 1 - (num - 1 - i) * stride);
    }
    const CountedMemory counted;
    const AddressTree tree = world.restrict_to(ranks);
    return counted.kept_bytes();
}

TEST(AddressTree, keeps_little_of_a_large_job) {
    EXPECT_LE(sizeof(AddressTree), 1024U);
    for (const Mapping mapping : {Mapping::kBySlot, Mapping::kByNode, Mapping::kShuffled}) {
        const CountedMemory counted;
        const AddressTree world = large_tree(mapping);
        const std::size_t kept = counted.kept_bytes();  // beside names and values
        EXPECT_LE(kept, mapping == Mapping::kShuffled ? 9400000U : 1500000U);
        const bool is_by_node = mapping == Mapping::kByNode;
        EXPECT_LE(bytes_of_last(world, 1, 1), 1024U);
        if (mapping != Mapping::kShuffled) {
            EXPECT_LE(bytes_of_last(world, kNumSeats, is_by_node ? kNumNodes : 1), 2048U);
            EXPECT_LE(bytes_of_last(world, kNumNodes, is_by_node ? 1 : kNumSeats), 40U * kNumNodes);
        }
    }
}

}  // namespace
}  // namespace hitopo
