// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Tests map_file.cc, and include_stack.cc.
#include "ompi/mca/hitopo/file/map_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "test/paths.h"
#include "test/support/expect_each.h"

namespace hitopo {
namespace {

namespace fs = std::filesystem;

using Files = std::map<std::string, std::string>;

MapReader reader_of(const Files& files) {
    return [files](const std::string& path, std::size_t) -> Result<std::string> {
        const auto file = files.find(path);
        if (file == files.end()) {
            return Error{Errc::kUnreadable, path, "no such file", "", 0, 0};
        }
        return file->second;
    };
}

Result<std::string> read_from_disk(const std::string& path, std::size_t) {
    std::ifstream file(path);
    if (!file) {
        return Error{Errc::kUnreadable, fs::path(path).filename(), "no such file", "", 0, 0};
    }
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string describe(const Error& error) {
    return error.where + ':' + std::to_string(error.line) + ':' + std::to_string(error.column) + ' ' +
           error.value;
}

// "LEVEL=PATH .." of one process; the place and value of the error, or " but " of what was left out.
std::string describe(const Result<MapAnswer>& answer) {
    if (!answer) {
        return describe(answer.error());
    }
    std::string text;
    for (int i = 0; i < kNumLevels; ++i) {
        if (const auto& value = answer->levels[static_cast<std::size_t>(i)]) {
            text += text.empty() ? "" : " ";
            text += std::string(level_name(static_cast<Level>(i))) + '=' + value->to_string();
        }
    }
    for (const auto& [type, value] : answer->side) {
        text += (text.empty() ? "" : " ") + type + '=' + value.to_string();
    }
    return answer->skipped ? text + " but " + describe(*answer->skipped) : text;
}

std::string read(const Files& files, const std::string& host, int rank = 0) {
    return describe(read_map("m", {host, rank}, reader_of(files)));
}

std::string read(const std::string& text, const std::string& host, int rank = 0) {
    return read(Files{{"m", text}}, host, rank);
}

TEST(MapFile, read_by_host) {
    const std::string map = "host n[1-4] switch=a\nhost n[5-8],login switch=b\n";
    EXPECT_EQ(read(map, "n4"), "switch=a");
    EXPECT_EQ(read(map, "login"), "switch=b");
    EXPECT_EQ(read(map, "n9"), "");
}

TEST(MapFile, read_by_host_in_full_or_short_form) {
    EXPECT_EQ(read("host n1 switch=a", "n1.example.org"), "switch=a");
    EXPECT_EQ(read("host n[1-2].example.org switch=a", "n1.example.org"), "switch=a");
    EXPECT_EQ(read("host n1.example.org switch=a", "n1.example.com"), "");
}

TEST(MapFile, read_side_resources) {
    const std::string map =
        "* nvlink://Domain=7\nrank 1-2 pool://Tape=\"the tape\" switch=a\nrank 2 nvlink://Domain=b";
    expect_each<int>([&](int rank) { return read(map, "n1", rank); },
                     {{0, "nvlink://Domain=7"},
                      {1, "switch=a nvlink://Domain=7 pool://Tape=the tape"},
                      {2, "switch=a nvlink://Domain=b pool://Tape=the tape"}});
    EXPECT_EQ(read("* x://a=1 x://a=2", "n1"), "m:1:11 x://a=2");
    EXPECT_EQ(read("* hwloc://GPU=1", "n1"), "m:1:3 hwloc://GPU=1");
    EXPECT_EQ(read("* x:///a=1", "n1"), "m:1:3 x:///a=1");
    EXPECT_EQ(read("* x://a=", "n1"), "m:1:3 x://a=");
}

TEST(MapFile, read_refuses_a_17th_side_resource) {
    std::string line = "*";
    for (int i = 0; i < 16; ++i) {
        line += " x://" + std::to_string(i) + "=1";
    }
    EXPECT_NE(read(line, "n1").find("x://15=1"), std::string::npos);
    EXPECT_EQ(read(line + "\n* x://16=1", "n1"), read(line, "n1") + " but m:2:1 *");
}

TEST(MapFile, read_by_rank) {
    const std::string map = "rank 0-7:2 socket=0\nrank 1-7:2 socket=1";
    expect_each<int>([&](int rank) { return read(map, "n1", rank); },
                     {{6, "socket=0"}, {7, "socket=1"}, {8, ""}});
}

TEST(MapFile, read_puts_values_under_their_parents) {
    EXPECT_EQ(read("* island=i switch=3 node=n core=2", "x"),
              "island=i switch=i/3 node=i/3/n core=i/3/n/2");
}

TEST(MapFile, read_takes_paths) {
    EXPECT_EQ(read("* island=core1 island+=\"spine 2\" switch=a", "x"),
              "island=core1/spine 2 switch=core1/spine 2/a");
    EXPECT_EQ(read("* nvlink://Clique=\"1\" nvlink://Clique+=3", "x"), "nvlink://Clique=1/3");
    EXPECT_EQ(read("* island=i\n* island+=j", "x"), "island=i but m:2:3 island+=j");
    EXPECT_EQ(read("* island=i\n* switch=s switch+=", "x"), "island=i but m:2:12 switch+=");
}

TEST(MapFile, read_takes_names_that_are_unique) {
    EXPECT_EQ(read("unique switch\n* island=i switch=a socket=1", "x"),
              "island=i switch=a socket=i/a/1");
    EXPECT_EQ(read("unique\nunique rack\n* island=i", "x"), "island=i but m:2:8 rack");
}

TEST(MapFile, read_takes_digits_as_numbers_and_quoted_digits_as_names) {
    const Result<MapAnswer> answer = read_map(
        "m", {"x", 0}, reader_of({{"m", "* island=07 switch=\"07\" node=99999999999999999999"}}));
    ASSERT_TRUE(answer);
    EXPECT_TRUE(answer->levels[kIsland]->visible() == Name::number(7));
    EXPECT_TRUE(answer->levels[kSwitch]->visible() == Name("07"));
    EXPECT_TRUE(answer->levels[kNode]->visible() == Name("99999999999999999999"));
}

TEST(MapFile, read_lets_later_lines_win_per_level) {
    const std::string map = "* island=a switch=b\nhost n1 switch=c\n";
    EXPECT_EQ(read(map, "n1"), "island=a switch=a/c");
    EXPECT_EQ(read(map, "n2"), "island=a switch=a/b");
}

TEST(MapFile, read_takes_levels_in_any_case) { EXPECT_EQ(read("* ISLAND=a", "x"), "island=a"); }

TEST(MapFile, read_takes_windows_line_ends_and_no_last_one) {
    EXPECT_EQ(read("* island=a\r\n\r\n* switch=b\r", "x"), "island=a switch=a/b");
    EXPECT_EQ(read("", "x"), "");
}

TEST(MapFile, read_takes_shapes) {
    const std::string map = "shape island:2 node:2 ranks:2\nrank 5 node=spare\n";
    expect_each<int>([&](int rank) { return read(map, "x", rank); },
                     {{3, "island=i0 node=i0/i0n1"}, {5, "island=i1 node=i1/spare"}, {8, ""}});
}

TEST(MapFile, read_tells_where_each_value_stands) {
    const Files files = {{"m", "* island=a\ninclude b\n* node=x\n"}, {"b", "\n* switch=c\n"}};
    const Result<MapAnswer> answer = read_map("m", {"x", 0}, reader_of(files));
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->source[kIsland], "m:1");
    EXPECT_EQ(answer->source[kSwitch], "b:2");
    EXPECT_EQ(answer->source[kNode], "m:3");
    EXPECT_EQ(answer->source[kCore], "");
}

TEST(MapFile, include_is_relative_to_the_including_file) {
    const Files files = {{"/a/m", "include b/c\n"},
                         {"/a/b/c", "include ./d\ninclude /e\n"},
                         {"/a/b/d", "* island=i\n"},
                         {"/e", "* switch=s\n"}};
    EXPECT_EQ(describe(read_map("/a/m", {"x", 0}, reader_of(files))), "island=i switch=i/s");
}

TEST(MapFile, include_twice_is_no_cycle) {
    EXPECT_EQ(read({{"m", "include a\ninclude a\n"}, {"a", "* island=i\n"}}, "x"), "island=i");
}

TEST(MapFile, include_finds_cycles) {
    EXPECT_EQ(read({{"m", "include a\n"}, {"a", "\ninclude m\n"}}, "x"), "a:2:9 m");
    EXPECT_EQ(read({{"m", "include ./m\n"}}, "x"), "m:1:9 ./m");
}

TEST(MapFile, include_has_a_depth_limit) {
    Files files = {{"m", "include f1"}, {"f16", "* island=deep"}, {"f17", ""}};
    for (int i = 1; i < 16; ++i) {
        files["f" + std::to_string(i)] = "include f" + std::to_string(i + 1);
    }
    EXPECT_EQ(read(files, "x"), "island=deep");
    files["f16"] = "include f17";
    const Result<MapAnswer> answer = read_map("m", {"x", 0}, reader_of(files));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, Errc::kTooLarge);
    EXPECT_EQ(answer.error().where, "f16");
}

TEST(MapFile, include_has_a_limit_of_files) {
    std::string lines;
    for (int i = 0; i < kMaxMapFiles - 1; ++i) {
        lines += "include a\n";
    }
    EXPECT_EQ(read({{"m", lines}, {"a", "* island=i"}}, "x"), "island=i");
    EXPECT_EQ(read({{"m", lines + "include a\n"}, {"a", "* island=i"}}, "x"), "m:1000:9 a");
    EXPECT_EQ(read({{"m", lines + "include a\n"}}, "x"), "m:1000:9 a");  // none of them can be read
}

TEST(MapFile, include_counts_bytes_in_all) {
    const Files files = {{"m", "include a\ninclude a\n"}, {"a", std::string(kMaxMapBytes / 2, '\n')}};
    const Result<MapAnswer> answer = read_map("m", {"x", 0}, reader_of(files));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, Errc::kTooLarge);
    EXPECT_EQ(answer.error().line, 2);
}

