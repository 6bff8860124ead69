// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/slingshot/slingshot.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/slingshot/hitopo_slingshot.h"
#include "test/support/recorder.h"

namespace hitopo {
namespace {

// A folder as /sys/class/net.
class Slingshot : public testing::Test {
protected:
    Slingshot() { std::filesystem::create_directories(folder_); }
    ~Slingshot() override { std::filesystem::remove_all(folder_); }

    void add(const std::string& name, const std::string& address, const std::string& flags = "0x1003",
             const std::string& state = "up") {
        std::filesystem::create_directory(folder_ + '/' + name);
        write(name + "/address", address + '\n');
        write(name + "/flags", flags + '\n');
        write(name + "/operstate", state + '\n');
    }

    void write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ + '/' + name) << text;
    }

    void answer() {
        answer_slingshot(folder_, recorder_.question, recorder_);
        EXPECT_FALSE(recorder_.error);
    }

    void expect_place(const std::string& island, const std::string& leaf) {
        answer();
        ASSERT_TRUE(recorder_.values[kIsland] && recorder_.values[kSwitch]) << recorder_.reason;
        EXPECT_EQ(recorder_.values[kIsland]->to_string(), island);
        EXPECT_EQ(recorder_.values[kSwitch]->to_string(), leaf);
    }

    void expect_nothing(const std::string& reason) {
        answer();
        EXPECT_EQ(recorder_.values, RawAddress());
        EXPECT_EQ(recorder_.reason, reason);
    }

    const std::string folder_ = testing::TempDir() + "hitopo-net" + std::to_string(getpid());
    Recorder recorder_;
};

TEST_F(Slingshot, answer_gives_group_and_switch) {
    add("lo", "00:00:00:00:00:00");
    add("eth0", "02:00:00:00:08:40");
    add("hsn0", "02:00:00:00:07:ea");
    expect_place("g0", "g0/g0s31");
    EXPECT_EQ(recorder_.reason, "hsn0 has 02:00:00:00:07:ea: group 0, switch 31, port 42");
}

TEST_F(Slingshot, answer_takes_the_lowest_that_is_up) {
    add("hsn10", "02:00:00:00:08:00");
    add("hsn2", "02:00:00:00:10:41", "0x1003", "unknown");
    add("hsn0", "02:00:00:00:07:ea", "0x1002", "up");
    add("hsn1", "02:00:00:00:07:ea", "0x1003", "down");
    expect_place("g2", "g2/g2s1");
    EXPECT_EQ(recorder_.reason,
              "hsn2 has 02:00:00:00:10:41: group 2, switch 1, port 1; not used: "
              "hsn0 has 02:00:00:00:07:ea: group 0, switch 31, port 42, and is not up; "
              "hsn1 has 02:00:00:00:07:ea: group 0, switch 31, port 42, and is down; "
              "hsn10 has 02:00:00:00:08:00: group 1, switch 0, port 0");
}

TEST_F(Slingshot, answer_passes_by_an_interface_without_a_place) {
    add("hsn0", "00:40:a6:82:f7:5f");
    add("hsn1", "02:00:00:00:08:00");
    expect_place("g1", "g1/g1s0");
    EXPECT_EQ(recorder_.reason,
              "hsn1 has 02:00:00:00:08:00: group 1, switch 0, port 0; not used: hsn0 has "
              "00:40:a6:82:f7:5f: not assigned by a fabric manager (02:00:00:0..)");
}

TEST_F(Slingshot, answer_tells_why_it_knows_nothing) {
    expect_nothing("no interface hsn0, hsn1, ..: no Slingshot");
    add("hsn", "02:00:00:00:07:ea");
    add("hsnx1", "02:00:00:00:07:ea");
    add("hsn0.5", "02:00:00:00:07:ea");
    expect_nothing("no interface hsn0, hsn1, ..: no Slingshot");
    add("hsn0", "02:00:00:00:07:ea", "0x1003", "lowerlayerdown");
    expect_nothing(
        "not used: hsn0 has 02:00:00:00:07:ea: group 0, switch 31, port 42, and is lowerlayerdown");
}

TEST_F(Slingshot, answer_takes_no_files_and_odd_files) {
    std::filesystem::create_directory(folder_ + "/hsn0");
    expect_nothing(
        "not used: hsn0 has no address: not assigned by a fabric manager (02:00:00:0..), and is not up");
    add("hsn1", std::string(1 << 20, '0'), "nonsense", "");
    write("hsn2", "no folder");
    add("hsn3", "02:00:00:00:07:ea", "0x1003", "");
    std::filesystem::create_directory(folder_ + "/hsn4");
    ASSERT_EQ(mkfifo((folder_ + "/hsn4/address").c_str(), 0600), 0);
    expect_nothing(
        "not used: hsn0 has no address: not assigned by a fabric manager (02:00:00:0..), and is not up; "
        "hsn1 has no address: not assigned by a fabric manager (02:00:00:0..), and is not up; "
        "hsn2 has no address: not assigned by a fabric manager (02:00:00:0..), and is not up; "
        "hsn3 has 02:00:00:00:07:ea: group 0, switch 31, port 42, and is in an unknown state; "
        "hsn4 has no address: not assigned by a fabric manager (02:00:00:0..), and is not up");
}

TEST_F(Slingshot, answer_reads_64_interfaces_at_most) {
    for (int i = 0; i < 64; ++i) {
        add("hsn" + std::to_string(i), "02:00:00:00:07:ea", "0x0", "down");
    }
    add("hsn64", "02:00:00:00:07:ea");
    answer();
    EXPECT_EQ(recorder_.values, RawAddress());
}

TEST_F(Slingshot, answer_tells_of_an_absent_folder) {
    std::filesystem::remove_all(folder_);
    expect_nothing(folder_ + ": No such file or directory");
}

TEST_F(Slingshot, answer_is_of_the_node) {
    add("hsn0", "02:00:00:00:07:ea");
    recorder_.question.asks_for_node = false;
    expect_nothing("not asked: local rank 0 answers for the whole node");
}

TEST(SlingshotQuery, query_reads_this_machine) {
    Recorder recorder;
    EXPECT_EQ(hitopo_slingshot_query(&recorder.question, &recorder), kSuccess);
    EXPECT_FALSE(recorder.error);
    EXPECT_NE(recorder.reason, "");
}

}  // namespace
}  // namespace hitopo
