// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// profile_sums.cc, report_text.cc, report_json.cc, page.cc.
#include "profiler/tool/report/report.h"

#include <algorithm>
#include <array>

#include "profiler/test/tool/profile_fixtures.h"

namespace hitopo::tool {
namespace {

constexpr std::uint64_t kMost = ~std::uint64_t{0};

Options report_options(Format format) { return {Command::kReport, format, false, "", "job.json"}; }

std::size_t count_of(const std::string& text, const std::string& piece) {
    std::size_t count = 0;
    for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) {
        ++count;
    }
    return count;
}

Profile changed(void (*change)(Json&)) { return std::move(*changed_profile(change)); }

std::string text_of(const Profile& profile, Charset charset = Charset::kAscii) {
    return format_report(Report(profile, "job.json"), charset);
}
Json json_of(const Profile& profile) {
    return *parse_json(format_report_json(Report(profile, "job.json")));
}

TEST(ProfileSums, of_the_whole_job) {
    const Profile profile = profile_fixture();
    const TrafficSums whole = sum_up(profile).whole;
    EXPECT_EQ(whole.calls, 37U);
    EXPECT_EQ(whole.messages, 19U);
    EXPECT_EQ(whole.call_bytes, 1053868U);
    EXPECT_EQ(whole.bytes, 1053768U);
    EXPECT_EQ(whole.collective_bytes, 300U);
    EXPECT_EQ(whole.ns, 1897600U);
    EXPECT_EQ(whole.lanes[3].messages, 14U);
    EXPECT_EQ(whole.lanes[4].bytes, 1050624U);
    EXPECT_EQ(whole.lanes[4].served_flat_bytes, 200U);
    EXPECT_EQ(whole.served, (std::map<std::string, std::uint64_t>{{"MPI_Bcast", 1}}));
    EXPECT_EQ(run_ns(profile), 4000000U);
    EXPECT_EQ(outside_ns(profile, whole), 2102400U);
}

TEST(ProfileSums, of_functions_have_the_least_and_most_of_a_process) {
    const TrafficSums whole =
        sum_up(changed([](Json& document) {
            for (const int rank : {1, 2, 3}) {
                document["processes"][rank]["kinds"][0]["calls"].push_back(
                    {"MPI_Bcast", 1, 0, 1000 * rank + 500});
            }
            document["processes"][3]["kinds"][1]["calls"].push_back({"MPI_Bcast", 1, 0, 100});
        })).whole;
    const auto bcast = std::find_if(whole.by_call.begin(), whole.by_call.end(),
                                    [](const CallCount& call) { return call.name == "MPI_Bcast"; });
    ASSERT_NE(bcast, whole.by_call.end());
    EXPECT_EQ(bcast->count, 5U);
    EXPECT_EQ(bcast->least_ns, 1000U);
    EXPECT_EQ(bcast->most_ns, 3600U);
    EXPECT_EQ(whole.by_call[0].name, "MPI_Waitall");
    EXPECT_EQ(whole.by_call[0].least_ns, 0U) << "two processes do not call it";
}

TEST(ProfileSums, of_kinds_by_time) {
    const Profile profile = profile_fixture();
    const std::vector<KindSum> kinds = sum_up(profile).kinds;
    ASSERT_EQ(kinds.size(), 4U);
    EXPECT_EQ(kinds[0].kind, 3U);
    EXPECT_EQ(kinds[0].number, 0U);
    EXPECT_EQ(kinds[1].kind, 0U);
    EXPECT_EQ(kinds[1].number, 1U);
    EXPECT_EQ(kinds[1].call_bytes, 1053724U);
    EXPECT_EQ(kinds[3].number, 1U) << "of its four members two wrote";
}

TEST(ProfileSums, number_of_communicators_is_rounded_up) {
    const Profile profile = changed([](Json& document) {
        document["processes"][0]["kinds"][1]["made"] = 4;
        document["processes"][1]["kinds"][1]["made"] = 3;
    });
    EXPECT_EQ(sum_up(profile).kinds[2].number, 4U);
}

TEST(ProfileSums, stay_at_the_largest_number) {
    const Profile profile = changed([](Json& document) {
        document["processes"][0]["kinds"][0]["lanes"][1][2] = kMost;
        document["processes"][0]["kinds"][0]["calls"][0][3] = kMost;
    });
    const ProfileSums sums = sum_up(profile);
    EXPECT_EQ(sums.whole.bytes, kMost);
    EXPECT_EQ(sums.whole.ns, kMost);
    EXPECT_EQ(sums.process_ns[0], kMost);
    EXPECT_EQ(outside_ns(profile, sums.whole), 0U);
}

TEST(ProfileSums, sizes_are_below_their_names) {
    const Profile profile = changed([](Json& document) {
        Json& sizes = document["processes"][3]["kinds"][0]["sizes"];
        for (const int bits : {0, 1, 6, 7, 10, 11, 16, 17, 20, 21, 64}) {
            sizes.push_back({bits, 1000, 0});
        }
    });
    const TrafficSums whole = sum_up(profile).whole;
    const std::array<std::uint64_t, 6> expected = {1001, 2012, 2003, 2002, 2000, 2001};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(whole.sizes[i].messages, expected[i]) << kSizeNames[i];
    }
}