TEST(MapFile, error_if_the_map_itself_cannot_be_read) {
    const Result<MapAnswer> answer = read_map("m", {"x", 0}, reader_of({}));
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, Errc::kUnreadable);
    EXPECT_EQ(answer.error().line, 0);
}

TEST(MapFile, error_is_the_same_for_every_process) {
    const std::string map = "host n1 switch=a\nhost n2 swich=b\n";
    EXPECT_EQ(read(map, "n1"), "switch=a but m:2:9 swich=b");
    EXPECT_EQ(read(map, "n9"), " but m:2:9 swich=b");
}

// "Bad input costs one level, never the run": what is whole is read.
TEST(MapFile, a_bad_line_costs_itself) {
    EXPECT_EQ(read("host n1 switch=a\nhost n[1 island=i\nnonsense\ninclude gone\n* island=j", "n1"),
              "island=j switch=j/a but m:2:7 n[1");
    EXPECT_EQ(read("* island=i switch=\n* node=n", "n1"), "node=n but m:1:12 switch=");
    EXPECT_EQ(read({{"m", "include a\n* node=n"}, {"a", "* island=i\n\n* x\n"}}, "n1"),
              "island=i node=i/n but a:3:3 x");
}

std::string kind_of(Errc code) {
    return code == Errc::kUnreadable  ? "unreadable"
           : code == Errc::kMalformed ? "malformed"
           : code == Errc::kSkipped   ? "skipped"
                                      : "?";
}

