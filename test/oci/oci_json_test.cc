// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <string>

#include "ompi/mca/hitopo/oci/hitopo_oci_json.h"
#include "test/support/random_cases.h"

namespace hitopo {
namespace {

std::string shown(const std::optional<RawValue>& value) {
    return value ? value->visible().to_string() : "none";
}

TEST(OciPlace, levels_are_whole_ids_of_which_people_see_the_end) {
    const auto place = parse_oci_place(
        R"({"customerHPCIslandId": "ocid1.hpcisland.a.island77", "customerNetworkBlock": "ocid1.n.b.block001",
            "customerLocalBlock": "ocid1.l.c.leaf0003", "customerGpuMemoryFabric": "ocid1.g.d", "other": [1]})");
    ASSERT_TRUE(place);
    EXPECT_EQ(shown(island_of(*place)), "island77");
    EXPECT_EQ(shown(switch_of(*place)), "leaf0003");
    EXPECT_EQ(place->gpu_fabric, "ocid1.g.d");
    EXPECT_EQ(switch_of(*place)->to_string(),
              "ocid1.hpcisland.a.island77/ocid1.n.b.block001/ocid1.l.c.leaf0003/leaf0003");
}

TEST(OciPlace, blocks_of_one_name_in_two_islands_are_two) {
    const auto a = parse_oci_place(R"({"customerHPCIslandId": "a", "customerLocalBlock": "x"})");
    const auto b = parse_oci_place(R"({"customerHPCIslandId": "b", "customerLocalBlock": "x"})");
    ASSERT_TRUE(a && b);
    EXPECT_FALSE(switch_of(*a) == switch_of(*b));
    EXPECT_EQ(shown(switch_of(*a)), "x");
}

TEST(OciPlace, what_is_missing_or_no_text_is_unknown) {
    const auto place = parse_oci_place(R"({"customerHPCIslandId": null, "customerLocalBlock": "x"})");
    ASSERT_TRUE(place);
    EXPECT_FALSE(island_of(*place));
    EXPECT_TRUE(switch_of(*place));
    const auto block = parse_oci_place(R"({"customerNetworkBlock": "x"})");
    ASSERT_TRUE(block);
    EXPECT_FALSE(island_of(*block) || switch_of(*block));
}

// What is odd in other members costs none of these.
TEST(OciPlace, members_are_read_between_odd_ones) {
    const std::string odd[] = {R"("a": null)",
                               R"("a": [{}, []])",
                               "\"a\":\t7",
                               "\"caf\xe9\": \"\xff\"",
                               R"("customerNetworkBlock": null)",
                               R"("later": {"kind": {"x": 1}})"};
    std::mt19937 random(30);
    for (int i = 0; i < random_cases(300); ++i) {
        std::string text = random() % 3 == 0 ? "\xEF\xBB\xBF{" : "{";
        for (const char* member : {R"("customerHPCIslandId": "i")", R"("customerLocalBlock": "x")"}) {
            for (std::size_t count = random() % 3; count > 0; --count) {
                text += odd[random() % std::size(odd)] + (random() % 2 == 0 ? ",\r\n" : ",");
            }
            text += std::string(member) + ", ";
        }
        text += "\"end\": true}";
        const auto place = parse_oci_place(text);
        ASSERT_TRUE(place) << text;
        EXPECT_EQ(place->island + '/' + place->local_block, "i/x") << text;
        text.resize(random() % text.size());
        EXPECT_FALSE(parse_oci_place(text)) << text;
    }
}

TEST(OciPlace, what_is_no_place) {
    for (const std::string& text :
         {std::string(), std::string("{}"), std::string("[]"), std::string("null"), std::string("{"),
          std::string("<html>"), std::string(R"({"customerLocalBlock": 7})"),
          std::string(R"({"customerLocalBlock": ""})"), std::string(R"(["customerLocalBlock"])"),
          R"({"customerLocalBlock": ")" + std::string(256, 'x') + "\"}", std::string(100000, '[')}) {
        EXPECT_FALSE(parse_oci_place(text)) << text.substr(0, 80);
    }
}

TEST(CurlOutput, has_a_body_with_status_200_alone) {
    EXPECT_EQ(split_curl_output("{}\n\n200").body, "{}\n");
    EXPECT_EQ(split_curl_output("{}\n\n200").why_not, "");
    EXPECT_EQ(split_curl_output("moved\n302").why_not, "HTTP status 302");
    EXPECT_EQ(split_curl_output("moved\n302").body, "");
    EXPECT_EQ(split_curl_output("").why_not, "it printed no status");
    EXPECT_EQ(split_curl_output("200").why_not, "it printed no status");
}

TEST(CurlOutput, a_complaint_is_the_reason_wherever_it_stands) {
    const std::string complaint = "curl: (28) Operation timed out";
    EXPECT_EQ(split_curl_output("\n000" + complaint + "\n").why_not, complaint);
    EXPECT_EQ(split_curl_output(complaint + "\n{\"a\n200").why_not, complaint);
}

}  // namespace
}  // namespace hitopo
