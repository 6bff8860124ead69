// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// profile_sums.cc, report_text.cc, page.cc.
#include <algorithm>

#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/render.h"
#include "ompi/tools/hitopo/report/equal_communicators.h"
#include "ompi/tools/hitopo/report/page.h"
#include "ompi/tools/hitopo/report/profile_sums.h"
#include "test/tools/profile_fixtures.h"

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

TEST(ProfileSums, of_each_lane) {
    const Profile profile = profile_fixture();
    const CommunicatorSums world = sum_up(profile)[0];
    EXPECT_EQ(world.lanes[3].messages, 4U);
    EXPECT_EQ(world.lanes[3].bytes, 3000U);
    EXPECT_EQ(world.lanes[3].collective_bytes, 100U);
    EXPECT_EQ(world.lanes[4].messages, 3U);
    EXPECT_EQ(world.lanes[4].bytes, 1050624U);
    EXPECT_TRUE(world.lanes[4].is_spanned);
    EXPECT_FALSE(world.lanes[5].is_spanned);
    EXPECT_EQ(world.messages, 7U);
    EXPECT_EQ(world.bytes, 1053624U);
    EXPECT_EQ(world.collective_bytes, 300U);
}

TEST(ProfileSums, are_those_of_peers_where_there_are_sums_of_these) {
    const Profile profile = profile_fixture();
    const Profile summed = changed(sum_peers);
    const std::vector<CommunicatorSums> good = sum_up(profile), sums = sum_up(summed);
    ASSERT_EQ(sums.size(), good.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
        EXPECT_EQ(sums[i].messages, good[i].messages);
        EXPECT_EQ(sums[i].bytes, good[i].bytes);
        for (std::size_t lane = 0; lane < sums[i].lanes.size(); ++lane) {
            EXPECT_EQ(sums[i].lanes[lane].messages, good[i].lanes[lane].messages) << lane;
            EXPECT_EQ(sums[i].lanes[lane].bytes, good[i].lanes[lane].bytes) << lane;
        }
        EXPECT_TRUE(heaviest_pairs(sums[i], 10).empty());
    }
}

TEST(ProfileSums, of_calls_by_time) {
    const Profile profile = profile_fixture();
    const CommunicatorSums world = sum_up(profile)[0];
    EXPECT_EQ(world.calls, 13U);
    EXPECT_EQ(world.call_bytes, 1053724U);
    EXPECT_EQ(world.ns, 723100U);
    ASSERT_EQ(world.by_call.size(), 4U);
    EXPECT_EQ(world.by_call[0].name, "MPI_Recv");
    EXPECT_EQ(world.by_call[0].ns, 620400U);
    EXPECT_EQ(world.by_call[1].name, "MPI_Send");
    EXPECT_EQ(world.by_call[1].count, 5U);
}

TEST(ProfileSums, of_served_calls_by_name) {
    const Profile profile = changed([](Json& document) {
        Json& of_rank_0 = document["processes"][0]["communicators"][0]["served"];
        Json& of_rank_1 = document["processes"][1]["communicators"][0]["served"];
        of_rank_1 = {of_rank_0[0], of_rank_0[0]};
        of_rank_1[0]["call"] = "MPI_Allreduce";
        of_rank_1[1]["count"] = 6;
    });
    const std::vector<CommunicatorSums> sums = sum_up(profile);
    EXPECT_EQ(sums[0].served,
              (std::map<std::string, std::uint64_t>{{"MPI_Allreduce", 1}, {"MPI_Bcast", 7}}));
    EXPECT_EQ(sums[0].lanes[4].served_messages, 3U);
    EXPECT_EQ(sums[0].lanes[4].served_bytes, 300U);
    EXPECT_EQ(sums[0].lanes[4].served_flat_bytes, 600U);
    EXPECT_TRUE(sums[1].served.empty());
}

TEST(ProfileSums, stay_at_the_largest_number) {
    const Profile profile = changed([](Json& document) {
        document["processes"][0]["communicators"][0]["peers"][1][4] = kMost;
        document["processes"][0]["communicators"][0]["calls"][0]["ns"] = kMost;
    });
    const CommunicatorSums world = sum_up(profile)[0];
    EXPECT_EQ(world.lanes[4].bytes, kMost);
    EXPECT_EQ(world.bytes, kMost);
    EXPECT_EQ(world.ns, kMost);
    EXPECT_EQ(heaviest_pairs(world, 1)[0].bytes(), kMost);
}

