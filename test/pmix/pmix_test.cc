// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// With values made by hand; test/mpi/table/pmix.sh has a PMIx server that gives them.
#include <gtest/gtest.h>

#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/pmix/hitopo_pmix.h"
#include "ompi/mca/hitopo/pmix/hitopo_pmix_input.h"
#include "test/support/recorder.h"

namespace hitopo {
namespace {

void answer(const std::optional<PmixFacts>& facts, const std::string& dimensions, Recorder& recorder) {
    Reporter reporter(&recorder.report());
    answer_pmix([&] { return facts; }, dimensions, reporter);
    EXPECT_EQ(reporter.status(), kSuccess);
}

PmixFacts some_facts() {
    PmixFacts facts;
    facts.host_name = "node1";
    facts.groups = "4:node1";
    facts.devices = {{0, "hsn0", {4, 2}}};
    return facts;
}

TEST(Pmix, answer_counts_for_the_node) {
    Recorder recorder;
    answer(some_facts(), "-,switch", recorder);
    EXPECT_EQ(recorder.values[kIsland]->to_string(), "4");
    EXPECT_EQ(recorder.values[kSwitch]->to_string(), "4/2");
    EXPECT_FALSE(recorder.values[kNode]);
    EXPECT_EQ(recorder.reasons[kNode], "left to the host name; PMIX_HOSTNAME is node1");
    EXPECT_FALSE(recorder.error);
}

TEST(Pmix, answer_asks_in_one_process_of_the_node) {
    Recorder recorder;
    recorder.report().asks_for_node = 0;
    Reporter reporter(&recorder.report());
    answer_pmix(
        [] {
            ADD_FAILURE() << "PMIx was asked";
            return std::nullopt;
        },
        "rack", reporter);
    EXPECT_EQ(recorder.values, RawAddress());
    EXPECT_FALSE(recorder.error);
    EXPECT_EQ(recorder.reasons[-1], "not asked: local rank 0 answers for the whole node");
}

TEST(Pmix, answer_is_silent_where_pmix_knows_nothing) {
    Recorder recorder;
    answer(PmixFacts(), "island,switch", recorder);
    EXPECT_EQ(recorder.values, RawAddress());
    EXPECT_FALSE(recorder.error);
    EXPECT_EQ(recorder.reasons[kSwitch], "PMIx has no switch information");
}

TEST(Pmix, answer_refuses_a_malformed_variable_and_keeps_the_rest) {
    Recorder recorder;
    answer(some_facts(), "island,rack", recorder);
    ASSERT_TRUE(recorder.error);
    EXPECT_EQ(recorder.error->position(), "hitopo_pmix_dimensions, column 8");
    EXPECT_EQ(recorder.error->value, "rack");
    EXPECT_EQ(recorder.values[kIsland]->to_string(), "4");
    EXPECT_FALSE(recorder.values[kSwitch]);
}

TEST(Pmix, answer_tells_of_broken_values) {
    Recorder recorder;
    PmixFacts facts = some_facts();
    facts.groups = "node1";
    answer(facts, "", recorder);
    ASSERT_TRUE(recorder.error);
    EXPECT_EQ(recorder.error->where, "PMIX_FABRIC_GROUPS");
    EXPECT_FALSE(recorder.values[kIsland]);
}

TEST(Pmix, query_is_silent_without_a_pmix_server) {
    Recorder recorder;
    const hitopo_pmix_settings_t settings = {nullptr};
    EXPECT_EQ(hitopo_pmix_query(&settings, &recorder.report()), kSuccess);
    EXPECT_EQ(recorder.values, RawAddress());
    EXPECT_FALSE(recorder.error);
    EXPECT_EQ(recorder.reasons[-1], "no PMIx server started this process");
}

}  // namespace
}  // namespace hitopo
