// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/table/divider.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace hitopo {
namespace {

// Six items; {0,1,2} and {3,4,5} of the outer type, {2,3} and {4} of the inner.
Divider six(std::vector<std::uint32_t> weights, bool is_item_domain = false) {
    return {{{0, 0, 0, 1, 1, 1}, {-1, -1, 7, 7, 2, -1}}, std::move(weights), is_item_domain};
}

// By their first items.
std::vector<Items> parts_of(const Parts& parts) {
    std::vector<Items> all;
    for (std::size_t part = 0; part < parts.count(); ++part) {
        all.push_back(parts.part(part));
    }
    std::sort(all.begin(), all.end());
    return all;
}

TEST(Divider, the_heavier_of_two_that_cross_stands_whole) {
    Divider even = six({1, 1, 1, 1, 1, 1});
    const Parts parts = even.divide(all_items(6));
    EXPECT_EQ(parts_of(parts), (std::vector<Items>{{0, 1, 2}, {3, 4, 5}}));
    EXPECT_TRUE(parts.do_domains_cross) << "{2,3} lies in both";
    Divider heavy = six({1, 1, 5, 5, 1, 1});
    EXPECT_EQ(parts_of(heavy.divide(all_items(6))), (std::vector<Items>{{2, 3}, {4}}));
    Divider equal = six({1, 1, 2, 2, 1, 1});
    EXPECT_EQ(parts_of(equal.divide(all_items(6))), (std::vector<Items>{{0, 1, 2}, {3, 4, 5}}))
        << "of equal weight the outer type";
}

TEST(Divider, domains_are_cut_to_what_is_divided) {
    Divider divider = six({1, 1, 1, 1, 1, 1});
    const Parts parts = divider.divide({3, 4, 5});
    EXPECT_EQ(parts_of(parts), (std::vector<Items>{{3}, {4}})) << "{3,4,5} is no strict subset";
    EXPECT_FALSE(parts.do_domains_cross);
    EXPECT_EQ(divider.divide({5}).count(), 0U);
}

TEST(Divider, items_that_are_domains_are_left_for_themselves) {
    Divider divider = six({1, 1, 1, 1, 1, 1}, true);
    EXPECT_EQ(parts_of(divider.divide({3, 4, 5})), (std::vector<Items>{{3}, {4}, {5}}));
    EXPECT_EQ(divider.divide({5}).count(), 0U) << "no strict subset";
}

TEST(Divider, tells_whether_a_part_is_a_whole_domain) {
    const Divider divider = six({1, 1, 1, 1, 1, 1});
    const Items all = all_items(6);
    EXPECT_TRUE(divider.is_domain(0, divider.domain_sizes(0, all), {0, 1, 2}));
    EXPECT_FALSE(divider.is_domain(0, divider.domain_sizes(0, all), {0, 1})) << "2 is left";
    EXPECT_TRUE(divider.is_domain(0, divider.domain_sizes(0, {0, 1, 3}), {0, 1})) << "cut";
    EXPECT_FALSE(divider.is_domain(1, divider.domain_sizes(1, all), {2, 4})) << "of two domains";
    EXPECT_FALSE(divider.is_domain(1, divider.domain_sizes(1, all), {0, 1})) << "of none";
}

}  // namespace
}  // namespace hitopo
