// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo show --collectives` and `hitopo tune`, without MPI. Tests tuning.cc.
#include <gtest/gtest.h>

#include "ompi/mca/coll/hitopo/core/settings.h"
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
        shown(regular_table(1, 3), {}, 100),
        "100 bytes, 3 processes\ncoll/hitopo is not used: the processes are not on several nodes\n");
}

TEST(Collectives, short_ones_share_memory_in_large_nodes) {
    const std::string line =
        "bcast, reduce and allreduce of up to 2048 bytes and barrier pass through shared\nmemory within "
        "a node\n";
    const auto on = variables({{"coll_hitopo_priority", "40"}});
    EXPECT_EQ(shown(regular_table(1, 4), on, 100), "100 bytes, 4 processes\n" + line);
    EXPECT_TRUE(has(shown(regular_table(2, 4), on, 100), line));
    EXPECT_FALSE(has(shown(regular_table(2, 3), on, 100), line));
    const auto none = variables({{"coll_hitopo_priority", "40"}, {"coll_hitopo_share", "0"}});
    EXPECT_FALSE(has(shown(regular_table(2, 4), none, 100), line));
}

TEST(Collectives, leaders_exchange_unless_they_must_not) {
    const std::string exchange = "exchange of each node";
    EXPECT_TRUE(has(shown(regular_table(8, 1), {}, 8), exchange));
    const auto off = variables({{"coll_hitopo_exchange", "0"}});
    EXPECT_FALSE(has(shown(regular_table(8, 1), off, 8), exchange));
}

TEST(Collectives, say_what_keeps_them_from_being_served) {
    const TableDocument table = regular_table(8, 2);
    EXPECT_TRUE(has(shown(table, {}, 100000), "coll_hitopo_priority is below 0"));
    const auto on =
        variables({{"coll_hitopo_priority", "40"},
                   {"coll_hitopo_serve", "bcast:5000-,ibcast,barrier,ibarrier,alltoallv,ialltoallv"}});
    const std::string range = "Not used for bcast: coll_hitopo_serve has 5000-\n";
    EXPECT_TRUE(has(shown(table, on, 4999), range));
    EXPECT_FALSE(has(shown(table, on, 4999), "Not used for ibcast"));
    const std::string text = shown(table, on, 5000);
    EXPECT_FALSE(has(text, range));
    EXPECT_FALSE(has(text, "coll/hitopo is not used"));
    const std::string absent = "coll_hitopo_serve does not contain it\n";
    EXPECT_GT(text.find(absent), text.find("\nreduce\n"));
    EXPECT_FALSE(has(text.substr(text.find("\nbarrier\n")), absent));
}

// Two switches of four nodes of two: what leaves a switch is 8 processes' 128 bytes for 8 others, at 10
// bytes a microsecond, and in a node 2 KiB at 1000 before and behind. Longer blocks are left to others.
TEST(Collectives, go_by_the_table_and_the_links) {
    const auto on = variables({{"coll_hitopo_priority", "40"},
                               {"coll_hitopo_serve", "all"},
                               {"coll_hitopo_links", "switch:0:10:0,node:0:1000:0,process:0:1000:0"}});
    const std::string text = shown(regular_table(8, 2), on, 16 * 128);
    EXPECT_TRUE(has(text, "16 processes: 2 switches of up to 4 nodes of up to 2 processes\n")) << text;
    EXPECT_TRUE(has(text, "alltoall\n  blocks of 128 bytes, bundled by 1 of a node; about 823 us\n"))
        << text;
    EXPECT_FALSE(has(shown(regular_table(8, 2), on, 16 * 129), "\nalltoall\n"));
    for (const char* name : {"\nbcast\n", "\nreduce\n", "\nallreduce\n", "\nallgather, allgatherv\n",
                             "\nreduce_scatter, reduce_scatter_block\n"}) {
        EXPECT_TRUE(has(text, name)) << name;
    }
}

