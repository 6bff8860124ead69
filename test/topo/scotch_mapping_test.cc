// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Scotch itself, in the module that is installed: a module that does not answer fails here, though
// orders go on without it.
#include "ompi/mca/topo/hitopo/scotch/scotch_mapping.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "test/topo/random_machine.h"

namespace hitopo::topo {
namespace {

class ScotchMapping : public testing::Test {
protected:
    void SetUp() override {
        if (access(HITOPO_SCOTCH_PATH, R_OK) != 0) {
            GTEST_SKIP() << HITOPO_SCOTCH_PATH << " is not installed";
        }
    }
};

// Two nodes of 4 processes: 3 bytes go between them.
TEST_F(ScotchMapping, puts_who_talks_on_one_node) {
    const Graph graph = two_cliques();
    const std::vector<Address> addresses = regular(1, 1, 2, 1, 4);
    const auto mapping = scotch_mapping(graph, Places(addresses));
    ASSERT_TRUE(mapping);
    ASSERT_TRUE(is_permutation(*mapping));
    EXPECT_EQ(PlainCounter(addresses).cost(graph.edges, inverse(*mapping)), Cost{3.0 / 2});
}

TEST_F(ScotchMapping, is_a_permutation_and_the_same_each_time) {
    Random random(11);
    for (int i = 0; i < 50; ++i) {
        SCOPED_TRACE(i);
        const std::size_t num = 8 + random() % 50;
        const Places places(random_addresses(random, num));
        const Graph graph = graph_of(random_grid(random, static_cast<std::uint32_t>(num)));
        const auto mapping = scotch_mapping(graph, places);
        if (places.levels().empty()) {
            EXPECT_FALSE(mapping);
            continue;
        }
        ASSERT_TRUE(mapping);
        EXPECT_TRUE(is_permutation(*mapping));
        EXPECT_EQ(scotch_mapping(graph, places), mapping);
    }
}

}  // namespace
}  // namespace hitopo::topo
