// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo show --collectives` and `hitopo tune`, without MPI.
#include <gtest/gtest.h>

#include "ompi/tools/hitopo/formats.h"
#include "ompi/tools/hitopo/render.h"
#include "test/tools/show_fixtures.h"

namespace hitopo::tool {
namespace {

FrameworkDocument variables(const std::vector<std::pair<std::string, std::string>>& values) {
    FrameworkDocument framework;
    for (const auto& [name, value] : values) {
        VariableInfo variable;
        variable.name = name;
        variable.value = value;
        framework.variables.push_back(variable);
    }
    return framework;
}

std::string shown(const TableDocument& table, const FrameworkDocument& framework, std::size_t bytes) {
    const Result<std::string> text = format_collectives(table, framework, bytes);
    EXPECT_TRUE(text.is_ok());
    return text ? *text : "";
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(Collectives, on_one_node_are_left_to_others) {
    EXPECT_EQ(
        shown(regular_table(1, 4), {}, 100),
        "100 bytes, 4 processes\ncoll/hitopo is not used: the processes are not on several nodes\n");
}

TEST(Collectives, say_what_keeps_them_from_being_served) {
    const TableDocument table = regular_table(8, 2);
    EXPECT_TRUE(has(shown(table, {}, 100000), "coll_hitopo_priority is below 0"));
    const auto on = variables({{"coll_hitopo_priority", "40"}, {"coll_hitopo_min_bytes", "5000"}});
    const std::string below = "Not used: below 5000 bytes (coll_hitopo_min_bytes)";
    EXPECT_TRUE(has(shown(table, on, 4999), below));
    EXPECT_FALSE(has(shown(table, on, 5000), below));
    EXPECT_FALSE(has(shown(table, on, 5000), "coll/hitopo is not used"));
}

TEST(Collectives, say_that_short_sums_are_looked_at) {
    const auto on = variables({{"coll_hitopo_priority", "40"}, {"coll_hitopo_min_bytes", "8000"}});
    const std::string text = shown(regular_table(8, 2), on, 1000);
    const std::size_t allreduce = text.find("\nallreduce\n");
    EXPECT_LT(text.find("below 8000 bytes"), allreduce);
    EXPECT_GT(text.find("below", allreduce), text.find("\nallgather", allreduce));
    EXPECT_TRUE(has(shown(regular_table(8, 2), on, 999), "below 1000 bytes"));
}

// Two switches of four nodes of two: 128 KiB at once are 8 of 16 KiB, and what leaves a switch is 8
// processes' 16 KiB for 8 others, at 10 bytes a microsecond.
TEST(Collectives, go_by_the_table_and_the_links) {
    const auto on = variables({{"coll_hitopo_priority", "40"},
                               {"coll_hitopo_links", "switch:0:10:0,node:0:1000:0,process:0:1000:0"}});
    const std::string text = shown(regular_table(8, 2), on, 16 * 16384);
    EXPECT_TRUE(has(text, "16 processes: 2 switches of up to 4 nodes of up to 2 processes\n")) << text;
    EXPECT_TRUE(has(text, "alltoall\n  blocks of 16384 bytes, 8 in flight; 104858 us estimated\n"))
        << text;
    for (const char* name : {"\nbcast\n", "\nreduce\n", "\nallreduce\n", "\nallgather, allgatherv\n",
                             "\nreduce_scatter, reduce_scatter_block\n"}) {
        EXPECT_TRUE(has(text, name)) << name;
    }
}

// A block for each of 16 is 15 messages at least; rounds are four.
TEST(Collectives, say_what_others_bring_sooner) {
    const TableDocument table = regular_table(8, 2);
    auto on = variables(
        {{"coll_hitopo_priority", "40"},
         {"coll_hitopo_links", "switch:0:1000000:100,node:0:1000000:100,process:0:1000000:100"}});
    const std::string left = "Not used: algorithms without topology are estimated at 400 us";
    EXPECT_TRUE(has(shown(table, on, 16000), left)) << shown(table, on, 16000);
    on.variables.push_back(variables({{"coll_hitopo_compare", "0"}}).variables.front());
    EXPECT_FALSE(has(shown(table, on, 16000), "Not used"));
}

TEST(Collectives, with_malformed_links_are_an_error) {
    const Result<std::string> text =
        format_collectives(regular_table(2, 2), variables({{"coll_hitopo_links", "switch:x"}}), 1);
    ASSERT_FALSE(text.is_ok());
    EXPECT_EQ(text.error().value, "switch:x");
}

TEST(Tune, prints_the_option_and_both_times) {
    Documents documents;
    documents.tuning.emplace();
    documents.tuning->shape.max_children[kNode] = 2;
    documents.tuning->links[kNode] = {2.5, 1200, 0.75};
    documents.tuning->timings = {{"bcast", 1000, 30, 15}};
    const std::string text = render_tune(documents).text;
    EXPECT_TRUE(has(text, "\n  --mca coll_hitopo_links node:2.5:1200:0.75\n")) << text;
    EXPECT_TRUE(has(text, std::string(30, '#') + "\n")) << text;
    EXPECT_TRUE(has(text, ' ' + std::string(15, '-') + "\n")) << text;
    EXPECT_TRUE(has(text, "Collectives of Open MPI (#), and"));
    documents.tuning->is_served = true;
    EXPECT_TRUE(has(render_tune(documents).text, "Collectives of this job"));
    documents.tuning->is_on_one_node = true;
    EXPECT_FALSE(has(render_tune(documents).text, "Collectives of this job"));
    EXPECT_TRUE(has(render_tune(documents).text, "on one node, where coll/hitopo is not used"));
}

TEST(Tune, of_one_process_has_nothing_to_say) {
    Documents documents;
    documents.tuning.emplace();
    EXPECT_EQ(render_tune(documents).text, "Nothing to measure: there is only one process.\n");
}

TEST(Tune, without_a_table_is_an_error) {
    Documents documents;
    documents.reason = "HiTopo is off";
    EXPECT_TRUE(has(render_tune(documents).error, "HiTopo is off"));
}

}  // namespace
}  // namespace hitopo::tool
