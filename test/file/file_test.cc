// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/file/hitopo_file.h"
#include "ompi/mca/hitopo/file/hitopo_file_input.h"
#include "test/support/recorder.h"

namespace hitopo {
namespace {

class FileTest : public testing::Test {
protected:
    FileTest() {
        std::string name = testing::TempDir() + "hitopo-XXXXXX";
        folder_ = ::mkdtemp(name.data());
    }
    ~FileTest() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ + '/' + name) << text;
        return folder_ + '/' + name;
    }

    void query(const std::string& path, int rank = 0) {
        const hitopo_file_settings_t settings = {path.c_str(), nullptr, nullptr};
        recorder_.report().rank = rank;
        EXPECT_EQ(hitopo_file_query(&settings, &recorder_.report()), kSuccess);
    }

    std::string folder_;
    Recorder recorder_;
};

TEST_F(FileTest, query_answers_from_the_map) {
    const std::string path = write("a.map", "include b.map\nhost node1 switch=s\nrank 3 socket=1\n");
    write("b.map", "* island=i\n");
    query(path, 3);
    EXPECT_EQ(recorder_.values[kIsland]->to_string(), "i");
    EXPECT_EQ(recorder_.values[kSwitch]->to_string(), "i/s");
    EXPECT_EQ(recorder_.values[kSocket]->to_string(), "i/s/1");
    EXPECT_FALSE(recorder_.values[kNode]);
    EXPECT_EQ(recorder_.reasons[kIsland], folder_ + "/b.map:1");
    EXPECT_EQ(recorder_.reasons[kNode], path + " tells nothing for host node1, rank 3");
    EXPECT_FALSE(recorder_.error);
}

TEST_F(FileTest, query_replaces_the_node_only) {
    query(write("a.map", "shape island:2 node:2 core:2"), 5);
    EXPECT_EQ(recorder_.values[kNode]->to_string(), "i1/i1n0");
    EXPECT_EQ(recorder_.flags[kNode], static_cast<unsigned>(HITOPO_VALUE_REPLACES_NODE));
    EXPECT_EQ(recorder_.flags[kIsland], 0u);
    EXPECT_EQ(recorder_.flags[kCore], 0u);
}

TEST_F(FileTest, query_is_silent_without_a_path) {
    query("");
    const hitopo_file_settings_t none = {nullptr, nullptr, nullptr};
    EXPECT_EQ(hitopo_file_query(&none, &recorder_.report()), kSuccess);
    EXPECT_EQ(recorder_.values, RawAddress());
    EXPECT_FALSE(recorder_.error);
    EXPECT_EQ(recorder_.reasons[-1], "hitopo_file_path is not set");
}

TEST_F(FileTest, query_is_silent_where_the_map_tells_nothing) {
    query(write("a.map", "host node2 switch=s\n"));
    EXPECT_EQ(recorder_.values, RawAddress());
    EXPECT_FALSE(recorder_.error);
}

TEST_F(FileTest, query_tells_the_place_of_a_bad_line_and_fills_nothing) {
    const std::string path = write("a.map", "* island=i\n* swich=s\n");
    query(path);
    EXPECT_EQ(recorder_.values, RawAddress());
    ASSERT_TRUE(recorder_.error);
    EXPECT_EQ(recorder_.error->where, path);
    EXPECT_EQ(recorder_.error->line, 2);
    EXPECT_EQ(recorder_.error->column, 3);
}

TEST_F(FileTest, query_tells_a_missing_map) {
    query(folder_ + "/none.map");
    ASSERT_TRUE(recorder_.error);
    EXPECT_EQ(recorder_.error->code, Errc::kUnreadable);
    EXPECT_EQ(recorder_.error->where, "hitopo_file_path");
    EXPECT_EQ(recorder_.error->value, folder_ + "/none.map");
    EXPECT_NE(recorder_.error->message.find("No such file"), std::string::npos);
}

TEST_F(FileTest, query_tells_the_line_of_a_missing_include) {
    const std::string path = write("a.map", "\ninclude none.map\n");
    query(path);
    ASSERT_TRUE(recorder_.error);
    EXPECT_EQ(recorder_.error->code, Errc::kUnreadable);
    EXPECT_EQ(recorder_.error->where, path);
    EXPECT_EQ(recorder_.error->line, 2);
    EXPECT_EQ(recorder_.error->column, 9);
}

TEST_F(FileTest, read_waits_for_no_fifo) {
    const std::string path = folder_ + "/fifo";
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    const Result<std::string> text = read_map_file(path, 100);
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code, Errc::kUnreadable);
    EXPECT_NE(text.error().message.find("not a regular file"), std::string::npos);
}

TEST_F(FileTest, read_takes_no_folder_and_no_device) {
    EXPECT_EQ(read_map_file(folder_, 100).error().code, Errc::kUnreadable);
    EXPECT_EQ(read_map_file("/dev/zero", 100).error().code, Errc::kUnreadable);
    EXPECT_EQ(read_map_file("", 100).error().code, Errc::kUnreadable);
}

TEST_F(FileTest, read_has_a_limit) {
    const std::string path = write("a", std::string(100000, 'x'));
    EXPECT_EQ(read_map_file(path, 100000)->size(), 100000u);
    EXPECT_EQ(read_map_file(path, 99999).error().code, Errc::kTooLarge);
    EXPECT_EQ(*read_map_file(write("empty", ""), 0), "");
}

}  // namespace
}  // namespace hitopo