TEST(ProfileSums, heaviest_pairs_come_by_bytes_then_messages) {
    const HeaviestPairs heaviest = heaviest_pairs(profile_fixture(), 2);
    EXPECT_EQ(heaviest.num_pairs, 3U);
    ASSERT_EQ(heaviest.pairs.size(), 2U);
    EXPECT_EQ(heaviest.pairs[0].bytes, 1050624U);
    EXPECT_EQ(heaviest.pairs[0].to, 2);
    EXPECT_EQ(heaviest.pairs[1].messages, 13U);
}

TEST(ReportText, is_the_one_worked_out_by_hand) {
    const Profile profile = profile_fixture();
    EXPECT_EQ(text_of(profile, Charset::kUtf8), fixture("../profiles/two-nodes.report.txt"));
    EXPECT_EQ(text_of(profile), fixture("../profiles/two-nodes.report-ascii.txt"));
}

TEST(ReportText, of_a_profile_without_pairs_says_so_and_how_to_get_them) {
    const std::string text = text_of(changed(drop_pairs));
    EXPECT_NE(text.find("  pairs     not in this profile, since the job has more than 3 processes: MCA\n"
                        "            variable hitopo_prof_max_peers, where -1 keeps them in any job\n"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("No order of ranks was tried: the profile does not contain the traffic"),
              std::string::npos);
}

TEST(ReportText, without_table_or_calls) {
    const std::string no_table = text_of(changed([](Json& document) { document["table"] = nullptr; }));
    EXPECT_EQ(no_table.substr(0, 24), "Profile of 4 processes\nW");
    EXPECT_NE(no_table.find("least 23.7 us (rank 2), most 900 us (rank 3)\n\nBytes"), std::string::npos);
    EXPECT_NE(no_table.find("0 -> 2 (unknown) 1.00 MiB"), std::string::npos);
    const std::string nothing = text_of(changed([](Json& document) {
        document["processes"] = Json::array();
        document["kinds"] = Json::array();
    }));
    EXPECT_NE(nothing.find("\nNo call was counted.\n"), std::string::npos);
    EXPECT_EQ(nothing.find("nan"), std::string::npos);
}

// Names, numbers and lists at their longest.
TEST(ReportText, fits_80_columns) {
    const Profile profile = changed([](Json& document) {
        const std::string name(200, 'x');
        document["hitopo"] = document["lanes"][3] = name;
        for (Json& row : document["table"]["ranks"]) {
            row["names"] = {name, name, name, name, nullptr, nullptr, nullptr, nullptr};
        }
        document["warnings"] = {"many words " + std::string(100, ' ') + "and more of these, and more"};
        for (int id = 4; id < 30; ++id) {
            document["kinds"].push_back({{"id", id},
                                         {"key", std::to_string(id)},
                                         {"name", name},
                                         {"size", 2147483647},
                                         {"remote_size", 2147483647}});
            document["processes"][0]["kinds"].push_back(
                {{"id", id},
                 {"made", kMost},
                 {"calls", {{name + std::to_string(id), kMost, kMost, kMost / 100}}},
                 {"lanes", {{3, kMost, kMost, kMost}}},
                 {"sizes", {{9, kMost, kMost}}}});
        }
    });
    for (const Charset charset : {Charset::kAscii, Charset::kUtf8}) {
        const std::string text = text_of(profile, charset);
        for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
            const std::string line = text.substr(at, text.find('\n', at) - at);
            EXPECT_LE(num_columns(line), 80U) << line;
        }
        EXPECT_NE(text.find("  and 22 more; --format html has all\n"), std::string::npos) << text;
    }
}

