// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/doubling.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "test/coll/random_case.h"

namespace hitopo::coll {
namespace {

std::vector<std::unique_ptr<Activity>> doublings(const Case& one, FakeNetwork& network,
                                                 std::vector<Array>& inputs,
                                                 std::vector<Array>& outputs) {
    std::vector<std::unique_ptr<Activity>> all;
    for (std::size_t rank = 0; rank < inputs.size(); ++rank) {
        all.push_back(std::make_unique<Doubling>(network.wire(static_cast<int>(rank)), one.groups[rank],
                                                 one.shape, inputs[rank].base(), outputs[rank].base(),
                                                 one.count));
    }
    return all;
}

// 2^k nodes send 2^k k messages between them, and two for each node more.
int messages_among(int num_nodes) {
    int num = 1, rounds = 0;
    for (; 2 * num <= num_nodes; num *= 2) {
        ++rounds;
    }
    return num * rounds + 2 * (num_nodes - num);
}

TEST(Doubling, merges_at_all) {
    for_cases([](Case& one) {
        std::vector<Array> inputs = contributions(one, one.count);
        std::vector<Array> outputs = arrays_of(one, one.count);
        std::vector<Array>& results = one.below(2) == 0 ? inputs : outputs;
        FakeNetwork network(one.size(), one.element, 1, one.random);
        auto all = doublings(one, network, inputs, results);
        ASSERT_TRUE(network.run(all));
        for (std::size_t rank = 0; rank < results.size(); ++rank) {
            for (std::size_t i = 0; i < one.count; ++i) {
                ASSERT_EQ(results[rank].get(i), sum_of_all(one.size(), i));
            }
            ASSERT_TRUE(results[rank].has_its_gaps());
        }
        const std::vector<int> nodes = nodes_of(one.groups);
        const auto num_nodes = static_cast<int>(std::set<int>(nodes.begin(), nodes.end()).size());
        EXPECT_EQ(num_between_nodes(network, nodes), messages_among(num_nodes));
    });
}

// By an operation of which the order counts, whatever order messages come in.
TEST(Doubling, gives_all_the_same_bits_in_each_call) {
    for_cases([](Case& one) {
        one.count += 1;
        std::vector<Array> inputs = contributions(one, one.count);
        std::set<std::int64_t> results;
        for (int call = 0; call < 3; ++call) {
            std::vector<Array> outputs = arrays_of(one, one.count);
            FakeNetwork network(one.size(), one.element, 1, one.random);
            network.operation = [](std::int64_t a, std::int64_t b) {
                return static_cast<std::int64_t>(3 * static_cast<std::uint64_t>(a) ^
                                                 static_cast<std::uint64_t>(b));
            };
            auto all = doublings(one, network, inputs, outputs);
            ASSERT_TRUE(network.run(all));
            for (Array& output : outputs) {
                results.insert(output.get(one.count - 1));
            }
        }
        ASSERT_EQ(results.size(), 1U);
    });
}

// One rank of a wrong program has an element more: all know, and nobody waits for ever.
TEST(Doubling, a_message_of_another_length_is_known_to_all) {
    for_cases([](Case& one) {
        one.count += 1;
        std::vector<Array> inputs = contributions(one, one.count + 1);
        FakeNetwork network(one.size(), one.element, 1, one.random);
        auto all = doublings(one, network, inputs, inputs);
        const auto odd = static_cast<std::size_t>(one.root);
        all[odd] = std::make_unique<Doubling>(network.wire(one.root), one.groups[odd], one.shape,
                                              inputs[odd].base(), inputs[odd].base(), one.count + 1);
        ASSERT_TRUE(network.run(all));
        for (int rank = 0; rank < one.size(); ++rank) {
            ASSERT_TRUE(network.has_failed(rank));
        }
    });
}

}  // namespace
}  // namespace hitopo::coll
