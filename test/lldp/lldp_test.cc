// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Component lldp with programs in lldpcli's place; test/lab/nodes asks real ones.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/lldp/hitopo_lldp.h"
#include "ompi/mca/hitopo/lldp/hitopo_lldp_input.h"
#include "test/support/recorder.h"

namespace hitopo {
namespace {

constexpr int kLongMs = 60000;  // nothing takes that long

class Lldp : public testing::Test {
protected:
    Lldp() {
        std::filesystem::create_directories(folder_ + "/net");
        settings_.program = folder_ + "/lldpcli";
        settings_.timeout_ms = kLongMs;
    }
    ~Lldp() override { std::filesystem::remove_all(folder_); }

    void write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ + '/' + name) << text;
    }
    void program_is(const std::string& lines) {
        write("lldpcli", "#!/bin/sh\n" + lines + "\n");
        ::chmod(settings_.program.c_str(), 0700);
    }
    void program_prints(const std::string& fixture) {
        program_is("exec cat " FIXTURES_DIR "/lldp/" + fixture + ".json");
    }

    void answer() { answer_lldp(settings_, folder_ + "/net", recorder_.question, recorder_); }
    void expect_nothing(const std::string& reason) {
        answer();
        EXPECT_FALSE(recorder_.error) << recorder_.error->message;
        EXPECT_EQ(recorder_.values, RawAddress());
        EXPECT_EQ(recorder_.reason, reason);
    }
    void expect_error(Errc code, const std::string& value, const std::string& message) {
        answer();
        EXPECT_EQ(recorder_.values, RawAddress());
        ASSERT_TRUE(recorder_.error);
        EXPECT_EQ(recorder_.error->code, code);
        EXPECT_EQ(recorder_.error->value, value);
        EXPECT_EQ(recorder_.error->message, message);
    }

    const std::string folder_ = testing::TempDir() + "hitopo-lldp" + std::to_string(getpid());
    LldpSettings settings_;
    Recorder recorder_;
};

TEST_F(Lldp, answer_gives_the_switch_of_the_lowest_interface) {
    program_prints("switch-two-ports-and-host");
    answer();
    ASSERT_TRUE(recorder_.values[kSwitch]);
    EXPECT_EQ(recorder_.values[kSwitch]->to_string(), "mac 02:00:00:00:01:07/leaf-1");
    EXPECT_FALSE(recorder_.values[kIsland]);
    EXPECT_EQ(
        recorder_.reasons[kSwitch],
        "ens9 is linked to leaf-1 (mac 02:00:00:00:01:07), port swp8; not used: ens1 is linked to "
        "storage3 (mac 02:00:00:00:02:01), port eno1: a host: neither Bridge nor Router is enabled; "
        "ens10 is linked to leaf-1 (mac 02:00:00:00:01:07), port swp7");
    EXPECT_EQ(recorder_.reasons[kIsland], "hitopo_lldp_pattern is not set");
}

// eno1 is of a board's own network, ens10 of the fabric.
TEST_F(Lldp, answer_prefers_a_faster_link_unless_another_has_rdma) {
    program_prints("switch-two-ports-and-host");
    for (const auto& [interface, speed] : {std::pair("ens9", "1000\n"), {"ens10", "100000\n"}}) {
        std::filesystem::create_directories(folder_ + "/net/" + interface);
        write(std::string("net/") + interface + "/speed", speed);
    }
    answer();
    EXPECT_EQ(recorder_.reasons[kSwitch].substr(0, 25), "ens10 is linked to leaf-1");
    std::filesystem::create_directories(folder_ + "/net/ens9/device/infiniband");
    answer();
    EXPECT_EQ(recorder_.reasons[kSwitch].substr(0, 24), "ens9 is linked to leaf-1");
    write("net/ens9/speed", "-1\n");
    std::filesystem::remove_all(folder_ + "/net/ens9/device");
    answer();
    EXPECT_EQ(recorder_.reasons[kSwitch].substr(0, 25), "ens10 is linked to leaf-1");
}

TEST_F(Lldp, answer_prefers_an_interface_with_rdma) {
    program_prints("switch-two-ports-and-host");
    std::filesystem::create_directories(folder_ + "/net/ens10/device/infiniband");
    answer();
    EXPECT_EQ(recorder_.reasons[kSwitch].substr(0, 25), "ens10 is linked to leaf-1");
}

// A file of settings can be another user's: what it names would run as this one.
TEST_F(Lldp, starts_no_program_of_another_user) {
    if (::geteuid() != 0) {
        GTEST_SKIP() << "only root gives files away";
    }
    program_is(">" + folder_ + "/started");
    ASSERT_EQ(::chown(settings_.program.c_str(), 65534, 65534), 0);
    answer();
    ASSERT_TRUE(recorder_.error);
    EXPECT_EQ(recorder_.error->value, settings_.program);
    EXPECT_FALSE(std::filesystem::exists(folder_ + "/started"));
}

TEST_F(Lldp, answer_takes_the_island_from_the_switchs_name) {
    program_prints("switch");
    settings_.pattern = "row{island},leaf-{island}";
    answer();
    ASSERT_TRUE(recorder_.values[kIsland]);
    EXPECT_EQ(recorder_.values[kIsland]->to_string(), "leaf-1");
    EXPECT_EQ(recorder_.reasons[kIsland], "the switch's name leaf-1 matches row{island},leaf-{island}");
    EXPECT_EQ(recorder_.values[kSwitch]->to_string(), "mac 02:00:00:00:01:07/leaf-1");
}

