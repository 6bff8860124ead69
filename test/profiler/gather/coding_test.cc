// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What travels: heads, orders, answers.
#include <gtest/gtest.h>

#include <random>

#include "profiler/gather/answers.h"
#include "profiler/gather/heads.h"
#include "profiler/gather/order.h"

namespace hitopo {
namespace {

using Keys = std::vector<std::uint64_t>;

Heads two_processes() {
    Heads heads;
    heads.add(3, {70, 71}, {{10, 1, 100, 1}, {20, 0, 200, 2}});
    heads.add(5, {70, 71}, {{30, 4, 300, 2}});
    return heads;
}

// What is cut off anywhere, or longer.
template <class Coded>
void expect_only_whole(const std::string& bytes) {
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_FALSE(Coded::decode(bytes.substr(0, size))) << size;
    }
    EXPECT_FALSE(Coded::decode(bytes + 'x'));
}

Keys keys_of(const Heads& heads, std::size_t process) {
    Keys keys;
    for (const std::uint32_t key : heads.keys_of(heads.processes()[process])) {
        keys.push_back(heads.keys()[key]);
    }
    return keys;
}

TEST(Heads, part_of_is_the_snapshot_or_the_end) {
    const Heads heads = two_processes();
    const Heads::Process& first = heads.processes()[0];
    EXPECT_EQ(Heads::num_snapshots(first), 1);
    EXPECT_EQ(heads.part_of(first, 1)->elapsed_ns, 10U);
    EXPECT_EQ(heads.part_of(first, kEnd)->elapsed_ns, 20U);
    EXPECT_EQ(heads.part_of(first, 2), nullptr);
    EXPECT_EQ(heads.part_of(first, -1), nullptr);
    EXPECT_EQ(heads.part_of(heads.processes()[1], 1), nullptr);
    EXPECT_EQ(heads.part_of(heads.processes()[1], kEnd)->remarks, 4U);
}

// 2 keys, 1 list of 2, 2 processes, 3 parts.
TEST(Heads, encode_says_keys_and_lists_once) {
    EXPECT_EQ(two_processes().encode().size(), 4U + 2 * 8 + 4 + 4 + 2 * 4 + 4 + 2 * 12 + 3 * 28);
}

TEST(Heads, join_keeps_each_process_as_it_was) {
    Heads joined;
    Heads other;
    joined.add(0, {71}, {{1, 0, 0, 1}});
    other.add(9, {72, 71}, {{2, 0, 0, 2}});
    joined.join(two_processes());
    joined.join(other);
    EXPECT_EQ(joined.keys(), (Keys{71, 70, 72}));
    ASSERT_EQ(joined.processes().size(), 4U);
    EXPECT_EQ(joined.processes()[2].rank, 5);
    EXPECT_EQ(keys_of(joined, 0), (Keys{71}));
    EXPECT_EQ(keys_of(joined, 1), (Keys{70, 71}));
    EXPECT_EQ(keys_of(joined, 2), (Keys{70, 71}));
    EXPECT_EQ(keys_of(joined, 3), (Keys{72, 71}));
    EXPECT_EQ(joined.part_of(joined.processes()[1], 1)->num_bytes, 100U);
    EXPECT_EQ(joined.part_of(joined.processes()[2], kEnd)->num_bytes, 300U);
    EXPECT_EQ(joined.part_of(joined.processes()[3], kEnd)->elapsed_ns, 2U);
}

TEST(Heads, decode_is_the_inverse_of_encode) {
    const std::string bytes = two_processes().encode();
    const auto heads = Heads::decode(bytes);
    ASSERT_TRUE(heads);
    EXPECT_EQ(heads->encode(), bytes);
    EXPECT_EQ(keys_of(*heads, 1), (Keys{70, 71}));
}

TEST(Heads, decode_refuses_what_is_cut_off_or_longer) {
    const std::string bytes = two_processes().encode();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_FALSE(Heads::decode(bytes.substr(0, size))) << size;
    }
    EXPECT_FALSE(Heads::decode(bytes + '\0'));
}

