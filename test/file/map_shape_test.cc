// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "ompi/mca/hitopo/file/map_file.h"

namespace hitopo {
namespace {

Result<MapShape> parse(const std::string& line) { return MapShape::parse(*split_map_words(line)); }

std::string name_of(const MapShape& shape, int rank, Level level) {
    const std::optional<RawValue> value = shape.address_of(rank)[level];
    return value ? value->to_string() : "-";
}

TEST(MapShape, address_of_fills_the_innermost_first) {
    const Result<MapShape> shape = parse("island:2 switch:2 node:2 ranks:4");
    ASSERT_TRUE(shape);
    EXPECT_EQ(name_of(*shape, 0, kNode), "i0s0n0");
    EXPECT_EQ(name_of(*shape, 3, kNode), "i0s0n0");
    EXPECT_EQ(name_of(*shape, 4, kNode), "i0s0n1");
    EXPECT_EQ(name_of(*shape, 8, kSwitch), "i0s1");
    EXPECT_EQ(name_of(*shape, 16, kIsland), "i1");
    EXPECT_EQ(name_of(*shape, 31, kNode), "i1s1n1");
    EXPECT_EQ(name_of(*shape, 31, kSocket), "-");
}

TEST(MapShape, address_of_is_empty_beyond_the_shape) {
    const Result<MapShape> shape = parse("node:2 ranks:2");
    EXPECT_EQ(name_of(*shape, 3, kNode), "n1");
    EXPECT_EQ(name_of(*shape, 4, kNode), "-");
    EXPECT_EQ(name_of(*shape, -1, kNode), "-");
}

TEST(MapShape, address_of_numbers_levels_inside_the_node) {
    const Result<MapShape> shape = parse("node:2 socket:2 core:3");
    const RawAddress address = shape->address_of(10);  // 1, 1, 1
    EXPECT_EQ(address[kNode]->to_string(), "n1");
    EXPECT_TRUE(*address[kSocket] == RawValue(Name::number(1)));
    EXPECT_TRUE(*address[kCore] == RawValue(Name::number(1)));
}

TEST(MapShape, address_of_splits_ranks_evenly) {
    const Result<MapShape> shape = parse("cluster:2 island:3 node:5 ranks:7");
    std::map<std::string, int> sizes;
    for (int rank = 0; rank < 2 * 3 * 5 * 7; ++rank) {
        ++sizes[name_of(*shape, rank, kNode)];
        EXPECT_EQ(name_of(*shape, rank, kNode).rfind(name_of(*shape, rank, kIsland) + 'n', 0), 0u);
    }
    EXPECT_EQ(sizes.size(), 30u);
    for (const auto& [name, size] : sizes) {
        EXPECT_EQ(size, 7) << name;
    }
}

TEST(MapShape, parse_takes_the_largest_job) {
    EXPECT_TRUE(parse("node:2147483647"));
    EXPECT_FALSE(parse("node:2147483648"));
    EXPECT_FALSE(parse("island:65536 node:65536"));
    EXPECT_FALSE(parse("node:99999999999999999999"));
}

TEST(MapShape, error_has_column) {
    EXPECT_EQ(parse("node:2 rack:3").error().column, 8);
    EXPECT_EQ(parse("node:2 switch:3").error().column, 8);
    EXPECT_EQ(parse("node:2 node:3").error().column, 8);
    EXPECT_EQ(parse("node:0").error().column, 1);
    EXPECT_EQ(parse("node").error().column, 1);
    EXPECT_EQ(parse("node:").error().column, 1);
    EXPECT_EQ(parse("node:x").error().column, 1);
    EXPECT_EQ(parse("ranks:2 node:2").error().column, 9);
    EXPECT_EQ(parse("ranks:2 ranks:2").error().column, 9);
}

}  // namespace
}  // namespace hitopo