TEST_F(Lldp, answer_tells_why_a_pattern_gives_no_island) {
    program_prints("switch");
    settings_.pattern = "row{island}";
    answer();
    EXPECT_EQ(recorder_.reasons[kIsland], "the switch's name leaf-1 does not match row{island}");
    settings_.pattern = "leaf-{switch}";
    answer();
    EXPECT_EQ(recorder_.reasons[kIsland],
              "the switch's name leaf-1 matches leaf-{switch}, which has no {island}");
    EXPECT_FALSE(recorder_.values[kIsland]);
    EXPECT_FALSE(recorder_.error);
    settings_.pattern = "leaf ({island})";  // a system's name is any text
    answer();
    EXPECT_FALSE(recorder_.error);
    settings_.pattern = "leaf-{isle}";
    answer();
    EXPECT_TRUE(recorder_.values[kSwitch]);
    ASSERT_TRUE(recorder_.error);
    EXPECT_EQ(recorder_.error->where, "hitopo_lldp_pattern");
    EXPECT_EQ(recorder_.error->column, 6);
}

TEST_F(Lldp, answer_asks_as_it_is_told) {
    program_is("echo \"$*\"");
    expect_nothing("-f json0 show neighbors");
    settings_.socket = "/run/my socket";
    settings_.interfaces = "ens*,!ens9";
    answer();
    EXPECT_EQ(recorder_.reason, "-u /run/my socket -f json0 show neighbors ports ens*,!ens9");
}

TEST_F(Lldp, answer_tells_of_no_neighbour_and_of_hosts) {
    program_prints("none");
    expect_nothing("lldpd has no neighbour");
    settings_.interfaces = "ens7";
    expect_nothing("lldpd has no neighbour at ens7");
    program_prints("host");
    expect_nothing(
        "no switch: ens1 is linked to storage3 (mac 02:00:00:00:02:01), port eno1: a host: neither "
        "Bridge nor Router is enabled");
}

TEST_F(Lldp, answer_is_silent_where_nobody_is_asked) {
    expect_nothing("no " + settings_.program + ": no lldpd");
    program_is("touch " + folder_ + "/asked");
    settings_.timeout_ms = 0;
    expect_nothing("hitopo_lldp_timeout_ms is 0");
    settings_.timeout_ms = kLongMs;
    recorder_.question.asks_for_node = false;
    expect_nothing("not asked: local rank 0 answers for the whole node");
    EXPECT_NE(::access((folder_ + "/asked").c_str(), F_OK), 0);
}

TEST_F(Lldp, answer_passes_on_complaints) {
    program_is(
        "echo 'x [WARN/control] unable to connect to socket /run/x: No such file or directory' >&2");
    expect_nothing("unable to connect to socket /run/x: No such file or directory");
    program_is("exit 1");
    expect_nothing(settings_.program + " printed nothing");
    write("lldpcli", "no program");
    expect_nothing(settings_.program + ": Exec format error");
}

TEST_F(Lldp, answer_tells_of_a_program_that_is_closed) {
    program_is("");
    ASSERT_EQ(::chmod(settings_.program.c_str(), 0640), 0);
    expect_nothing(settings_.program + ": Permission denied");
}

// A path of the user's is not dropped without a word, though lldpd is not here or not asked.
TEST_F(Lldp, answer_tells_of_a_path_that_is_of_no_use) {
    settings_.is_own_program = true;
    answer();
    ASSERT_TRUE(recorder_.error);
    EXPECT_EQ(recorder_.error->code, Errc::kUnreadable);
    EXPECT_EQ(recorder_.error->value, settings_.program);
    EXPECT_EQ(recorder_.error->where, "hitopo_lldp_program");
    EXPECT_EQ(recorder_.error->message.find(settings_.program + ": No such file or directory; "), 0U);
    settings_.is_own_program = false;
    settings_.socket = "/run/nowhere";
    program_is("echo 'unable to connect to socket /run/nowhere' >&2");
    recorder_.error.reset();
    answer();
    ASSERT_TRUE(recorder_.error);
    EXPECT_EQ(recorder_.error->value, "/run/nowhere");
    EXPECT_EQ(recorder_.error->where, "hitopo_lldp_socket");
}

TEST_F(Lldp, answer_refuses_a_bad_pattern_without_lldpd) {
    settings_.pattern = "{foo}";
    expect_error(Errc::kMalformed, "foo",
                 "this is not a field; write {cluster}, {island} or {switch}, and * for other text");
    EXPECT_EQ(recorder_.reason, "no " + settings_.program + ": no lldpd");
}

TEST_F(Lldp, answer_waits_no_longer_than_told) {
    program_is("exec sleep 1000");
    settings_.timeout_ms = 1;
    expect_nothing("no answer within 1 ms (hitopo_lldp_timeout_ms)");
}

TEST_F(Lldp, answer_refuses_what_no_lldpcli_prints) {
    program_is("echo '{ \"lldp\"'");
    expect_error(
        Errc::kMalformed, "{ \"lldp\"\n",
        "this is not the output of `lldpcli -f json0 show neighbors`; name the lldpcli of lldpd");
    EXPECT_EQ(recorder_.error->where, "the answer of hitopo_lldp_program " + settings_.program);
}

TEST_F(Lldp, answer_stops_reading_after_a_megabyte) {
    program_is("echo '{'; head -c 16777216 /dev/zero");
    expect_error(
        Errc::kTooLarge, settings_.program,
        "an answer of more than 1048576 bytes; name fewer interfaces in hitopo_lldp_interfaces");
}

TEST(LldpQuery, query_takes_null_for_nothing) {
    Recorder recorder;
    const hitopo_lldp_settings_t settings = {};
    EXPECT_EQ(hitopo_lldp_query(&settings, &recorder.question, &recorder), kSuccess);
    EXPECT_FALSE(recorder.error);
    EXPECT_EQ(recorder.reason, "hitopo_lldp_timeout_ms is 0");
}

}  // namespace
}  // namespace hitopo