TEST(PageData, is_harmless_in_a_script_element) {
    const Profile profile = profile_fixture();
    const std::string data = page_data(Report(profile, "<job>.json"));
    EXPECT_EQ(data.find('<'), std::string::npos);
    EXPECT_TRUE(std::all_of(data.begin(), data.end(), [](char c) { return c >= ' ' && c < 0x7f; }));
    EXPECT_EQ((*parse_json(data))["communicators"][2]["name"],
              "</script><script>alert(1)</script>\x1b[31m");
}

TEST(PageData, orders_ranks_by_place) {
    const Profile profile = changed([](Json& document) {
        Json& ranks = document["table"]["ranks"];
        std::swap(ranks[1]["address"], ranks[2]["address"]);
        std::swap(ranks[1]["names"], ranks[2]["names"]);
    });
    const Json data = *parse_json(page_data(Report(profile, "job.json")));
    EXPECT_EQ(data["order"], Json({0, 2, 1, 3}));
    const Json& levels = data["levels"];
    EXPECT_EQ(levels[0], Json({"switch", 0, 4, "s1"}));
    EXPECT_EQ(std::count(levels.begin(), levels.end(), Json({"node", 2, 4, "n2"})), 1);
    EXPECT_EQ(data["places"][1], "n2 socket 0 core 0");
    EXPECT_EQ(data["ranks"], Json({0, 1, 2, 3}));
    EXPECT_EQ(data["ranks_ns"]["MPI_Waitall"], Json({0, 250000, 0, 900000}));
    EXPECT_EQ(data["run_ns"], 4000000);
}

TEST(PageData, pairs_are_columns) {
    EXPECT_EQ(*parse_json(page_pairs(profile_fixture())),
              *parse_json(R"([[0,[1,2],["node","switch"],[13,3],[3080,1050624]],[1,[],[],[],[]],
                              [2,[3],["node"],[1],[0]],[3,[],[],[],[]]])"));
}