TEST(ProfileSums, heaviest_pairs_come_by_bytes_then_messages) {
    const Profile profile = profile_fixture();
    const std::vector<Pair> pairs = heaviest_pairs(sum_up(profile)[0], 9);
    ASSERT_EQ(pairs.size(), 3U);
    EXPECT_EQ(pairs[0].bytes(), 1050624U);
    EXPECT_EQ(pairs[0].messages(), 3U);
    EXPECT_EQ(pairs[2].rank, 2);
    EXPECT_EQ(heaviest_pairs(sum_up(profile)[0], 1).size(), 1U);
}

TEST(ReportText, is_the_one_worked_out_by_hand) {
    const Profile profile = profile_fixture();
    EXPECT_EQ(format_report(profile, Charset::kUtf8), fixture("../profiles/two-nodes.report.txt"));
    EXPECT_EQ(format_report(profile, Charset::kAscii),
              fixture("../profiles/two-nodes.report-ascii.txt"));
}

// As those of 0.1.0 are.
TEST(ReportText, of_a_profile_in_which_nothing_was_served) {
    const Profile profile =
        changed([](Json& document) { document["processes"][0]["communicators"][0].erase("served"); });
    std::string expected = fixture("../profiles/two-nodes.report.txt");
    const std::size_t begin = expected.find("  Served by"), end = expected.find("  call   ");
    EXPECT_EQ(format_report(profile, Charset::kUtf8), expected.erase(begin, end - begin));
    EXPECT_EQ(page_data(profile, sum_up(profile)).find("\"served\""), std::string::npos);
}

TEST(ReportText, of_a_profile_without_peers_says_so_and_how_to_get_them) {
    const Profile profile = changed(sum_peers);
    std::string expected = fixture("../profiles/two-nodes.report.txt");
    for (std::size_t begin; (begin = expected.find("\n  Heaviest pairs")) != std::string::npos;) {
        expected.erase(begin, expected.find("\n\n", begin) + 1 - begin);
    }
    const std::string phrase =
        "\nWhat went to each peer is not in this profile but summed up by lane, since the\n"
        "job has more than 3 processes: MCA variable hitopo_prof_max_peers, where -1\n"
        "keeps peers in any job.\n";
    const std::size_t warning = expected.find("\nwarning: ");
    EXPECT_EQ(format_report(profile, Charset::kUtf8),
              expected.insert(std::min(warning, expected.size()), phrase));
    EXPECT_NE(page_data(profile, sum_up(profile)).find("\"without_peers\":\"What went to each peer"),
              std::string::npos);
    EXPECT_EQ(page_data(profile_fixture(), {}).find("without_peers"), std::string::npos);
}

TEST(ReportText, without_table_traffic_or_communicators) {
    const Profile no_table = changed([](Json& document) { document["table"] = nullptr; });
    EXPECT_NE(format_report(no_table, Charset::kAscii).find("Profile of 4 processes\n"),
              std::string::npos);
    EXPECT_NE(format_report(no_table, Charset::kAscii).find("      0                   2   "),
              std::string::npos);
    const Profile nothing = changed([](Json& document) {
        document["processes"] = Json::array();
        document["communicators"] = Json::array();
        document["snapshot"] = 0;
        document["warnings"] = Json::array();
    });
    EXPECT_EQ(format_report(nothing, Charset::kAscii),
              "Profile of 4 processes, 2 nodes, 1 switch\n"
              "Written at MPI_Finalize by HiTopo 0.1.0; times are of all processes together\n"
              "\nWhole job\n"
              "  run time  1.5 s\n"
              "\nNo communicator was registered.\n");
}

TEST(ReportText, has_the_communicators_with_the_most_bytes) {
    const Profile profile = changed([](Json& document) {
        for (int id = 3; id < 30; ++id) {
            Json communicator = document["communicators"][1];
            communicator["id"] = id;
            communicator["name"] = "copy " + std::to_string(id);
            document["communicators"].push_back(communicator);
        }
    });
    const std::string text = format_report(join_equal_communicators(profile), Charset::kAscii);
    EXPECT_EQ(count_of(text, ": 2 processes, freed\n  no calls\n"), 17U);
    EXPECT_EQ(count_of(text, "\nto the server: "), 1U);
    EXPECT_NE(text.find("These are the 20 with the most bytes; --format html has all 30."),
              std::string::npos);
}

