// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// dot.cc and svg.cc.
#include <unistd.h>

#include <cstdlib>

#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/show/graphviz.h"
#include "test/tools/show_fixtures.h"

namespace hitopo::tool {
namespace {

std::size_t count(const std::string& text, const std::string& piece) {
    std::size_t found = 0;
    for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1)) {
        ++found;
    }
    return found;
}

TEST(Dot, main_job_shows_every_place_and_rank) {
    const std::string dot = format_dot(table_fixture("two-islands"));
    EXPECT_EQ(count(dot, ">island <B>"), 2U);
    EXPECT_EQ(count(dot, ">switch <B>"), 4U);
    EXPECT_EQ(count(dot, ">node <B>"), 8U);
    EXPECT_EQ(count(dot, ">socket <B>"), 16U);
    EXPECT_EQ(count(dot, ">core <B>"), 32U);
    for (int rank = 0; rank < 32; ++rank) {
        EXPECT_EQ(count(dot, "<B>" + std::to_string(rank) + "</B></FONT></TD></TR></TABLE></TD>") > 0,
                  true)
            << rank;
    }
    EXPECT_NE(dot.find("32 processes \u00b7 8 nodes \u00b7 4 switches \u00b7 2 islands"),
              std::string::npos);
}

TEST(Dot, elements_are_closed) {
    for (const char* name : {"two-islands", "partly-known", "one-node-unbound", "hostile-names"}) {
        const std::string dot = format_dot(table_fixture(name));
        for (const std::string tag : {"TABLE", "TR", "TD", "FONT", "B"}) {
            EXPECT_EQ(count(dot, "<" + tag + ">") + count(dot, "<" + tag + " "),
                      count(dot, "</" + tag + ">"))
                << name << ' ' << tag;
        }
    }
}

TEST(Dot, many_cores_are_summed_up_in_their_sockets) {
    const std::string dot = format_dot(regular_table(20, 50));
    EXPECT_EQ(count(dot, ">core <B>"), 0U);
    EXPECT_EQ(count(dot, ">socket <B>"), 40U);
    EXPECT_NE(dot.find("<B>ranks 25-49</B>"), std::string::npos);
    EXPECT_NE(dot.find("25 cores"), std::string::npos);
}

TEST(Dot, many_nodes_are_summed_up_in_their_switches) {
    const std::string dot = format_dot(regular_table(400, 2));
    EXPECT_EQ(count(dot, ">node <B>"), 0U);
    EXPECT_EQ(count(dot, ">switch <B>"), 100U);
    EXPECT_NE(dot.find("4 nodes \u00b7 8 sockets \u00b7 8 cores"), std::string::npos);
}

TEST(Dot, too_many_outermost_places_are_counted) {
    const std::string dot = format_dot(regular_table(4000, 1));
    EXPECT_EQ(count(dot, ">switch <B>"), 159U);
    EXPECT_NE(dot.find("and 841 more switches"), std::string::npos);
}

TEST(Dot, many_ranks_of_one_place_are_a_list) {
    TableDocument table = table_fixture("one-node-unbound");
    table.ranks.resize(64, table.ranks.front());
    EXPECT_NE(format_dot(table).find("<B>ranks 0-63</B>"), std::string::npos);
}

TEST(Dot, processes_that_are_not_bound_stand_apart) {
    const std::string dot = format_dot(table_fixture("partly-known"));
    EXPECT_EQ(count(dot, "ROUNDED,DASHED"), 2U);
    EXPECT_EQ(count(dot, ">unbound<"), 1U);
    EXPECT_EQ(count(dot, ">on several cores<"), 1U);
}

TEST(Dot, names_are_escaped) {
    const std::string dot = format_dot(table_fixture("hostile-names"));
    EXPECT_NE(dot.find("&lt;b&gt;&amp;&quot;i&#39;1"), std::string::npos);
    EXPECT_NE(dot.find("n1\\\\x0an2\\\\N\\\\G"), std::string::npos);
    EXPECT_EQ(dot.find('\x1b'), std::string::npos);
}

