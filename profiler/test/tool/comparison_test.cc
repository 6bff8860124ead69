// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Two profiles side by side.
#include "profiler/test/tool/profile_fixtures.h"
#include "profiler/tool/report/report.h"

namespace hitopo::tool {
namespace {

constexpr std::uint64_t kMost = ~std::uint64_t{0};

Profile changed(void (*change)(Json&)) { return std::move(*changed_profile(change)); }

// In B half as many bytes go to rank 2, and rank 1 waits 100 us less.
void halve(Json& document) {
    document["seconds"] = 0.0009;
    Json& rank_0 = document["processes"][0]["kinds"][0];
    rank_0["calls"][0][2] = 527288;
    rank_0["lanes"][1][2] = 526336;
    document["processes"][1]["kinds"][2]["calls"][0][3] = 150000;
}

std::vector<std::string> differences_after(void (*change)(Json&)) {
    return compare(profile_fixture(), changed(change), true).differences;
}

std::string text_of(Profile b) {
    return format_comparison({"a.json", profile_fixture()}, {"b.json", std::move(b)}, false,
                             Charset::kUtf8);
}

// The names of the kinds that both have.
std::vector<std::string> common_kinds(const Comparison& comparison) {
    std::vector<std::string> names;
    for (const auto& row : comparison.tables.back().rows) {
        names.push_back(row[0]);
    }
    return names;
}

TEST(Comparison, is_the_one_worked_out_by_hand) {
    EXPECT_EQ(text_of(changed(halve)), fixture("../profiles/two-nodes.compared.txt"));
}

TEST(Comparison, of_a_profile_with_itself_has_no_difference) {
    const Comparison same = compare(profile_fixture(), profile_fixture(), true);
    EXPECT_TRUE(same.differences.empty());
    EXPECT_TRUE(same.of_one[0].empty());
    EXPECT_TRUE(same.of_one[1].empty());
    EXPECT_EQ(same.run_time_ratio, "1.00");
    EXPECT_EQ(same.tables[0].rows.size(), 7U);
    for (const ComparedTable& table : same.tables) {
        for (const auto& row : table.rows) {
            EXPECT_TRUE(row.back() == "1.00" || row.back() == "-") << row[0];
        }
    }
}

// Keys differ where sizes do.
TEST(Comparison, kinds_are_matched_by_key_then_by_name) {
    const Comparison renamed = compare(profile_fixture(), changed([](Json& document) {
                                           document["kinds"][0]["key"] = "99";
                                           document["kinds"][0]["size"] = 8;
                                           document["kinds"][2]["name"] = "to the client";
                                       }),
                                       true);
    EXPECT_EQ(common_kinds(renamed).size(), 4U);
    EXPECT_TRUE(renamed.of_one[0].empty());
    const Comparison other = compare(profile_fixture(), changed([](Json& document) {
                                         document["kinds"][2]["key"] = "99";
                                         document["kinds"][2]["name"] = "to the client";
                                     }),
                                     true);
    EXPECT_EQ(common_kinds(other).size(), 3U);
    EXPECT_EQ(other.of_one[0], std::vector<std::string>{"to the server (2 processes to 2)"});
    EXPECT_EQ(other.of_one[1], std::vector<std::string>{"to the client (2 processes to 2)"});
    const Comparison twice = compare(profile_fixture(), changed([](Json& document) {
                                         document["kinds"][1]["key"] = "98";
                                         document["kinds"][2]["key"] = "99";
                                         document["kinds"][2]["name"] = document["kinds"][1]["name"];
                                     }),
                                     true);
    EXPECT_EQ(common_kinds(twice).size(), 3U) << "two of one name are one";
    EXPECT_EQ(twice.tables.back().rows[2][2], "24.5 us");
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

TEST(Comparison, of_nothing) {
    const auto nothing = [](Json& document) {
        document["processes"] = Json::array();
        document["kinds"] = Json::array();
    };
    EXPECT_EQ(compare(changed(nothing), profile_fixture(), true).of_one[1].size(), 4U);
    EXPECT_NE(text_of(changed(nothing)).find("Only in A: "), std::string::npos);
    EXPECT_TRUE(compare(changed(nothing), changed(nothing), true).tables.empty());
}

TEST(Comparison, ratios_are_short) {
    EXPECT_EQ(ratio_text({2, 3}), "1.50");
    EXPECT_EQ(ratio_text({0, 3}), "-");
    EXPECT_EQ(ratio_text({0, 0}), "-");
    EXPECT_EQ(ratio_text({3, 0}), "0.00");
    EXPECT_EQ(ratio_text({1000, 1}), "<0.01");
    EXPECT_EQ(ratio_text({1, kMost}), ">999");
}

TEST(ComparisonPage, is_harmless_and_has_no_script) {
    const std::string page =
        format_comparison_page({"<a>", profile_fixture()}, {"b&\x1b", changed(halve)});
    EXPECT_EQ(page.substr(0, 15), "<!DOCTYPE html>");
    EXPECT_EQ(page.find("<script"), std::string::npos);
    EXPECT_EQ(page.find('\x1b'), std::string::npos);
    EXPECT_NE(page.find("A  &lt;a&gt;\n   4 processes"), std::string::npos);
    EXPECT_NE(page.find("default-src 'none'; style-src 'nonce-"), std::string::npos);
    EXPECT_NE(page.find("\n  MPI_Bcast  "), std::string::npos) << "below 1 %, too";
}

TEST(RenderComparison, one_message_for_what_is_broken) {
    Options options = {Command::kReport, Format::kText, false, "", "a.json"};
    options.other_profiles = {"b.json"};
    const auto render = [&](const std::string& a, const std::string& b) {
        return render_comparison(profile_of(a), profile_of(b), options, Charset::kUtf8);
    };
    const std::string good = profile_text();
    EXPECT_EQ(render(good, good).text.substr(0, 10), "A  a.json\n");
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