// Its lanes are those of the whole job.
TEST(ReportText, of_a_single_communicator_has_no_lanes_twice) {
    const Profile profile = changed([](Json& document) {
        for (Json& process : document["processes"]) {
            Json& entries = process["communicators"];
            entries.erase(std::remove_if(entries.begin(), entries.end(),
                                         [](const Json& entry) { return entry["id"] != 0; }),
                          entries.end());
        }
        document["communicators"] = Json::array({document["communicators"][0]});
    });
    const std::string text = format_report(profile, Charset::kAscii);
    EXPECT_EQ(count_of(text, "bytes to single peers"), 1U);
    EXPECT_NE(text.find("\nMPI_COMM_WORLD: 4 processes\n\n  Served by coll/hitopo"), std::string::npos);
}

TEST(PageData, is_harmless_in_a_script_element) {
    const Profile profile = profile_fixture();
    const std::string data = page_data(profile, sum_up(profile));
    EXPECT_EQ(data.find('<'), std::string::npos);
    EXPECT_TRUE(std::all_of(data.begin(), data.end(), [](char c) { return c >= ' ' && c < 0x7f; }));
    EXPECT_EQ((*parse_json(data))["communicators"][1]["name"],
              R"(</script><script>alert(1)</script>\x1b[31m)");
}

TEST(PageData, orders_ranks_by_place_and_groups_them) {
    const Profile profile = changed([](Json& document) {
        Json& ranks = document["table"]["ranks"];
        std::swap(ranks[1]["address"], ranks[2]["address"]);
        std::swap(ranks[1]["names"], ranks[2]["names"]);
        document["communicators"][1]["ranks"] = {3, nullptr};
    });
    const Json data = *parse_json(page_data(profile, sum_up(profile)));
    const Json& world = data["communicators"][0];
    EXPECT_EQ(world["order"], Json({0, 2, 1, 3}));
    const Json node1 = {"node", 0, 2, "n1"};
    const Json node2 = {"node", 2, 4, "n2"};
    EXPECT_EQ(world["groups"][0], Json({"switch", 0, 4, "s1"}));
    EXPECT_EQ(std::count(world["groups"].begin(), world["groups"].end(), node1), 1);
    EXPECT_EQ(std::count(world["groups"].begin(), world["groups"].end(), node2), 1);
    EXPECT_EQ(data["communicators"][1]["order"], Json({1, 0}));
    EXPECT_EQ(data["places"][1], "n2 socket 0 core 0");
}

TEST(PageData, peers_are_columns) {
    const Profile profile = profile_fixture();
    const std::vector<CommunicatorSums> sums = sum_up(profile);
    EXPECT_EQ(*parse_json(page_peers(sums[0])),
              *parse_json(
                  "[[0,[1,2],[3,4],[3,1],[3000,1048576],[6000,90000],[0,2],[0,2048]],"
                  "[1,[],[],[],[],[],[],[]],[2,[3],[3],[1],[0],[700],[],[]],[3,[],[],[],[],[],[],[]]]"));
}

TEST(ReportPage, holds_its_data_and_only_its_own_scripts) {
    const std::string page = format_report_page(profile_fixture());
    EXPECT_EQ(count_of(page, "<script"), 5U);  // the profile, three communicators, the program
    EXPECT_EQ(count_of(page, "</script"), 5U);
    EXPECT_EQ(count_of(page, "alert(1)"), 1U);
    EXPECT_EQ(page.find("{{"), std::string::npos);
    EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
}

// Numbers of the fixture by hand, a lane by its name.
Json lane_in(const Json& sums, const std::string& name) {
    const Json& lanes = sums["lanes"];
    return *std::find_if(lanes.begin(), lanes.end(),
                         [&](const Json& lane) { return lane["lane"] == name; });
}

TEST(ReportJson, the_whole_job) {
    const Json document = *parse_json(format_report_json(profile_fixture()));
    EXPECT_EQ(document["document"], "report");
    EXPECT_EQ(document["schema"], kSchema);
    EXPECT_EQ(document["job"], "4 processes, 2 nodes, 1 switch");
    EXPECT_EQ(document["snapshot"], 2);
    EXPECT_EQ(document["num_processes"], 4);
    EXPECT_EQ(document["warnings"][0], "rank 3 left out 7 messages \x07");
    const Json& whole = document["whole_job"];
    EXPECT_EQ(whole["seconds"], 1.5);
    EXPECT_DOUBLE_EQ(whole["share_in_mpi"].get<double>(), 2727600e-9 / 6);
    EXPECT_EQ(whole["num_calls"], 35);
    EXPECT_EQ(whole["call_bytes"], 1053724 + 80 + 64);
    EXPECT_EQ(whole["messages"], 19);
    EXPECT_EQ(whole["collective_bytes"], 300);
    EXPECT_EQ(whole["spans"], Json({"node", "switch", "unknown"}));
    EXPECT_EQ(whole["lanes"].size(), document["lanes"].size());
    EXPECT_EQ(lane_in(whole, "node")["bytes"], 3080);
}