// No test waits that long.
constexpr int kPatienceMs = 300000;

// A program of a few characters in a folder of the test's own.
std::string script(const std::string& name, const std::string& body) {
    const std::string path = testing::TempDir() + "hitopo-" + name + std::to_string(getpid());
    std::ofstream(path) << "#!/bin/sh\n" << body << '\n';
    EXPECT_EQ(std::system(("chmod +x '" + path + "'").c_str()), 0);
    return path;
}

TEST(Svg, the_child_reads_the_drawing_and_its_output_comes_back) {
    const std::string program = script("echo", "echo \"$1\"; cat");
    const Result<std::string> svg = draw_svg("drawing", {program, kPatienceMs});
    ASSERT_TRUE(svg.is_ok());
    EXPECT_EQ(*svg, "-Tsvg\ndrawing");
    std::remove(program.c_str());
}

TEST(Svg, a_missing_program_is_named_with_the_remedy) {
    const Result<std::string> svg = draw_svg("", {"hitopo-no-such-program", kPatienceMs});
    ASSERT_FALSE(svg.is_ok());
    EXPECT_NE(svg.error().message.find("install Graphviz"), std::string::npos);
}

TEST(Svg, a_failing_program_is_quoted) {
    const std::string program = script("fail", "printf 'bad \\033 drawing\\nmore' >&2; exit 3");
    const Result<std::string> svg = draw_svg("", {program, kPatienceMs});
    ASSERT_FALSE(svg.is_ok());
    EXPECT_EQ(svg.error().message.substr(0, 33), "could not draw: bad \\x1b drawing;");
    std::remove(program.c_str());
}

TEST(Svg, a_slow_program_is_stopped) {
    const std::string program = script("slow", "exec sleep 300");
    const Result<std::string> svg = draw_svg("", {program, 100});
    ASSERT_FALSE(svg.is_ok());
    EXPECT_EQ(svg.error().message.substr(0, 26), "did not end within 100 ms;");
    std::remove(program.c_str());
}

TEST(Svg, the_child_is_no_process_of_the_job) {
    const char* const environment[] = {"PATH=/bin",
                                       "LD_PRELOAD=x.so",
                                       "OMPI_COMM_WORLD_RANK=0",
                                       "PMIX_RANK=0",
                                       "LD_LIBRARY_PATH=/lib",
                                       "HOME=/root",
                                       "NOT_PMIX_=yes",
                                       nullptr};
    EXPECT_EQ(
        child_environment(environment),
        (std::vector<std::string>{"PATH=/bin", "LD_LIBRARY_PATH=/lib", "HOME=/root", "NOT_PMIX_=yes"}));
}

TEST(Svg, graphviz_draws_every_fixture) {
    if (std::system("dot -V >/dev/null 2>&1") != 0) {
        GTEST_SKIP() << "Graphviz is not installed";
    }
    for (const char* name : {"two-islands", "partly-known", "one-node-unbound", "hostile-names"}) {
        const Result<std::string> svg =
            draw_svg(format_dot(table_fixture(name)), Graphviz{"dot", kPatienceMs});
        ASSERT_TRUE(svg.is_ok()) << name << svg.error().message;
        EXPECT_NE(svg->find("</svg>"), std::string::npos) << name;
    }
}

TEST(Svg, hostile_names_arrive_as_text) {
    if (std::system("dot -V >/dev/null 2>&1") != 0) {
        GTEST_SKIP() << "Graphviz is not installed";
    }
    const Result<std::string> svg =
        draw_svg(format_dot(table_fixture("hostile-names")), Graphviz{"dot", kPatienceMs});
    ASSERT_TRUE(svg.is_ok());
    EXPECT_NE(svg->find("n1\\x0an2\\N\\G"), std::string::npos);
    EXPECT_EQ(svg->find("<b>"), std::string::npos);
    EXPECT_EQ(svg->find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace hitopo::tool
