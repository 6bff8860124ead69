// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo show --format svg`. Tests show/boxes.cc.
#include <cstdio>
#include <map>
#include <vector>

#include "ompi/tools/hitopo/formats.h"
#include "test/tools/show_fixtures.h"

namespace hitopo::tool {
namespace {

constexpr const char* kFixtures[] = {"two-islands", "partly-known", "one-node-unbound", "hostile-names"};

std::size_t count(const std::string& text, const std::string& piece) {
    std::size_t found = 0;
    for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) {
        ++found;
    }
    return found;
}

TEST(Svg, many_cores_are_summed_up_in_their_sockets) {
    const std::string svg = format_svg(regular_table(20, 50));
    EXPECT_EQ(count(svg, ">core <tspan"), 0U);
    EXPECT_EQ(count(svg, ">socket <tspan"), 40U);
    EXPECT_NE(svg.find(">ranks 25-49</tspan>"), std::string::npos);
    EXPECT_NE(svg.find("25 cores"), std::string::npos);
}

TEST(Svg, many_nodes_are_summed_up_in_their_switches) {
    const std::string svg = format_svg(regular_table(400, 2));
    EXPECT_EQ(count(svg, ">node <tspan"), 0U);
    EXPECT_EQ(count(svg, ">switch <tspan"), 100U);
    EXPECT_NE(svg.find("4 nodes \u00b7 8 sockets \u00b7 8 cores"), std::string::npos);
}

TEST(Svg, too_many_outermost_places_are_counted) {
    const std::string svg = format_svg(regular_table(4000, 1));
    EXPECT_EQ(count(svg, ">switch <tspan"), 159U);
    EXPECT_NE(svg.find("and 841 more switches"), std::string::npos);
}

TEST(Svg, many_ranks_of_one_place_are_a_list) {
    TableDocument table = table_fixture("one-node-unbound");
    table.ranks.resize(64, table.ranks.front());
    EXPECT_NE(format_svg(table).find(">ranks 0-63</tspan>"), std::string::npos);
}

TEST(Svg, processes_that_are_not_bound_stand_apart) {
    const std::string svg = format_svg(table_fixture("partly-known"));
    EXPECT_EQ(count(svg, "stroke-dasharray"), 2U);
    EXPECT_EQ(count(svg, ">unbound<"), 1U);
    EXPECT_EQ(count(svg, ">on several cores<"), 1U);
}

struct Rectangle {
    double x, y, width, height;

    bool holds(const Rectangle& other) const {
        return x <= other.x && y <= other.y && x + width >= other.x + other.width &&
               y + height >= other.y + other.height;
    }
    bool is_apart(const Rectangle& other) const {
        return x + width <= other.x || other.x + other.width <= x || y + height <= other.y ||
               other.y + other.height <= y;
    }
};

// All but the background.
std::vector<Rectangle> rectangles(const std::string& svg) {
    std::vector<Rectangle> found;
    for (std::size_t at = svg.find("<rect x="); at != std::string::npos;
         at = svg.find("<rect x=", at + 1)) {
        Rectangle r = {};
        EXPECT_EQ(std::sscanf(svg.c_str() + at, "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"",
                              &r.x, &r.y, &r.width, &r.height),
                  4);
        found.push_back(r);
    }
    return found;
}

// Whatever is drawn lies inside the picture, and two boxes inside each other or apart.
void expect_nested_or_apart(const std::string& svg, const std::string& what) {
    Rectangle all = {};
    ASSERT_EQ(std::sscanf(svg.c_str() + svg.find("viewBox"), "viewBox=\"0 0 %lf %lf\"", &all.width,
                          &all.height),
              2);
    const std::vector<Rectangle> boxes = rectangles(svg);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        EXPECT_TRUE(all.holds(boxes[i])) << what << ' ' << i;
        for (std::size_t j = i + 1; j < boxes.size(); ++j) {
            EXPECT_TRUE(boxes[i].holds(boxes[j]) || boxes[i].is_apart(boxes[j]))
                << what << ' ' << i << ' ' << j;
        }
    }
}

TEST(Svg, boxes_are_nested_or_apart) {
    for (const char* name : kFixtures) {
        expect_nested_or_apart(format_svg(table_fixture(name)), name);
    }
}

TEST(Svg, side_resources_stand_by_themselves) {
    TableDocument table = table_fixture("two-islands");
    table.side = {{"nvlink://Domain", {"nvml"}, {{"rack<7>", {0, 1, 2, 9}}, {{}, {4, 5}}}},
                  {"pool://Tape", {"file"}, {}}};
    const std::string svg = format_svg(table);
    expect_nested_or_apart(svg, "side");
    // A box of the type, two of its domains, and two of their ranks, besides those of the test below.
    EXPECT_EQ(rectangles(svg).size(), 63U + 32U + 7U + 5U);
    for (const char* text :
         {">nvlink://Domain<", ">rack&lt;7&gt;<", ">1</tspan>", "ranks 0-2,9", "ranks 4-5"}) {
        EXPECT_GE(count(svg, text), 1U) << text;
    }
    EXPECT_EQ(count(svg, "pool://Tape"), 0U);
}

TEST(Svg, many_domains_are_counted) {
    TableDocument table = table_fixture("two-islands");
    SideResource side = {"gpu://Nearest", {"hwloc"}, {}};
    for (int rank = 0; rank < 32; ++rank) {
        side.domains.push_back({{}, {rank}});
    }
    table.side = {side};
    // 23 of 24 that there is room for.
    EXPECT_EQ(count(format_svg(table), "and 9 more domains"), 1U);
}

TEST(Svg, main_job_shows_every_place_and_rank) {
    const std::string svg = format_svg(table_fixture("two-islands"));
    const std::map<std::string, std::size_t> counts = {
        {"island", 2}, {"switch", 4}, {"node", 8}, {"socket", 16}, {"core", 32}};
    for (const auto& [level, number] : counts) {
        EXPECT_EQ(count(svg, ">" + level + " <tspan"), number) << level;
    }
    for (int rank = 0; rank < 32; ++rank) {
        EXPECT_EQ(count(svg, "\"bold\">" + std::to_string(rank) + "</tspan>") > 0, true) << rank;
    }
    // 1 + 2 + 4 + 8 + 16 + 32 places and 32 ranks; six levels and a rank in the legend.
    EXPECT_EQ(rectangles(svg).size(), 63U + 32U + 7U);
    EXPECT_EQ(
        count(svg, "<title>32 processes \u00b7 8 nodes \u00b7 4 switches \u00b7 2 islands</title>"), 1U);
}

TEST(Svg, elements_are_closed) {
    for (const char* name : kFixtures) {
        const std::string svg = format_svg(table_fixture(name));
        for (const std::string tag : {"svg", "title", "text", "tspan"}) {
            EXPECT_EQ(count(svg, "<" + tag + ">") + count(svg, "<" + tag + " "),
                      count(svg, "</" + tag + ">"))
                << name << ' ' << tag;
        }
        EXPECT_EQ(count(svg, "<rect "), count(svg, "/>")) << name;
    }
}

TEST(Svg, hostile_names_arrive_as_text) {
    const std::string svg = format_svg(table_fixture("hostile-names"));
    EXPECT_NE(svg.find("&lt;b&gt;&amp;&quot;i&#39;1"), std::string::npos);
    EXPECT_NE(svg.find("n1\\x0an2\\N\\G"), std::string::npos);
    EXPECT_EQ(svg.find("<b>"), std::string::npos);
    EXPECT_EQ(svg.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace hitopo::tool