// Each of these would be an index out of range, a rank twice, or a list twice.
TEST(Heads, decode_refuses_what_does_not_fit_together) {
    const std::size_t list = 4 + 2 * 8 + 4 + 4, process = list + 2 * 4 + 4, part = process + 12;
    const std::vector<std::pair<std::size_t, char>> changes = {
        {4, 71},              // the first key is the second
        {list, 2},            // a key that there is not
        {process + 4, 1},     // a list
        {process + 8, 0},     // no part
        {process, 5},         // ranks that do not ascend
        {process + 3, -128},  // a negative rank
        {part + 24, 3},       // more keys than the list has
    };
    for (const auto& [at, value] : changes) {
        std::string bytes = two_processes().encode();
        bytes[at] = value;
        EXPECT_FALSE(Heads::decode(bytes)) << at;
    }
}

TEST(Order, decode_is_the_inverse_of_encode) {
    const Order order = {7, false, {4, 0, 2}, {1, 0, 1}};
    const std::string bytes = order.encode();
    const auto decoded = Order::decode(bytes);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->number, 7);
    EXPECT_FALSE(decoded->wants_peers);
    EXPECT_EQ(decoded->ids, order.ids);
    EXPECT_EQ(decoded->is_new, order.is_new);
    expect_only_whole<Order>(bytes);
}

TEST(NodeOrder, decode_is_the_inverse_of_encode) {
    const NodeOrder order = {0, true, 4, 12, {NodeOrder::kNone, 3}, {NodeOrder::kNone, 6}};
    const std::string bytes = order.encode();
    const auto decoded = NodeOrder::decode(bytes);
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->number, kEnd);
    EXPECT_TRUE(decoded->wants_peers);
    EXPECT_EQ(decoded->first, 4);
    EXPECT_EQ(decoded->end, 12);
    EXPECT_EQ(decoded->ids, order.ids);
    EXPECT_EQ(decoded->ranks, order.ranks);
    expect_only_whole<NodeOrder>(bytes);
}

TEST(NodeOrder, order_of_has_the_communicators_of_that_part) {
    const Heads heads = two_processes();
    const NodeOrder order = {1, false, 0, 9, {8, 9}, {3, 5}};
    const Order first = order.order_of(heads, heads.processes()[0]);
    EXPECT_EQ(first.number, 1);
    EXPECT_FALSE(first.wants_peers);
    EXPECT_EQ(first.ids, (std::vector<std::int32_t>{8}));
    EXPECT_EQ(first.is_new, (std::vector<std::int32_t>{1}));
    const NodeOrder end = {kEnd, true, 0, 9, {8, 9}, {3, 5}};
    EXPECT_EQ(end.order_of(heads, heads.processes()[0]).is_new, (std::vector<std::int32_t>{1, 0}));
    EXPECT_EQ(end.order_of(heads, heads.processes()[1]).is_new, (std::vector<std::int32_t>{0, 1}));
    EXPECT_EQ(end.order_of(heads, heads.processes()[1]).ids, (std::vector<std::int32_t>{8, 9}));
}

TEST(NodeOrder, order_of_describes_a_key_once) {
    Heads heads;
    heads.add(1, {70, 70}, {{0, 0, 0, 2}});
    const NodeOrder order = {kEnd, true, 0, 2, {4}, {1}};
    EXPECT_EQ(order.order_of(heads, heads.processes()[0]).is_new, (std::vector<std::int32_t>{1, 0}));
}

TEST(Answers, those_of_several_are_one_behind_the_other) {
    const std::string bytes = encode(Answer{1, "[1]", "first"}) + encode(Answer{4, "", "second"});
    const auto answers = decode_answers(bytes);
    ASSERT_TRUE(answers);
    ASSERT_EQ(answers->size(), 2U);
    EXPECT_EQ((*answers)[0].rank, 1);
    EXPECT_EQ((*answers)[0].descriptions, "[1]");
    EXPECT_EQ((*answers)[0].traffic, "first");
    EXPECT_EQ((*answers)[1].rank, 4);
    EXPECT_EQ((*answers)[1].descriptions, "");
    EXPECT_EQ((*answers)[1].traffic, "second");
    EXPECT_EQ(decode_answers("")->size(), 0U);
}

TEST(Answers, decode_refuses_what_is_cut_off_or_too_long) {
    const std::string bytes = encode(Answer{1, "[1]", "first"});
    for (std::size_t size = 1; size < bytes.size(); ++size) {
        EXPECT_FALSE(decode_answers(bytes.substr(0, size))) << size;
    }
    std::string absurd = bytes;
    absurd.replace(4, 16, 16, '\xff');  // both lengths; their sum is less than either
    EXPECT_FALSE(decode_answers(absurd));
    EXPECT_FALSE(decode_answers("?"));
}

}  // namespace
}  // namespace hitopo