TEST(MapFile, error_of_each_bad_line_has_its_place) {
    const auto error_in = [](const std::string& text) {
        const Files files = {{"m", text}, {"b", "shape island:2 switch:0\n"}};
        const Result<MapAnswer> answer = read_map("m", {"n1", 0}, reader_of(files));
        EXPECT_TRUE(!answer || answer->skipped);
        const Error error = !answer ? answer.error() : answer->skipped.value_or(Error());
        EXPECT_FALSE(error.message.empty());
        return describe(error) + ' ' + kind_of(error.code);
    };
    expect_each(error_in, {{"rank 0-3,7-5 node=a\n", "m:1:10 7-5 malformed"},
                           {"* island=a\n  include m\n", "m:2:11 m skipped"},
                           {"include no-such-file.map\n", "m:1:9 no-such-file.map unreadable"},
                           {"include\n", "m:1:1 include malformed"},
                           {"include ./b\n", "b:1:16 switch:0 malformed"},
                           {"rank 0-3 node=a\nrank 4-7 node=b node=c\n", "m:2:17 node=c skipped"},
                           {"host node[1-4] switch=leaf1 rack=7\n", "m:1:29 rack=7 malformed"},
                           {"* switch=a\nnode1 switch=leaf1\n", "m:2:1 node1 skipped"},
                           {"rank\n", "m:1:1 rank malformed"},
                           {"* switch=\n", "m:1:3 switch= malformed"},
                           {"#\n\nhost node[1-4 switch=leaf1\n", "m:3:10 node[1-4 malformed"},
                           {"host n1 switch=\"rack 1\n", "m:1:16 \"rack 1 malformed"},
                           {"shape island:2 switch:0\n", "m:1:16 switch:0 malformed"},
                           {"host node1\n", "m:1:6 node1 malformed"}});
}

TEST(MapFile, read_site_fixture_with_includes) {
    const auto read_site = [](const std::string& host) {
        return describe(read_map(FIXTURES_DIR "/maps/site.map", {host, 0}, read_from_disk));
    };
    expect_each(read_site, {{"n01", "cluster=blue island=blue/1 switch=blue/1/rack1"},
                            {"n07", "cluster=blue island=blue/1 switch=blue/1/rack \"seven\" # 7"},
                            {"n17.example.org", "cluster=blue island=blue/2 switch=blue/2/rack2"},
                            {"n1", "cluster=blue"}});
}

TEST(MapFile, read_example_two_islands_equals_its_shape) {
    const std::string path = FIXTURES_DIR "/../../examples/maps/two-islands.map";
    for (int rank = 0; rank < 33; ++rank) {
        const std::string expected = read("shape island:2 switch:2 node:2 ranks:4", "any", rank);
        EXPECT_EQ(describe(read_map(path, {"any", rank}, read_from_disk)), expected) << rank;
        EXPECT_EQ(expected.empty(), rank == 32);
    }
}

TEST(MapFile, read_example_cluster) {
    const auto read_cluster = [](const std::string& host) {
        const std::string path = FIXTURES_DIR "/../../examples/maps/cluster.map";
        return describe(read_map(path, {host, 0}, read_from_disk));
    };
    expect_each(read_cluster, {{"node001", "cluster=blue island=blue/east switch=blue/east/rack 1"},
                               {"node032", "cluster=blue island=blue/east switch=blue/east/rack 2"},
                               {"node128", "cluster=blue island=blue/west switch=blue/west/rack 4"},
                               {"gpu8", "cluster=blue island=blue/west switch=blue/west/gpu"},
                               {"login", "cluster=blue"}});
}

}  // namespace
}  // namespace hitopo