TEST(ReportJson, an_entry_for_each_communicator) {
    const Json document = *parse_json(format_report_json(profile_fixture()));
    ASSERT_EQ(document["communicators"].size(), 3U);
    const Json& world = document["communicators"][0];
    EXPECT_EQ(world["name"], "MPI_COMM_WORLD");
    EXPECT_EQ(world["count"], 1);
    EXPECT_EQ(world["num_registered"], 1);
    EXPECT_EQ(world["ids"], Json::array({0}));
    EXPECT_EQ(world["ns"], 723100);
    EXPECT_EQ(world["bytes"], 1053624);
    EXPECT_EQ(world["calls"][0],
              Json({{"call", "MPI_Recv"}, {"count", 5}, {"bytes", 0}, {"ns", 620400}}));
    EXPECT_EQ(world["served"], Json::array({{{"call", "MPI_Bcast"}, {"count", 1}}}));
    EXPECT_EQ(lane_in(world, "switch"), Json({{"lane", "switch"},
                                              {"messages", 3},
                                              {"bytes", 1050624},
                                              {"collective_bytes", 200},
                                              {"served_messages", 1},
                                              {"served_bytes", 100},
                                              {"served_flat_bytes", 200}}));
    const Json& freed = document["communicators"][1];
    EXPECT_EQ(freed["name"], "</script><script>alert(1)</script>\x1b[31m");
    EXPECT_EQ(freed["num_freed"], 1);
    EXPECT_EQ(freed["served"], Json::array());
    EXPECT_EQ(document["communicators"][2]["remote_size"], 2);
}

TEST(ReportJson, of_nothing) {
    const Json document = *parse_json(format_report_json(changed([](Json& profile) {
        profile["processes"] = Json::array();
        profile["communicators"] = Json::array();
    })));
    EXPECT_TRUE(document["whole_job"]["share_in_mpi"].is_null());
    EXPECT_EQ(document["whole_job"]["num_calls"], 0);
    EXPECT_EQ(document["communicators"], Json::array());
    EXPECT_EQ(document["orders"], Json::array());
}

TEST(ReportCsv, a_line_for_each_communicator_and_lane) {
    const std::string text = format_report_csv(profile_fixture());
    EXPECT_EQ(count_of(text, "\n"), 1U + 3 * 9);
    EXPECT_EQ(text.substr(0, text.find('\n')),
              "communicator,count,size,remote_size,lane,messages,bytes,collective_bytes,"
              "served_messages,served_bytes,served_flat_bytes");
    EXPECT_NE(text.find("\nMPI_COMM_WORLD,1,4,0,core,0,0,0,0,0,0\n"), std::string::npos);
    EXPECT_NE(text.find("\nMPI_COMM_WORLD,1,4,0,switch,3,1050624,200,1,100,200\n"), std::string::npos);
    EXPECT_NE(text.find("\nto the server,1,2,2,unknown,2,64,0,0,0,0\n"), std::string::npos);
}

TEST(ReportCsv, quotes_names_and_has_no_line_ends_in_them) {
    const std::string text = format_report_csv(changed([](Json& document) {
        document["communicators"][0]["name"] = "a,b";
        document["communicators"][1]["name"] = "say \"\u00fc\"";
        document["communicators"][2]["name"] = "two\r\nlines";
    }));
    EXPECT_EQ(count_of(text, "\n\"a,b\",1,4,0,"), 9U);
    EXPECT_EQ(count_of(text, "\n\"say \"\"\u00fc\"\"\",1,2,0,"), 9U);
    EXPECT_EQ(count_of(text, "\ntwo\\x0d\\x0alines,1,2,2,"), 9U);
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
              "communicator,");
    const Rendered broken =
        render_report(profile_of("{"), report_options(Format::kText), Charset::kUtf8);
    EXPECT_EQ(broken.text, "");
    EXPECT_EQ(broken.error.substr(0, 23), "job.json: it is cut off");
}

}  // namespace
}  // namespace hitopo::tool
