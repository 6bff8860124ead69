// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>

#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/hostname/hitopo_hostname.h"
#include "test/support/recorder.h"

namespace hitopo {
namespace {

void query(const char* pattern, const char* host, Recorder& recorder) {
    const hitopo_hostname_settings_t settings = {pattern};
    recorder.report().host_name = host;
    EXPECT_EQ(hitopo_hostname_query(&settings, &recorder.report()), kSuccess);
}

TEST(Hostname, query_gives_the_node_name) {
    for (const char* pattern : {static_cast<const char*>(nullptr), ""}) {
        Recorder recorder;
        query(pattern, "r1i3n7", recorder);
        RawAddress expected;
        expected[kNode] = Name("r1i3n7");
        EXPECT_EQ(recorder.values, expected);
        EXPECT_EQ(recorder.flags[kNode], 0u);
        EXPECT_FALSE(recorder.error);
        EXPECT_EQ(recorder.reasons[kSwitch], "hitopo_hostname_pattern is not set");
    }
}

TEST(Hostname, query_uses_the_pattern) {
    Recorder recorder;
    query("r{island}i{switch}n*", "r1i3n7", recorder);
    EXPECT_EQ(recorder.values[kIsland]->to_string(), "r1");
    EXPECT_EQ(recorder.values[kSwitch]->to_string(), "r1/i3");
    EXPECT_EQ(recorder.values[kNode]->to_string(), "r1i3n7");
    EXPECT_EQ(recorder.reasons[kIsland], "host name r1i3n7 matches r{island}i{switch}n*");
}

TEST(Hostname, query_is_silent_where_the_pattern_does_not_match) {
    Recorder recorder;
    query("r{island}i{switch}n*", "login", recorder);
    EXPECT_FALSE(recorder.values[kIsland]);
    EXPECT_EQ(recorder.values[kNode]->to_string(), "login");
    EXPECT_FALSE(recorder.error);
    EXPECT_EQ(recorder.reasons[kIsland], "host name login does not match r{island}i{switch}n*");
}

TEST(Hostname, query_keeps_the_node_where_the_pattern_is_bad) {
    Recorder recorder;
    query("r{rack}n*", "r1n7", recorder);
    EXPECT_EQ(recorder.values[kNode]->to_string(), "r1n7");
    ASSERT_TRUE(recorder.error);
    EXPECT_EQ(recorder.error->code, Errc::kMalformed);
    EXPECT_EQ(recorder.error->where, "hitopo_hostname_pattern");
    EXPECT_EQ(recorder.error->value, "rack");
    EXPECT_EQ(recorder.error->column, 2);
}

TEST(Hostname, query_takes_a_machine_without_name) {
    Recorder recorder;
    query("r{island}n*", "", recorder);
    EXPECT_EQ(recorder.values, RawAddress());
    EXPECT_EQ(recorder.reasons[kNode], "this machine has no host name");
}

}  // namespace
}  // namespace hitopo
