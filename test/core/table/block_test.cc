// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/text/block.h"

#include <gtest/gtest.h>

#include <random>

#include "test/core/exchange/random_job.h"

namespace hitopo {
namespace {

std::shared_ptr<const std::string> kept(std::string bytes) {
    return std::make_shared<const std::string>(std::move(bytes));
}

TEST(Block, arrays_come_back_in_their_order) {
    BlockWriter writer;
    writer.put(Array<std::uint32_t>({1, 2, 3}));
    writer.put_bytes("seven b");
    writer.put(Array<std::uint64_t>());
    writer.put(Array<std::uint64_t>({UINT64_MAX}));
    const auto bytes = kept(writer.take());
    BlockReader reader(bytes, *bytes);
    const auto three = reader.get<std::uint32_t>();
    ASSERT_EQ(three.size(), 3U);
    EXPECT_EQ(three[2], 3U);
    EXPECT_EQ(reader.get_bytes(), "seven b");
    EXPECT_TRUE(reader.get<std::uint64_t>().empty());
    EXPECT_EQ(reader.get<std::uint64_t>()[0], UINT64_MAX);
    EXPECT_FALSE(reader.has_failed());
    EXPECT_EQ(reader.num_left(), 0U);
    EXPECT_TRUE(reader.get<char>().empty());
    EXPECT_TRUE(reader.has_failed()) << "there are no more";
}

TEST(Block, arrays_keep_the_block) {
    Array<std::uint64_t> one;
    {
        BlockWriter writer;
        writer.put(Array<std::uint64_t>({7}));
        const auto bytes = kept(writer.take());
        one = BlockReader(bytes, *bytes).get<std::uint64_t>();
    }
    EXPECT_EQ(one[0], 7U);
}

TEST(Block, any_bytes_are_read_without_harm) {
    std::mt19937_64 random(test_seed());
    for (int i = 0; i < 20000; ++i) {
        std::string text(random() % 64, '\0');
        std::generate(text.begin(), text.end(), [&] { return static_cast<char>(random() % 3 * 4); });
        const auto bytes = kept(std::move(text));
        BlockReader reader(bytes, *bytes);
        std::size_t num_read = 0;
        while (!reader.has_failed()) {
            num_read += reader.get<std::uint32_t>().num_bytes();
        }
        ASSERT_LE(num_read, bytes->size());
    }
}

TEST(TableBlock, another_length_is_refused) {
    std::mt19937_64 random(test_seed());
    const std::string whole = table_of(random_job(random, {true, true, 4, true})).to_block();
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto bytes = kept(whole.substr(0, length));
        ASSERT_FALSE(Table::from_block(bytes, *bytes)) << length;
    }
    const auto longer = kept(whole + std::string(8, '\0'));
    EXPECT_FALSE(Table::from_block(longer, *longer));
}

// Of what is restricted to one node, the block has no other.
TEST(TableBlock, a_part_of_a_table_has_one_too) {
    std::mt19937_64 random(test_seed());
    for (int i = 0; i < 100; ++i) {
        const FakeJob job = random_job(random, {true, true, 0, true});
        const Table table = table_of(job);
        const Table part = table.restrict_to({static_cast<std::uint32_t>(job.size() - 1), 0});
        const Table read = through_block(part);
        for (std::size_t rank = 0; rank < part.size(); ++rank) {
            ASSERT_EQ(address_of(read, rank), address_of(part, rank));
        }
    }
}

}  // namespace
}  // namespace hitopo
