// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Component oci with programs in curl's place; test/mpi/programs/oci.sh has the real one and a server.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/oci/hitopo_oci.h"
#include "test/support/recorder.h"

namespace hitopo {
namespace {

class Oci : public testing::Test {
protected:
    ~Oci() override { std::filesystem::remove(program_); }

    void program_is(const std::string& lines) {
        std::ofstream(program_) << "#!/bin/sh\n" + lines + "\n";
        ::chmod(program_.c_str(), 0700);
    }
    void answer() {
        const hitopo_oci_settings_t settings = {url_, program_.c_str(), timeout_ms_};
        EXPECT_EQ(hitopo_oci_query(&settings, &recorder_.report()), kSuccess);
    }
    void expect_nothing(const std::string& reason) {
        answer();
        EXPECT_FALSE(recorder_.error) << recorder_.error->message;
        EXPECT_EQ(recorder_.values, RawAddress());
        EXPECT_TRUE(recorder_.side.empty());
        EXPECT_EQ(recorder_.reasons[-1], reason);
    }
    void expect_error(Errc code, const std::string& value) {
        answer();
        EXPECT_EQ(recorder_.values, RawAddress());
        ASSERT_TRUE(recorder_.error);
        EXPECT_EQ(recorder_.error->code, code);
        EXPECT_EQ(recorder_.error->value, value);
    }

    const std::string program_ = testing::TempDir() + "hitopo-oci" + std::to_string(getpid());
    const char* url_ = "http://127.0.0.1/x";
    int timeout_ms_ = 60000;
    Recorder recorder_;
};

TEST_F(Oci, a_place_is_island_switch_and_gpu_fabric_of_the_node) {
    program_is("cat " FIXTURES_DIR "/oci/place.json; printf '\\n200'");
    answer();
    ASSERT_TRUE(recorder_.values[kIsland] && recorder_.values[kSwitch]) << recorder_.reasons[-1];
    EXPECT_EQ(recorder_.values[kIsland]->visible().to_string(), "aisland7");
    EXPECT_EQ(recorder_.values[kSwitch]->visible().to_string(), "leaf0001");
    EXPECT_EQ(recorder_.side["oci://GpuMemoryFabric"].to_string(),
              "ocid1.computegpumemoryfabric.oc1.iad.anuwcljrnifhggqcaaaagpu00072");
}

TEST_F(Oci, the_url_is_an_argument_of_its_own) {
    url_ = "http://x/ --output /tmp/y;$(z)";
    program_is(
        "for word; do last=$word; done; printf '{\"customerLocalBlock\": \"%s\"}\\n200' \"$last\"");
    answer();
    ASSERT_TRUE(recorder_.values[kSwitch]);
    EXPECT_EQ(recorder_.values[kSwitch]->visible().to_string(), url_);
}

TEST_F(Oci, is_asked_only_where_it_is_wanted) {
    program_is("printf '{\"customerLocalBlock\": \"x\"}\\n200'");
    timeout_ms_ = 0;
    expect_nothing("hitopo_oci_timeout_ms is 0");
    recorder_.report().asks_for_node = 0;
    expect_nothing("not asked: local rank 0 answers for the whole node");
    for (const char* none : {static_cast<const char*>(nullptr), ""}) {
        url_ = none;
        expect_nothing("hitopo_oci_url is not set");
    }
}

TEST_F(Oci, no_program_no_answer_no_place) {
    expect_nothing(program_ + ": No such file or directory");
    program_is("printf 'not found\\n404'");
    expect_nothing("http://127.0.0.1/x: HTTP status 404");
    program_is("exec sleep 300");
    timeout_ms_ = 100;
    expect_nothing("no answer within 100 ms (hitopo_oci_timeout_ms)");
}

TEST_F(Oci, garbage_costs_one_message) {
    program_is("printf '<html>\\n200'");
    expect_error(Errc::kMalformed, "<html>");
}

TEST_F(Oci, an_answer_without_end_costs_one_message) {
    program_is("exec yes");
    expect_error(Errc::kTooLarge, url_);
}

TEST_F(Oci, a_url_of_another_kind_costs_one_message) {
    url_ = "file:///etc/passwd";
    expect_error(Errc::kMalformed, url_);
}

}  // namespace
}  // namespace hitopo
