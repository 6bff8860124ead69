// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <string>

#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/hostname/hitopo_hostname.h"
#include "test/support/recorder.h"

namespace hitopo {
namespace {

// What the component answers.
class Given : public Recorder {
public:
    Given(const char* pattern, const char* host) {
        const hitopo_hostname_settings_t settings = {pattern, nullptr};
        host_is(host);
        EXPECT_EQ(hitopo_hostname_query(&settings, &question, this), kSuccess);
    }
};

TEST(Hostname, query_gives_the_node_name) {
    for (const char* pattern : {static_cast<const char*>(nullptr), ""}) {
        Given answer(pattern, "r1i3n7");
        RawAddress expected;
        expected[kNode] = Name("r1i3n7");
        EXPECT_EQ(answer.values, expected);
        EXPECT_FALSE(answer.replaces_node);
        EXPECT_FALSE(answer.error);
        EXPECT_EQ(answer.reasons[kSwitch], "hitopo_hostname_pattern is not set");
    }
}

TEST(Hostname, query_uses_the_pattern) {
    Given answer("r{island}i{switch}n*", "r1i3n7");
    EXPECT_EQ(answer.values[kIsland]->to_string(), "r1");
    EXPECT_EQ(answer.values[kSwitch]->to_string(), "r1/i3");
    EXPECT_EQ(answer.values[kNode]->to_string(), "r1i3n7");
    EXPECT_EQ(answer.reasons[kIsland], "host name r1i3n7 matches r{island}i{switch}n*");
}

TEST(Hostname, query_is_silent_where_the_pattern_does_not_match) {
    Given answer("r{island}i{switch}n*", "login");
    EXPECT_FALSE(answer.values[kIsland]);
    EXPECT_EQ(answer.values[kNode]->to_string(), "login");
    EXPECT_FALSE(answer.error);
    EXPECT_EQ(answer.reasons[kIsland], "host name login does not match r{island}i{switch}n*");
}

TEST(Hostname, query_refuses_a_variable_that_no_environment_has) {
    Recorder recorder;
    for (const char* name : {"NODE_NAME", "", "A=B"}) {
        const hitopo_hostname_settings_t settings = {nullptr, name};
        EXPECT_FALSE(recorder.error) << "before " << name;
        EXPECT_EQ(hitopo_hostname_query(&settings, &recorder.question, &recorder), kSuccess);
    }
    ASSERT_TRUE(recorder.error);
    EXPECT_EQ(recorder.error->value, "A=B");
    EXPECT_EQ(recorder.error->position(), "hitopo_hostname_variable, column 2");
}

TEST(Hostname, query_keeps_the_node_where_the_pattern_is_bad) {
    Given answer("r{rack}n*", "r1n7");
    EXPECT_EQ(answer.values[kNode]->to_string(), "r1n7");
    ASSERT_TRUE(answer.error);
    EXPECT_EQ(answer.error->code, Errc::kMalformed);
    EXPECT_EQ(answer.error->where, "hitopo_hostname_pattern");
    EXPECT_EQ(answer.error->value, "rack");
    EXPECT_EQ(answer.error->column, 2);
}

TEST(Hostname, query_takes_a_machine_without_name) {
    Given answer("r{island}n*", "");
    EXPECT_EQ(answer.values, RawAddress());
    EXPECT_EQ(answer.reasons[kNode], "this machine has no host name");
}

}  // namespace
}  // namespace hitopo