TEST(Collectives, with_a_malformed_setting_are_an_error) {
    const auto value_of_error = [](const char* name, const char* value) {
        const Result<std::string> text =
            format_collectives(regular_table(2, 2), variables({{name, value}}), 1);
        return text ? "none" : text.error().value;
    };
    EXPECT_EQ(value_of_error("coll_hitopo_links", "switch:x"), "switch:x");
    EXPECT_EQ(value_of_error("coll_hitopo_serve", "bcast,scan"), "scan");
}

// Two nodes, and one kind with each of these ratios in its turn.
Tuning tuning_of(std::size_t kind, const std::vector<double>& ratios) {
    Tuning tuning;
    tuning.is_served = true;
    tuning.shape.max_children[kNode] = 2;
    tuning.links[kNode] = {2.5, 1200, 0.75};
    for (const double ratio : ratios) {
        tuning.timings.push_back({kind,
                                  kTunedBytes[tuning.timings.size()],
                                  100,
                                  100 * ratio,
                                  {ratio, ratio - 0.01, ratio + 0.01}});
    }
    return tuning;
}

std::string found_faster(const std::vector<double>& ratios) {
    return coll::format_serve(faster(tuning_of(1, ratios).timings));
}

TEST(Tune, serves_what_is_faster_by_5_percent) {
    EXPECT_EQ(found_faster({0.9, 0.9, 0.9}), "reduce:0-");
    EXPECT_EQ(found_faster({1.0, 0.96, 2}), "none");
    EXPECT_EQ(found_faster({0.9, 0.95, 0.97, 0.5, 0.5}), "reduce:0-64/4096-");
    EXPECT_EQ(found_faster({1, 0.9, 1, 0.9, 1}), "reduce:64-64/4096-4096");
    std::vector<Timing> timings = tuning_of(0, {1, 0.9}).timings;
    const std::vector<Timing> others = tuning_of(2, {0.9, 1}).timings;
    timings.insert(timings.end(), others.begin(), others.end());
    EXPECT_EQ(coll::format_serve(faster(timings)), "bcast:64-,allreduce:0-8");
}

TEST(Tune, serves_nothing_that_may_be_slower) {
    Documents documents;
    documents.tuning = tuning_of(1, {0.9, 0.9, 1.0});
    documents.tuning->timings[0].ratio = {0.9, 0.7, 1.01};
    documents.tuning->timings[0].with_us = 80;  // the medians' quotient is not the quotients' median
    documents.tuning->is_simulated = true;
    EXPECT_EQ(coll::format_serve(faster(documents.tuning->timings)), "reduce:64-64");
    const std::string text = render_tune(documents, false).text;
    EXPECT_TRUE(has(text, "bytes     Open MPI, us  HiTopo, us  ratio  95 %\n")) << text;
    EXPECT_TRUE(has(text, "100.0        80.0  0.80   0.70-1.01  too noisy to tell\n")) << text;
    EXPECT_TRUE(has(text, "100.0        90.0  0.90   0.89-0.91  served\n")) << text;
    EXPECT_TRUE(has(text, "100.0       100.0  1.00   0.99-1.01\n")) << text;
    EXPECT_EQ(text.rfind("The network is simulated: ", 0), 0U) << text;
    documents.tuning->timings[1].with_us = 110;  // slower by the medians, faster in most rounds
    EXPECT_EQ(coll::format_serve(faster(documents.tuning->timings)), "none");
    EXPECT_TRUE(has(render_tune(documents, false).text, "110.0  1.10   0.89-0.91  too noisy to tell\n"));
}

TEST(Tune, interval_of_the_median) {
    std::vector<double> values;
    for (int i = 100; i >= 0; --i) {
        values.push_back(i);
    }
    const Interval of_101 = interval_of(values);  // 0.98 * sqrt(101) = 9.8
    EXPECT_EQ(of_101.median, 50);
    EXPECT_EQ(of_101.low, 41);
    EXPECT_EQ(of_101.high, 59);
    const Interval of_one = interval_of({3});
    EXPECT_EQ(of_one.low, 3);
    EXPECT_EQ(of_one.high, 3);
}

