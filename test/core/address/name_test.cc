// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/address/name.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace hitopo {
namespace {

int sign(int value) { return (value > 0) - (value < 0); }

TEST(Name, numbers_stand_before_names) {
    EXPECT_LT(Name::number(4), Name::number(12));
    EXPECT_LT(Name::number(UINT64_MAX), Name(""));
    EXPECT_LT(Name::number(UINT64_MAX), Name("0"));
    EXPECT_FALSE(Name::number(7) == Name("7"));
}

TEST(Name, shows_what_it_holds) {
    EXPECT_EQ(Name::number(12).to_string(), "12");
    EXPECT_EQ(Name("leaf12").to_string(), "leaf12");
    EXPECT_EQ(Name().to_string(), "");
}

TEST(RawValue, compares_from_the_outermost_name) {
    const std::vector<RawValue> ascending = {
        std::vector<Name>{Name::number(1)},       std::vector<Name>{Name::number(1), "b"},
        std::vector<Name>{Name::number(2), "a"},  std::vector<Name>{"r1"},
        std::vector<Name>{"r1", Name::number(3)}, std::vector<Name>{"r1", "c3"},
        std::vector<Name>{"r1", "c3", "a"},       std::vector<Name>{"r2", Name::number(3)},
        std::vector<Name>{"r10", Name::number(0)}};
    for (std::size_t i = 0; i < ascending.size(); ++i) {
        for (std::size_t j = 0; j < ascending.size(); ++j) {
            EXPECT_EQ(sign(compare(ascending[i], ascending[j])), (i > j) - (i < j)) << i << " and " << j;
        }
    }
}

TEST(RawValue, shows_its_path) {
    const RawValue value = std::vector<Name>{"r2", Name::number(3), "n1"};
    EXPECT_EQ(value.to_string(), "r2/3/n1");
    EXPECT_EQ(value.visible(), Name("n1"));
}

TEST(RawAddress, is_printed_by_level_in_a_failed_test) {
    RawAddress address;
    EXPECT_EQ(testing::PrintToString(address), "{}");
    address[kSwitch] = RawValue{{"r2", Name::number(3)}};
    address[kNode] = Name("3");
    EXPECT_EQ(testing::PrintToString(address), "{switch \"r2\"/3, node \"3\"}");
    EXPECT_EQ(testing::PrintToString(*address[kSwitch]), "\"r2\"/3");
    EXPECT_EQ(testing::PrintToString(address[kNode]->visible()), "\"3\"");
}

TEST(HashBytes, is_fnv_1a) {
    // Test vectors of the algorithm's draft (draft-eastlake-fnv, C.2): of 0, 1 and 6 bytes.
    EXPECT_EQ(hash_bytes(""), 0xcbf29ce484222325);
    EXPECT_EQ(hash_bytes("a"), 0xaf63dc4c8601ec8c);
    EXPECT_EQ(hash_bytes("foobar"), 0x85944171f73967e8);
}

TEST(HashOf, tells_values_apart) {
    const std::vector<RawValue> values = {Name(),
                                          Name("7"),
                                          Name::number(7),
                                          std::vector<Name>{"a", "b"},
                                          std::vector<Name>{"b", "a"},
                                          std::vector<Name>{"ab"},
                                          std::vector<Name>{"a", "b", ""},
                                          std::vector<Name>{Name::number(7), Name()}};
    std::set<std::uint64_t> hashes = {0};
    for (const RawValue& value : values) {
        hashes.insert(hash_of(value));
    }
    EXPECT_EQ(hashes.size(), values.size() + 1);
}

TEST(HashOf, equal_values_have_equal_hashes) {
    EXPECT_EQ(hash_of(std::vector<Name>{"r1", Name::number(3)}),
              hash_of(std::vector<Name>{std::string("r") + "1", Name::number(3)}));
}

TEST(MakeRelative, prefixes_the_nearest_known_parent) {
    RawAddress address;
    address[kIsland] = Name("r1");
    address[kNode] = Name::number(3);
    address[kCore] = Name::number(0);
    make_relative(address);
    EXPECT_EQ(address[kIsland]->to_string(), "r1");
    EXPECT_EQ(address[kNode]->to_string(), "r1/3");
    EXPECT_EQ(address[kCore]->to_string(), "r1/3/0");
    EXPECT_FALSE(address[kSwitch]);
}

TEST(MakeRelative, leaves_nothing_known_alone) {
    RawAddress address;
    make_relative(address);
    EXPECT_TRUE(std::none_of(address.begin(), address.end(), [](const auto& value) { return value; }));
}

TEST(MakeRelative, tells_the_level_of_the_parent) {
    RawAddress of_cluster;
    of_cluster[kCluster] = Name("c0");
    of_cluster[kSwitch] = Name("1");
    RawAddress of_island;
    of_island[kIsland] = Name("c0");
    of_island[kSwitch] = Name("1");
    make_relative(of_cluster);
    make_relative(of_island);
    EXPECT_NE(hash_of(*of_cluster[kSwitch]), hash_of(*of_island[kSwitch]));
    EXPECT_EQ(of_cluster[kSwitch]->to_string(), "c0/1");
    EXPECT_EQ(of_island[kSwitch]->to_string(), "c0/1") << "for people";
}

}  // namespace
}  // namespace hitopo
