// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/text/text.h"

namespace hitopo {
namespace {

int sign(int value) { return (value > 0) - (value < 0); }

// All words of up to four letters of a small alphabet that holds what natural order is about.
std::vector<std::string> short_words() {
    const std::string letters = "019a-";
    std::vector<std::string> words = {""};
    for (std::size_t first = 0, length = 1; length <= 4; ++length) {
        const std::size_t last = words.size();
        for (; first < last; ++first) {
            for (const char letter : letters) {
                words.push_back(words[first] + letter);
            }
        }
    }
    return words;
}

TEST(CompareNatural, orders_runs_of_digits_as_numbers) {
    const std::vector<std::string> ascending = {"",       "0",      "n",       "n2",     "n04",
                                                "n4",     "n4a",    "n12",     "n100b2", "n100b10",
                                                "node-1", "node-2", "node-10", "node1"};
    for (std::size_t i = 0; i < ascending.size(); ++i) {
        for (std::size_t j = 0; j < ascending.size(); ++j) {
            EXPECT_EQ(sign(compare_natural(ascending[i], ascending[j])), (i > j) - (i < j))
                << ascending[i] << " and " << ascending[j];
        }
    }
}

TEST(CompareNatural, has_no_largest_number) {
    const std::string nines(40, '9');
    EXPECT_LT(compare_natural("n" + nines, "n1" + std::string(40, '0')), 0);
    EXPECT_LT(compare_natural("n18446744073709551615", "n18446744073709551616"), 0);
}

TEST(CompareNatural, orders_bytes_as_unsigned) { EXPECT_LT(compare_natural("nz", "n\xc3\xa9"), 0); }

TEST(CompareNatural, is_antisymmetric_and_zero_only_for_equal) {
    const std::vector<std::string> words = short_words();
    for (const std::string& a : words) {
        for (const std::string& b : words) {
            const int order = sign(compare_natural(a, b));
            ASSERT_EQ(order, -sign(compare_natural(b, a))) << a << " and " << b;
            ASSERT_EQ(order == 0, a == b) << a << " and " << b;
        }
    }
}

// A relation that is antisymmetric and total is transitive exactly if, once sorted, every earlier
// word stands before every later one.
TEST(CompareNatural, is_transitive) {
    std::vector<std::string> words = short_words();
    std::sort(words.begin(), words.end(),
              [](const std::string& a, const std::string& b) { return compare_natural(a, b) < 0; });
    for (std::size_t i = 0; i < words.size(); ++i) {
        for (std::size_t j = i + 1; j < words.size(); ++j) {
            ASSERT_LT(compare_natural(words[i], words[j]), 0) << words[i] << " and " << words[j];
        }
    }
}

// Where two heads tell texts apart, they tell it as compare_natural does.
TEST(NaturalOrder, heads_agree_with_it) {
    const std::string texts[] = {"",
                                 "n",
                                 "n1",
                                 "n01",
                                 "n1x",
                                 "n2",
                                 "n10",
                                 "n010b",
                                 "7",
                                 "007",
                                 "node",
                                 "node9",
                                 "n9-1",
                                 "n9b",
                                 "m11",
                                 "n0",
                                 "n00",
                                 "12345678901234567890",
                                 "99999999999999999999"};
    for (const std::string& a : texts) {
        for (const std::string& b : texts) {
            const NaturalHead x = natural_head(a), y = natural_head(b);
            if (x.has_number && y.has_number && x.stem == y.stem && x.number != y.number) {
                EXPECT_EQ(x.number < y.number, compare_natural(a, b) < 0) << a << " " << b;
            }
        }
    }
    EXPECT_EQ(natural_head("rack7node12").stem, "rack");
    EXPECT_EQ(natural_head("rack7node12").number, 7U);
    EXPECT_FALSE(natural_head("login").has_number);
    EXPECT_FALSE(natural_head("x1234567890123456789").has_number) << "too long for 64 bits";
}

}  // namespace
}  // namespace hitopo