// A file for mpirun --tune without its comments.
std::string options_in(const std::string& file) {
    std::string options;
    std::istringstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        options += line[0] == '#' ? "" : line + '\n';
    }
    return options;
}

TEST(Tune, prints_the_options_and_both_times) {
    Documents documents;
    documents.tuning = tuning_of(coll::kBarrier, {0.5});
    const std::string text = render_tune(documents, false).text;
    const std::string options =
        "--mca coll_hitopo_links node:2.5:1200:0.75\n--mca coll_hitopo_serve barrier:0-\n";
    EXPECT_EQ(options_in(format_tune_file(*documents.tuning, "/p/libmpi_hitopo.so.0")),
              "-x LD_PRELOAD=/p/libmpi_hitopo.so.0\n" + options);
    EXPECT_EQ(options_in(format_tune_file(*documents.tuning, "")), options);  // within Open MPI
    EXPECT_TRUE(has(text, "\n  --mca coll_hitopo_links node:2.5:1200:0.75\n")) << text;
    EXPECT_TRUE(has(text, "\n  --mca coll_hitopo_serve barrier:0-\n")) << text;
    EXPECT_TRUE(has(text, "100.0        50.0  0.50   0.49-0.51  served\n")) << text;
    documents.tuning->timings.clear();
    EXPECT_TRUE(has(render_tune(documents, false).text, "coll/hitopo is not in this job"));
    EXPECT_FALSE(has(format_tune_file(*documents.tuning, ""), "coll_hitopo_serve"));
    documents.tuning->is_served = false;
    EXPECT_TRUE(has(render_tune(documents, false).text, "coll_hitopo_priority 40"));
    documents.tuning->is_on_small_node = true;
    EXPECT_TRUE(has(render_tune(documents, false).text,
                    "fewer than coll_hitopo_share: coll/hitopo is not used"));
}

TEST(Tune, check_prints_what_does_not_fit) {
    Documents documents;
    documents.tuning = tuning_of(1, {0.5, 1.0, 1.2, 1.04});
    const auto changes = [&](const std::string& serve, const std::string& links) {
        bool has_changed = false;
        const std::string text = format_changes(*documents.tuning, *coll::parse_links(links),
                                                *coll::parse_serve(serve, {}), has_changed);
        return (has_changed ? "changed " : "") + text;
    };
    const std::string same = "The settings of this job fit what was measured.\n";
    EXPECT_EQ(changes("reduce:0-64", "node:3:1000:0"), same);
    EXPECT_EQ(changes("reduce:0-64/4096-", "node:3:1000:0"), same);  // 4 % slower is not yet wrong
    const std::string slow = changes("reduce", "node:3:1000:0");
    EXPECT_TRUE(has(slow, "changed coll_hitopo_serve does not fit these:\n")) << slow;
    EXPECT_TRUE(has(slow, " 512 ")) << slow;
    EXPECT_FALSE(has(slow, " 4096 ")) << slow;
    EXPECT_TRUE(has(changes("none", "node:3:1000:0"), " 0.50 "));
    EXPECT_TRUE(
        has(changes("reduce:0-64", "node:1:1000:0"),
            "changed links of node: 2.5 us, 1200 MB/s; coll_hitopo_links has 1.0 us, 1000 MB/s\n"));
}

TEST(Tune, of_one_process_has_nothing_to_say) {
    Documents documents;
    documents.tuning.emplace();
    EXPECT_EQ(render_tune(documents, false).text, "Nothing to measure: there is only one process.\n");
    EXPECT_EQ(format_tune_file(*documents.tuning, "/p/libmpi_hitopo.so.0"), "");
}

TEST(Tune, without_a_table_is_an_error) {
    Documents documents;
    documents.reason = "HiTopo is off";
    EXPECT_TRUE(has(render_tune(documents, false).error, "HiTopo is off"));
}

}  // namespace
}  // namespace hitopo::tool
