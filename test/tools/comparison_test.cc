// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Two profiles side by side: comparison.cc, comparison_text.cc, comparison_page.cc.
#include "ompi/tools/hitopo/report/comparison.h"

#include "ompi/tools/hitopo/render.h"
#include "ompi/tools/hitopo/report/equal_communicators.h"
#include "test/tools/profile_fixtures.h"

namespace hitopo::tool {
namespace {

constexpr std::uint64_t kMost = ~std::uint64_t{0};

Profile changed(void (*change)(Json&)) {
    return join_equal_communicators(std::move(*changed_profile(change)));
}

// Rank 0 sends half as much to rank 2.
void halve(Json& document) { document["processes"][0]["communicators"][0]["peers"][1][4] = 524288; }

std::vector<std::string> differences_after(void (*change)(Json&)) {
    return compare(profile_fixture(), changed(change)).differences;
}

std::string text_of(Profile b) {
    return format_comparison({"a.json", profile_fixture()}, {"b.json", std::move(b)}, Charset::kUtf8);
}

TEST(Comparison, is_the_one_worked_out_by_hand) {
    EXPECT_EQ(text_of(changed(halve)), fixture("../profiles/two-nodes.compared.txt"));
}

TEST(Comparison, of_a_profile_with_itself_has_no_difference) {
    const Comparison same = compare(profile_fixture(), profile_fixture());
    EXPECT_TRUE(same.differences.empty());
    EXPECT_TRUE(same.of_one[0].empty());
    EXPECT_TRUE(same.of_one[1].empty());
    ASSERT_EQ(same.of_both.size(), 3U);
    for (const ComparedLane& lane : same.all.lanes) {
        EXPECT_EQ(lane.sums[0].bytes, lane.sums[1].bytes) << lane.name;
        EXPECT_EQ(lane.sums[0].served_bytes, lane.sums[1].served_bytes) << lane.name;
    }
}

TEST(Comparison, the_other_way_round_is_mirrored) {
    const Comparison there = compare(profile_fixture(), changed(halve));
    const Comparison back = compare(changed(halve), profile_fixture());
    ASSERT_EQ(there.all.lanes.size(), back.all.lanes.size());
    for (std::size_t i = 0; i < there.all.lanes.size(); ++i) {
        EXPECT_EQ(there.all.lanes[i].sums[0].bytes, back.all.lanes[i].sums[1].bytes);
        EXPECT_EQ(there.all.lanes[i].sums[1].bytes, back.all.lanes[i].sums[0].bytes);
    }
}

TEST(Comparison, communicators_are_matched_by_name_and_size) {
    const Comparison renamed =
        compare(profile_fixture(),
                changed([](Json& document) { document["communicators"][2]["name"] = "to the client"; }));
    EXPECT_EQ(renamed.of_both.size(), 2U);
    EXPECT_EQ(renamed.of_one[0], std::vector<std::string>{"to the server (2 processes to 2)"});
    EXPECT_EQ(renamed.of_one[1], std::vector<std::string>{"to the client (2 processes to 2)"});
    const Comparison twice = compare(profile_fixture(), changed([](Json& document) {
                                         Json again = document["communicators"][1];
                                         again["id"] = 3;
                                         document["communicators"].push_back(again);
                                     }));
    ASSERT_EQ(twice.of_both.size(), 3U);
    EXPECT_EQ(twice.of_both[1].size, "1 and 2 communicators of 2 processes");
    EXPECT_TRUE(twice.of_one[0].empty());
    EXPECT_TRUE(twice.of_one[1].empty());
}

TEST(Comparison, says_where_the_jobs_differ) {
    EXPECT_TRUE(differences_after(halve).empty());
    EXPECT_EQ(differences_after([](Json& document) { document["table"] = nullptr; }),
              std::vector<std::string>{"Only A has an address table: lanes do not mean the same."});
    EXPECT_EQ(differences_after([](Json& document) {
                  document["table"] = nullptr;
                  document["size"] = 5;
              })[0],
              "The jobs differ in size: 4 and 5 processes.");
    EXPECT_EQ(differences_after([](Json& document) {
                  for (const int rank : {2, 3}) {
                      document["table"]["ranks"][rank]["names"][3] = "n9";
                  }
              }),
              (std::vector<std::string>{"The jobs differ in their nodes: 1 only A has, and 1 only B.",
                                        "2 of 4 ranks are on another node in B."}));
    EXPECT_EQ(differences_after(
                  [](Json& document) { document["table"]["levels"][kSwitch]["known"] = "none"; }),
              std::vector<std::string>{"Only A knows the level switch: lanes do not mean the same."});
}

TEST(Comparison, needs_no_peers) {
    const Comparison summed = compare(profile_fixture(), changed(sum_peers));
    for (const ComparedLane& lane : summed.all.lanes) {
        EXPECT_EQ(lane.sums[0].messages, lane.sums[1].messages) << lane.name;
        EXPECT_EQ(lane.sums[0].bytes, lane.sums[1].bytes) << lane.name;
    }
}

TEST(Comparison, of_nothing) {
    const auto nothing = [](Json& document) {
        document["processes"] = Json::array();
        document["communicators"] = Json::array();
    };
    const Comparison comparison = compare(changed(nothing), profile_fixture());
    EXPECT_TRUE(comparison.of_both.empty());
    EXPECT_EQ(comparison.of_one[1].size(), 3U);
    EXPECT_NE(text_of(changed(nothing)).find("Only in A: "), std::string::npos);
    EXPECT_TRUE(rows_of(compare(changed(nothing), changed(nothing)).all, kComparedTables[0]).empty());
}

TEST(Comparison, stays_at_the_largest_number) {
    const Comparison comparison =
        compare(profile_fixture(), changed([](Json& document) {
                    document["processes"][0]["communicators"][0]["peers"][1][4] = kMost;
                }));
    EXPECT_EQ(rows_of(comparison.all, kComparedTables[0]).back().bytes[1], kMost);
}

TEST(Comparison, differences_and_ratios_are_short) {
    EXPECT_EQ(difference_text({1024, 3072}), "+2.00 KiB");
    EXPECT_EQ(difference_text({3072, 1024}), "-2.00 KiB");
    EXPECT_EQ(difference_text({7, 7}), "0 B");
    EXPECT_EQ(difference_text({0, kMost}), "+16.0 EiB");
    EXPECT_EQ(ratio_text({2, 3}), "1.50");
    EXPECT_EQ(ratio_text({0, 3}), "-");
    EXPECT_EQ(ratio_text({0, 0}), "-");
    EXPECT_EQ(ratio_text({3, 0}), "0.00");
    EXPECT_EQ(ratio_text({1000, 1}), "<0.01");
    EXPECT_EQ(ratio_text({1, kMost}), ">999");
}

TEST(Comparison, lists_few_communicators_and_says_so) {
    const auto many = [](Json& document) {
        for (int id = 3; id < 30; ++id) {
            Json communicator = document["communicators"][1];
            communicator["id"] = id;
            communicator["name"] = "copy " + std::to_string(id);
            document["communicators"].push_back(communicator);
        }
    };
    const std::string text =
        format_comparison({"a", changed(many)}, {"b", changed(many)}, Charset::kAscii);
    EXPECT_NE(text.find("These are the 20 with the most bytes; --format html has all 30."),
              std::string::npos);
    EXPECT_NE(text_of(changed(many)).find("Only in B: copy 10 (2 processes), copy 11 (2 processes)"),
              std::string::npos);
}

TEST(ComparisonPage, is_harmless_and_has_no_script) {
    const std::string page =
        format_comparison_page({"<a>", profile_fixture()}, {"b&\x1b", changed(halve)});
    EXPECT_EQ(page.substr(0, 15), "<!DOCTYPE html>");
    EXPECT_EQ(page.find("<script"), std::string::npos);
    EXPECT_EQ(page.find('\x1b'), std::string::npos);
    EXPECT_NE(page.find("A: &lt;a&gt;: 4 processes"), std::string::npos);
    EXPECT_NE(page.find("default-src 'none'; style-src 'nonce-"), std::string::npos);
}

TEST(RenderComparison, one_message_for_what_is_broken) {
    Options options = {Command::kReport, Format::kText, false, "", "a.json"};
    options.other_profiles = {"b.json"};
    const auto render = [&](const std::string& a, const std::string& b) {
        return render_comparison(profile_of(a), profile_of(b), options, Charset::kUtf8);
    };
    const std::string good = profile_text();
    EXPECT_EQ(render(good, good).text.substr(0, 12), "Two profiles");
    for (const std::string& bad :
         {std::string("{"), std::string(), std::string("[]"), good.substr(0, 1000)}) {
        for (const Rendered& broken : {render(good, bad), render(bad, good), render(bad, bad)}) {
            EXPECT_EQ(broken.text, "");
            EXPECT_EQ(broken.error.substr(0, 10), "job.json: ");
            EXPECT_EQ(broken.error.find('\n'), std::string::npos);
        }
    }
    options.format = Format::kHtml;
    EXPECT_EQ(render(good, good).text.substr(0, 9), "<!DOCTYPE");
}

}  // namespace
}  // namespace hitopo::tool
