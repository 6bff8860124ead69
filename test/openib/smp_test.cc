// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Offsets are those of the InfiniBand Architecture Specification, figures of 13.4.3, 14.2.1.2, 14.2.5.
#include "ompi/mca/hitopo/openib/smp.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace hitopo {
namespace {

TEST(Smp, a_question_is_a_directed_route_get) {
    const Mad mad = encode_smp({{1, 7}, SmpRequest::kPortInfo, 0x01020304}, 0xa1b2c3d4);
    Mad expected = {};
    const std::uint8_t header[] = {1, 0x81, 1, 1, 0, 0, 0, 2};
    std::copy(std::begin(header), std::end(header), expected.begin());
    const std::uint8_t transaction[] = {0xa1, 0xb2, 0xc3, 0xd4, 0x00, 0x15, 0, 0, 1, 2, 3, 4};
    std::copy(std::begin(transaction), std::end(transaction), expected.begin() + 12);
    std::fill_n(expected.begin() + 32, 4, 0xff);
    expected[129] = 1;
    expected[130] = 7;
    EXPECT_EQ(mad, expected);
    EXPECT_EQ(transaction_of(mad), 0xa1b2c3d4);
}

TEST(Smp, a_route_is_cut_at_63_hops) {
    const Mad mad = encode_smp({std::vector<std::uint8_t>(100, 9), SmpRequest::kNodeInfo}, 1);
    EXPECT_EQ(mad[7], 63);
    EXPECT_EQ(mad[191], 9);
    EXPECT_EQ(mad[192], 0);
}

Mad reply_to(std::uint32_t transaction) {
    Mad mad = encode_smp({{1}, SmpRequest::kNodeInfo}, transaction);
    mad[3] = 0x81;
    mad[4] = 0x80;  // on its way back
    mad[64] = 42;
    mad[127] = 43;
    return mad;
}

TEST(Smp, a_reply_has_its_transaction_and_data) {
    const std::optional<SmpReply> reply = decode_smp(reply_to(77));
    ASSERT_TRUE(reply);
    EXPECT_EQ(transaction_of(reply_to(77)), 77u);
    EXPECT_TRUE(reply->is_good);
    EXPECT_EQ(reply->data.front(), 42);
    EXPECT_EQ(reply->data.back(), 43);
}

TEST(Smp, a_status_is_a_refusal) {
    Mad mad = reply_to(1);
    mad[5] = 0x0c;  // unsupported attribute
    EXPECT_FALSE(decode_smp(mad)->is_good);
    mad = reply_to(1);
    mad[4] |= 1;
    EXPECT_FALSE(decode_smp(mad)->is_good);
}

TEST(Smp, what_is_no_reply_is_none) {
    EXPECT_FALSE(decode_smp(encode_smp({{1}, SmpRequest::kNodeInfo}, 1)));
    Mad routed_by_lid = reply_to(1);
    routed_by_lid[1] = 0x01;
    EXPECT_FALSE(decode_smp(routed_by_lid));
    EXPECT_FALSE(decode_smp(Mad{}));
}

TEST(Smp, node_info) {
    SmpData data = {};
    data[0] = data[1] = 1;
    data[2] = 2;
    data[3] = 40;
    data[12] = 0x24;
    data[13] = 0x8a;
    data[19] = 0xee;
    data[36] = 17;
    const FabricNode node = decode_node_info(data);
    EXPECT_TRUE(node.is_switch);
    EXPECT_EQ(node.num_ports, 40);
    EXPECT_EQ(node.guid, 0x248a0000000000eeU);
    EXPECT_EQ(node.local_port, 17);
    data[2] = 1;
    EXPECT_FALSE(decode_node_info(data).is_switch);
    data[2] = 3;
    EXPECT_FALSE(decode_node_info(data).is_switch);
}

bool is_up(unsigned state, unsigned physical) {
    SmpData data = {};
    data[32] = static_cast<std::uint8_t>(0x70 | state);
    data[33] = static_cast<std::uint8_t>(physical << 4 | 2);
    return is_port_up(data);
}

TEST(Smp, a_port_is_up_from_initialise_on_if_its_link_is) {
    EXPECT_TRUE(is_up(4, 5));
    EXPECT_TRUE(is_up(2, 5));
    EXPECT_FALSE(is_up(1, 5));
    EXPECT_FALSE(is_up(4, 3));
    EXPECT_FALSE(is_up(1, 2));
}

TEST(Smp, a_description_ends_at_a_nul_or_not_at_all) {
    SmpData data = {};
    const std::string text = " leaf 1 ";
    std::copy(text.begin(), text.end(), data.begin());
    EXPECT_EQ(decode_node_description(data), "leaf 1");
    data.fill('x');
    EXPECT_EQ(decode_node_description(data), std::string(64, 'x'));
}

}  // namespace
}  // namespace hitopo
