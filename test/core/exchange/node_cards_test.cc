// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/exchange/node_cards.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "ompi/mca/hitopo/core/exchange/seen_ranks.h"
#include "test/core/exchange/for_seeds.h"

namespace hitopo {
namespace {

using Cards = std::vector<std::string>;

// Fields of few letters, so that neighbours have some of them, and prefixes, alike.
std::string random_card(std::mt19937_64& random) {
    ByteWriter card;
    for (std::size_t field = 0; field < kNumNodeFields; ++field) {
        card.put_short(std::string(random() % 3, static_cast<char>('a' + random() % 2)) +
                       (random() % 4 == 0 ? "x" : ""));
    }
    return card.take();
}

Cards random_cards(std::mt19937_64& random) {
    Cards cards(random() % 12);
    std::generate(cards.begin(), cards.end(), [&] { return random_card(random); });
    return cards;
}

NodeCards kept(const Cards& cards) {
    NodeCards out;
    for (const std::string& card : cards) {
        out.add(card);
    }
    return out;
}

Cards read(const NodeCards& cards) {
    NodeCards::Reader reader(cards);
    Cards out;
    for (std::size_t i = 0; i < cards.size(); ++i) {
        (void)reader.next();
        out.push_back(reader.card());
    }
    return out;
}

Cards joined(Cards first, const Cards& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

// One more at the end sees whether what came before left the right last card.
TEST(NodeCards, are_what_was_added_and_appended) {
    for_seeds(500, [](std::mt19937_64& random) {
        const Cards first = random_cards(random), second = random_cards(random);
        const std::string last = random_card(random);
        NodeCards cards = kept(first);
        cards.append(kept(second));
        cards.add(last);
        ASSERT_EQ(read(cards), joined(joined(first, second), {last}));
    });
}

TEST(NodeCards, are_what_they_were_in_any_order) {
    for_seeds(500, [](std::mt19937_64& random) {
        const Cards cards = random_cards(random);
        std::vector<std::uint32_t> order(cards.size());
        std::iota(order.begin(), order.end(), 0U);
        if (random() % 2 == 0) {
            std::shuffle(order.begin(), order.end(), random);
        } else if (!order.empty()) {
            std::rotate(order.begin(), order.begin() + static_cast<long>(random() % order.size()),
                        order.end());
        }
        Cards expected;
        for (const std::uint32_t index : order) {
            expected.push_back(cards[index]);
        }
        const std::string last = random_card(random);
        NodeCards ordered = kept(cards).in_order(order);
        ordered.add(last);
        ASSERT_EQ(read(ordered), joined(expected, {last}));
    });
}

TEST(NodeCards, travel_with_a_bit_each) {
    for_seeds(500, [](std::mt19937_64& random) {
        const Cards cards = random_cards(random);
        const NodeCards sent = kept(cards);
        NodeCards::Reader sender(sent);
        ByteWriter writer;
        std::vector<bool> flags;
        for (std::size_t i = 0; i < cards.size(); ++i) {
            flags.push_back(random() % 2 == 0);
            sender.put(flags.back(), writer);
        }
        ByteReader reader(writer.bytes());
        NodeCards arrived;
        for (std::size_t i = 0; i < cards.size(); ++i) {
            bool flag = !flags[i];
            arrived.get(flag, reader);
            ASSERT_EQ(flag, flags[i]);
        }
        ASSERT_EQ(reader.num_left(), 0U);
        ASSERT_EQ(read(arrived), cards);
    });
}

// Changed: the first field, of which more is kept than there is.
TEST(NodeCards, take_what_makes_no_sense) {
    ByteReader reader(std::string_view("\2\77\1a\2\77\1b", 8));
    NodeCards cards;
    bool flag = true;
    cards.get(flag, reader);
    cards.get(flag, reader);
    EXPECT_FALSE(flag);
    NodeCards::Reader kept_cards(cards);
    EXPECT_EQ(kept_cards.next(), 1U);
    EXPECT_EQ(kept_cards.fields()[0], "a");
    EXPECT_EQ(kept_cards.next(), 1U);
    EXPECT_EQ(kept_cards.fields()[0], "ab");
}

TEST(SeenRanks, know_what_was_there_and_what_was_not) {
    for_seeds(500, [](std::mt19937_64& random) {
        const std::uint32_t num_processes = 1 + random() % 300;
        SeenRanks seen(num_processes);
        std::vector<bool> plain(num_processes, false);
        for (int i = 0; i < 20; ++i) {
            const auto first = static_cast<std::uint32_t>(random() % num_processes);
            const auto stride = static_cast<std::uint32_t>(1 + random() % 3);
            const auto most = (num_processes - 1 - first) / stride + 1;
            const RankRun run = {first, stride, 1 + static_cast<std::uint32_t>(random() % most)};
            std::optional<std::uint32_t> expected;
            for (std::uint32_t j = 0; j < run.count && !expected; ++j) {
                const std::uint32_t rank = first + j * stride;
                expected = plain[rank] ? std::optional<std::uint32_t>(rank) : std::nullopt;
            }
            ASSERT_EQ(seen.add(run), expected);
            if (expected) {
                return;  // nothing is told of what comes after
            }
            for (std::uint32_t j = 0; j < run.count; ++j) {
                plain[first + j * stride] = true;
            }
            const auto missing = std::find(plain.begin(), plain.end(), false) - plain.begin();
            ASSERT_EQ(seen.lowest_missing(num_processes), static_cast<std::uint32_t>(missing));
        }
    });
}

}  // namespace
}  // namespace hitopo