TEST(ReportPage, holds_its_data_and_only_its_own_scripts) {
    const Profile profile = profile_fixture();
    const std::string page = format_report_page(Report(profile, "job.json"));
    EXPECT_EQ(count_of(page, "<script"), 3U);  // the profile, its pairs, the program
    EXPECT_EQ(count_of(page, "</script"), 3U);
    EXPECT_EQ(count_of(page, "alert(1)"), 1U);
    EXPECT_EQ(page.find("{{"), std::string::npos);
    EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

// Numbers of the fixture by hand.
TEST(ReportJson, the_whole_job) {
    const Json document = json_of(profile_fixture());
    EXPECT_EQ(document["document"], "report");
    EXPECT_EQ(document["schema"], 2);
    EXPECT_EQ(document["job"], "4 processes, 2 nodes, 1 switch");
    EXPECT_EQ(document["snapshot"], 2);
    EXPECT_EQ(document["num_processes"], 4);
    EXPECT_EQ(document["warnings"][0], "rank 3 left out 7 messages \x07");
    const Json& whole = document["whole_job"];
    EXPECT_EQ(whole["seconds"], 0.001);
    EXPECT_DOUBLE_EQ(whole["share_in_mpi"].get<double>(), 0.4744);
    EXPECT_EQ(whole["outside_ns"], 2102400);
    EXPECT_EQ(whole["groups"][1], *parse_json(R"({"group": "messages that block", "count": 12,
                                                  "bytes": 1051640, "ns": 720100})"));
    EXPECT_EQ(whole["num_calls"], 37);
    EXPECT_EQ(whole["lanes"].size(), document["lanes"].size());
    EXPECT_EQ(whole["lanes"][4],
              *parse_json(R"({"lane": "switch", "messages": 3, "bytes": 1050624, "collective_bytes": 200,
                              "served_messages": 1, "served_bytes": 100, "served_flat_bytes": 200})"));
    EXPECT_EQ(whole["sizes"][1], *parse_json(R"({"length": "< 64 B", "messages": 12, "bytes": 144})"));
    EXPECT_EQ(whole["calls"][1], *parse_json(R"({"call": "MPI_Recv", "count": 5, "bytes": 0,
                                                 "ns": 620400, "least_ns": 0, "most_ns": 600000})"));
    EXPECT_EQ(whole["served"], *parse_json(R"([{"call": "MPI_Bcast", "count": 1}])"));
}

TEST(ReportJson, waits_pairs_communicators_and_advice) {
    const Json document = json_of(profile_fixture());
    EXPECT_EQ(document["waits"]["median_ns"], 486750);
    EXPECT_EQ(document["waits"]["ranks"][0], *parse_json(R"({"rank": 2, "ns": 23700})"));
    EXPECT_EQ(document["waits"]["nodes"][0],
              *parse_json(R"({"name": "n2", "ns": 462050, "ranks": [2, 3]})"));
    EXPECT_EQ(document["pairs"][0], *parse_json(R"({"from": 0, "to": 2, "lane": "switch",
                                                    "messages": 3, "bytes": 1050624})"));
    const Json& world = document["communicators"][1];
    EXPECT_EQ(world["name"], "WORLD");
    EXPECT_EQ(world["number"], 1);
    EXPECT_EQ(world["ns"], 723100);
    EXPECT_EQ(world["messages"], 7);
    EXPECT_EQ(document["communicators"][3]["remote_size"], 2);
    EXPECT_DOUBLE_EQ(document["next"]["advice"][0]["share"].get<double>(), 0.46305);
    EXPECT_EQ(document["next"]["advice"][0]["command"],
              "hitopo report job.json --format html --output report.html");
    EXPECT_EQ(document["next"]["sentences"].size(), 1U);
    const Json nothing = json_of(changed([](Json& profile) {
        profile["processes"] = Json::array();
        profile["kinds"] = Json::array();
    }));
    EXPECT_TRUE(nothing["whole_job"]["share_in_mpi"].is_null());
    EXPECT_EQ(nothing["communicators"], Json::array());
    EXPECT_EQ(nothing["orders"], Json::array());
}

TEST(ReportCsv, a_line_for_each_kind_and_lane_with_quoted_names) {
    const Profile profile = changed([](Json& document) {
        document["kinds"][0]["name"] = "a,b";
        document["kinds"][1]["name"] = "say \"\u00fc\"";
        document["kinds"][2]["name"] = "two\r\nlines";
    });
    const std::string text = format_report_csv(Report(profile, "job.json"));
    EXPECT_EQ(count_of(text, "\n"), 1U + 4 * 9);
    EXPECT_EQ(text.substr(0, text.find('\n')),
              "communicators,number,size,remote_size,calls,call_bytes,ns,lane,messages,bytes,"
              "collective_bytes,served_messages,served_bytes,served_flat_bytes");
    EXPECT_NE(text.find("\n\"a,b\",1,4,0,13,1053724,723100,switch,3,1050624,200,1,100,200\n"),
              std::string::npos);
    EXPECT_EQ(count_of(text, "\n\"say \"\"\u00fc\"\"\",1,2,0,20,80,21500,"), 9U);
    EXPECT_NE(text.find("\ntwo\\x0d\\x0alines,1,2,2,2,64,3000,unknown,2,64,0,0,0,0\n"),
              std::string::npos);
}

TEST(RenderReport, each_format_and_an_error) {
    const Result<Profile> profile = profile_of(profile_text());
    EXPECT_EQ(render_report(profile, report_options(Format::kText), Charset::kUtf8).text.substr(0, 10),
              "Profile of");
    EXPECT_EQ(render_report(profile, report_options(Format::kHtml), Charset::kUtf8).text.substr(0, 9),
              "<!DOCTYPE");
    EXPECT_EQ(render_report(profile, report_options(Format::kJson), Charset::kUtf8).text.substr(0, 11),
              "{\n  \"hitopo");
    EXPECT_EQ(render_report(profile, report_options(Format::kCsv), Charset::kUtf8).text.substr(0, 13),
              "communicators");
    const Rendered broken =
        render_report(profile_of("{"), report_options(Format::kText), Charset::kUtf8);
    EXPECT_EQ(broken.text, "");
    EXPECT_EQ(broken.error.substr(0, 23), "job.json: it is cut off");
}

}  // namespace
}  // namespace hitopo::tool
