// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/text/block.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "test/core/exchange/random_job.h"
#include "test/core/table/all_questions.h"

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
    const Table table = table_of(random_job(random, {true, true, 4, true}));
    const std::string whole = table.to_block();
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const auto bytes = kept(whole.substr(0, length));
        ASSERT_FALSE(Table::from_block(bytes, *bytes, table.size())) << length;
    }
    const auto longer = kept(whole + std::string(8, '\0'));
    EXPECT_FALSE(Table::from_block(longer, *longer, table.size()));
    const auto right = kept(whole);
    EXPECT_TRUE(Table::from_block(right, *right, table.size()));
    EXPECT_FALSE(Table::from_block(right, *right, table.size() + 1));
}

// Any word of the block, any value that an index must not have, and what it has beside the right one.
TEST(TableBlock, a_changed_word_is_refused_or_harms_nobody) {
    std::mt19937_64 random(test_seed());
    std::size_t num_refused = 0;
    for (int i = 0; i < 4; ++i) {
        const Table table = table_of(random_job(random, {true, true, 2, true}));
        const std::string whole = table.to_block();
        for (std::size_t at = 0; at < whole.size(); at += sizeof(std::uint32_t)) {
            std::uint32_t word = 0;
            std::memcpy(&word, &whole[at], sizeof word);
            for (const std::uint32_t changed : {UINT32_MAX, std::uint32_t{INT32_MAX}, word + 1}) {
                std::string bytes = whole;
                std::memcpy(&bytes[at], &changed, sizeof changed);
                const auto block = kept(std::move(bytes));
                const std::optional<Table> read = Table::from_block(block, *block, table.size());
                ASSERT_EQ(read ? first_wrong_answer(*read) : "", "") << at << ": " << changed;
                num_refused += read ? 0 : 1;
            }
        }
    }
    EXPECT_GT(num_refused, 0U);
}

// The block of a table that is restricted to one node has no other node.
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
