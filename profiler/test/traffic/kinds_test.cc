// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/traffic/kinds.h"

#include <gtest/gtest.h>

#include <set>

namespace hitopo {
namespace {

TEST(Kinds, are_named_after_what_made_them) {
    Kinds kinds(100);
    Kind& world = kinds.made("WORLD", nullptr, 8);
    Kind& grid = kinds.made(Kinds::way_of("MPI_Cart_create"), &world, 8);
    Kind& half = kinds.made(Kinds::way_of("MPI_Comm_split"), &grid, 4);
    EXPECT_EQ(half.name, "split of Cart_create of WORLD");
    EXPECT_EQ(half.size, 4);
    EXPECT_EQ(kinds.made(Kinds::way_of("MPIX_Comm_split_type"), &world, 4).name, "split_type of WORLD");
    EXPECT_EQ(&kinds.made("split", &grid, 4), &half);
    EXPECT_EQ(half.num_made, 2U);
    EXPECT_NE(&kinds.made("split", &grid, 3), &half) << "another size";
    EXPECT_NE(&kinds.made("split", &world, 4), &half) << "another parent";
}

TEST(Kinds, duplicates_of_duplicates_are_of_one_kind) {
    Kinds kinds(100);
    Kind& world = kinds.made("WORLD", nullptr, 8);
    std::set<const Kind*> all;
    Kind* last = &world;
    for (const char* function : {"MPI_Comm_dup", "MPI_Comm_idup", "MPI_Comm_dup_with_info",
                                 "MPI_Comm_idup_with_info", "MPI_Comm_dup"}) {
        last = &kinds.made(Kinds::way_of(function), last, 8);
        all.insert(last);
    }
    EXPECT_EQ(all.size(), 1U);
    EXPECT_EQ(last->name, "dup of WORLD");
    EXPECT_EQ(last->num_made, 5U);
}

TEST(Kinds, of_a_chain_without_end_are_few) {
    Kinds kinds(100);
    Kind* last = &kinds.made("WORLD", nullptr, 8);
    std::set<std::string> names;
    for (int i = 0; i < 50; ++i) {
        last = &kinds.made(i % 2 == 0 ? "split" : "dup", last, 8);
        names.insert(last->name);
    }
    EXPECT_EQ(names, (std::set<std::string>{
                         "split of WORLD", "dup of split of WORLD", "split of dup of split of WORLD",
                         "dup of split of dup of split of WORLD", "split of ..", "dup of .."}));
}

TEST(Kinds, given_names_are_none_that_are_made) {
    Kinds kinds(100);
    Kind& world = kinds.made("WORLD", nullptr, 8);
    Kind& made = kinds.made("split", &world, 4);
    Kind& given = kinds.named("split of WORLD", 4);
    EXPECT_NE(&given, &made);
    EXPECT_NE(given.key, made.key);
    EXPECT_EQ(&kinds.named("split of WORLD", 4), &given);
    EXPECT_EQ(given.num_made, 0U) << "it is the caller who knows";
    EXPECT_NE(&kinds.named("split of WORLD", 2), &given);
}

TEST(Kinds, both_sides_of_an_intercommunicator_share_one) {
    Kinds kinds(100);
    Kind& left = kinds.made("Intercomm_create", nullptr, 5, 3);
    EXPECT_EQ(&kinds.made("Intercomm_create", nullptr, 3, 5), &left);
    EXPECT_EQ(left.size, 3);
    EXPECT_EQ(left.remote_size, 5);
    EXPECT_NE(&kinds.made("Intercomm_create", nullptr, 8), &left);
}

TEST(Kinds, keys_are_equal_at_all_processes) {
    Kinds here(100), there(100);
    (void)there.made("SELF", nullptr, 1);
    (void)there.named("first", 2);
    const Kind& a = here.made("split", &here.made("WORLD", nullptr, 8), 4);
    const Kind& b = there.made("split", &there.made("WORLD", nullptr, 8), 4);
    EXPECT_EQ(a.key, b.key);
    EXPECT_NE(a.number, b.number);
}

TEST(Kinds, beyond_the_limit_are_counted_together) {
    Kinds kinds(3);
    Kind& world = kinds.made("WORLD", nullptr, 8);
    for (int size = 1; size <= 2; ++size) {
        (void)kinds.named("few", size);
    }
    EXPECT_FALSE(kinds.has_others());
    Kind& others = kinds.named("more", 1);
    EXPECT_TRUE(kinds.has_others());
    EXPECT_EQ(others.name, "(others)");
    EXPECT_EQ(others.size, 0);
    EXPECT_EQ(&kinds.made("split", &others, 2), &others);
    EXPECT_EQ(&kinds.made("WORLD", nullptr, 8), &world);
    std::size_t num_kinds = 0;
    kinds.for_each([&](const Kind& kind) {
        EXPECT_EQ(kind.number, num_kinds++);
        EXPECT_LT(kind.number, kinds.capacity());
    });
    EXPECT_EQ(num_kinds, kinds.capacity());
}

TEST(Kinds, numbers_in_names_do_not_make_kinds) {
    EXPECT_EQ(without_numbers("level 17"), "level #");
    EXPECT_EQ(without_numbers("2 x 3"), "# x #");
    EXPECT_EQ(without_numbers("row"), "row");
    EXPECT_EQ(without_numbers(""), "");
}

}  // namespace
}  // namespace hitopo
