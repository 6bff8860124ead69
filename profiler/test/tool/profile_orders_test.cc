// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What topo/hitopo's orders gain, as profiles and reports have it.
#include "profiler/test/tool/profile_fixtures.h"
#include "profiler/tool/report/report.h"

namespace hitopo::tool {
namespace {

constexpr std::uint64_t kMost = ~std::uint64_t{0};

// The 8 x 4 grid of docs/profiling.md.
Json grid_order() {
    return {{"call", "MPI_Cart_create"},
            {"size", 32},
            {"count", 3},
            {"candidate", "bisection"},
            {"is_weighted", false},
            {"is_applied", false},
            {"levels", {"island", "switch", "node"}},
            {"before", {8, 24, 56}},
            {"after", {8, 24, 40}}};
}

// Two kinds at rank 0, the first also at rank 2, which had too many.
Json with_orders() {
    Json document = *parse_json(profile_text()), graph = grid_order();
    graph["call"] = "MPI_Dist_graph_create";
    graph["count"] = 1;
    graph["is_weighted"] = graph["is_applied"] = true;
    graph["candidate"] = "swaps";
    graph["before"] = {0, 1000, 4000};
    graph["after"] = {50, 250, 4000};
    document["processes"][0]["orders"] = {grid_order(), graph};
    document["processes"][2]["orders"] = Json::array({grid_order()});
    document["processes"][2]["other_orders"] = 7;
    return document;
}

template <class Change>
Result<Profile> changed(Change change) {
    Json document = with_orders();
    change(document["processes"]);
    return profile_of(document.dump());
}

std::string report_of(const Json& document) {
    const Profile profile = *profile_of(document.dump());
    return format_report(Report(profile, "job.json"), Charset::kAscii);
}

TEST(ProfileOrders, are_read) {
    const Result<Profile> profile = profile_of(with_orders().dump());
    ASSERT_TRUE(profile.is_ok()) << profile.error().value;
    ASSERT_EQ(profile->processes[0].orders.size(), 2U);
    ASSERT_EQ(profile->processes[2].orders.size(), 1U);
    const OrderCount& graph = profile->processes[0].orders[1];
    EXPECT_EQ(graph.call, "MPI_Dist_graph_create");
    EXPECT_EQ(graph.size, 32);
    EXPECT_EQ(graph.count, 1U);
    EXPECT_EQ(graph.candidate, "swaps");
    EXPECT_TRUE(graph.is_weighted);
    EXPECT_TRUE(graph.is_applied);
    EXPECT_EQ(graph.levels, (std::vector<std::string>{"island", "switch", "node"}));
    EXPECT_EQ(graph.before, (std::vector<std::uint64_t>{0, 1000, 4000}));
    EXPECT_EQ(graph.after, (std::vector<std::uint64_t>{50, 250, 4000}));
    EXPECT_EQ(profile->processes[2].other_orders, 7U);
}

TEST(ProfileOrders, may_be_missing) {
    const Profile profile = profile_fixture();
    EXPECT_TRUE(merged_orders(profile).empty());
    const Report report(profile, "job.json");
    EXPECT_EQ(format_report(report, Charset::kAscii).find("Orders"), std::string::npos);
    EXPECT_EQ((*parse_json(page_data(report)))["order_rows"], Json::array());
}

TEST(ProfileOrders, wrong_members_cost_one_message) {
    const auto fault = [](const char* name, const Json& value) {
        const auto profile = changed([&](Json& processes) { processes[2]["orders"][0][name] = value; });
        return profile ? "" : profile.error().value;
    };
    const std::string place = "processes[2]: ";
    EXPECT_EQ(fault("call", 1), place + "\"call\" is not a string.");
    EXPECT_EQ(fault("size", 0), place + "\"size\" is not a number, or out of range.");
    EXPECT_EQ(fault("count", -1), place + "\"count\" is not a number from 0 to 2^64 - 1.");
    EXPECT_EQ(fault("before", {1.5}), place + "\"before\" is not a number from 0 to 2^64 - 1.");
    for (const char* name : {"before", "after"}) {
        EXPECT_EQ(fault(name, {1, 2}), place + "\"orders\" has not one number for each level.");
    }
    for (const char* name : {"candidate", "is_weighted", "is_applied", "levels"}) {
        EXPECT_EQ(fault(name, nullptr).find(place), 0U) << name;
    }
    const auto others = changed([](Json& processes) { processes[2]["other_orders"] = "x"; });
    EXPECT_EQ(others.error().value, place + "\"other_orders\" is not a number from 0 to 2^64 - 1.");
    const auto no_list = changed([](Json& processes) { processes[2]["orders"] = 1; });
    EXPECT_EQ(no_list.error().value, place + "\"orders\" is not an array.");
}

TEST(ProfileOrders, equal_ones_of_all_processes_add_up) {
    const std::vector<OrderCount> merged = merged_orders(*profile_of(with_orders().dump()));
    ASSERT_EQ(merged.size(), 2U);
    EXPECT_EQ(merged[0].call, "MPI_Cart_create");
    EXPECT_EQ(merged[0].count, 6U);
    EXPECT_EQ(merged[1].count, 1U);
    const auto many = changed([](Json& processes) { processes[0]["orders"][0]["count"] = kMost; });
    EXPECT_EQ(merged_orders(*many)[0].count, kMost);
}

TEST(ProfileOrders, in_the_report) {
    EXPECT_NE(
        report_of(with_orders())
            .find("\nOrders of grids and graphs (MCA variable topo_hitopo_reorder)\n"
                  "  6 MPI_Cart_create of 32 processes: not applied (bisection)\n"
                  "    pairs of neighbours across island 8 -> 8, switch 24 -> 24, node 56 -> 40\n"
                  "    (-29 %)\n"
                  "  1 MPI_Dist_graph_create of 32 processes: applied (swaps)\n"
                  "    weights across island 0 -> 50 (new), switch 1000 -> 250 (-75 %), node 4000\n"
                  "    -> 4000\n"
                  "  and 7 of further kinds\n"),
        std::string::npos)
        << report_of(with_orders());
}

TEST(ProfileOrders, that_gain_nothing) {
    Json document = with_orders();
    document["processes"][0]["orders"] = Json::array({grid_order()});
    document["processes"][2].erase("orders");
    document["processes"][2].erase("other_orders");
    document["processes"][0]["orders"][0]["after"] = {8, 24, 56};
    EXPECT_NE(report_of(document).find("  3 MPI_Cart_create of 32 processes: nothing to gain\n"),
              std::string::npos);
    for (const char* name : {"levels", "before", "after"}) {
        document["processes"][0]["orders"][0][name] = Json::array();
    }
    EXPECT_EQ(report_of(document).find("neighbours"), std::string::npos);
}

TEST(ProfileOrders, beyond_twelve_kinds_the_text_tells_their_number) {
    Json document = with_orders();
    for (int size = 1; size <= 20; ++size) {
        Json order = grid_order();
        order["size"] = size;
        document["processes"][1]["orders"].push_back(order);
    }
    EXPECT_NE(report_of(document).find("\n  and 10 more kinds; --format html has all\n"),
              std::string::npos);
}

TEST(ProfileOrders, on_the_page) {
    const auto profile =
        changed([](Json& processes) { processes[0]["orders"][1]["candidate"] = "</script>"; });
    const std::string text = page_data(Report(*profile, "job.json"));
    EXPECT_EQ(text.find('<'), std::string::npos);
    const Json data = *parse_json(text);
    EXPECT_EQ(data["other_orders"], 7);
    ASSERT_EQ(data["order_rows"].size(), 2U);
    EXPECT_EQ(data["order_rows"][0],
              (Json{"MPI_Cart_create", 6, 32, "not applied (bisection)", "pairs of neighbours",
                    "island 8 -> 8, switch 24 -> 24, node 56 -> 40 (-29 %)"}));
    EXPECT_EQ(data["order_rows"][1][3], "applied (</script>)");
}

}  // namespace
}  // namespace hitopo::tool
