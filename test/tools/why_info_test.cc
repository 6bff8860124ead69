// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Tests show/why.cc, info/info.cc and info/bug_facts.cc.
#include <stdlib.h>

#include "ompi/tools/hitopo/formats.h"
#include "test/tools/show_fixtures.h"

namespace hitopo::tool {
namespace {

using Processes = std::vector<std::optional<ProcessDocument>>;

Processes processes_fixture() {
    Processes processes;
    for (const Json& document : json_fixture("two-nodes-processes.json")) {
        Result<ProcessDocument> process = parse_process(document);
        processes.push_back(process ? std::optional<ProcessDocument>(*process) : std::nullopt);
    }
    return processes;
}

TEST(Why, two_nodes) {
    EXPECT_EQ(format_why(processes_fixture(), Charset::kUtf8), fixture("two-nodes-processes.why.txt"));
}

TEST(Why, equal_processes_read_as_one) {
    const Processes processes(1000, processes_fixture()[0]);
    const std::string text = format_why(processes, Charset::kUtf8);
    EXPECT_NE(text.find("  ranks 0-999  * slurm (50)     s1  SLURM_TOPOLOGY_ADDR=core.s1.n1\n"),
              std::string::npos)
        << text;
    EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 50);
}

TEST(Why, many_different_answers_are_cut) {
    Processes processes(1000, processes_fixture()[0]);
    for (std::size_t rank = 0; rank < processes.size(); ++rank) {
        processes[rank]->levels[2].answers[1].value = "s" + std::to_string(rank);
        processes[rank]->binding = std::to_string(rank);
    }
    const std::string text = format_why(processes, Charset::kUtf8);
    EXPECT_NE(text.find("* slurm (50)     s10"), std::string::npos) << text;
    EXPECT_EQ(text.find("* slurm (50)     s11"), std::string::npos) << text;
    EXPECT_NE(text.find(".. and 989 more"), std::string::npos) << text;
    EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 90);
}

TEST(Why, a_machine_gives_the_level_its_value) {
    ProcessDocument process;
    process.levels = {{"core", "hwloc", "3", {{"hwloc", 60, std::nullopt, "one core"}}}};
    EXPECT_NE(format_why({process}, Charset::kUtf8).find("rank 0  * hwloc (60)  3  one core\n"),
              std::string::npos);
}

TEST(Why, nobody_answers) {
    ProcessDocument silent;
    silent.levels = {{"island", std::nullopt, std::nullopt, {}}};
    EXPECT_NE(format_why({silent}, Charset::kUtf8).find("island\n  no component fills this level\n"),
              std::string::npos);
    EXPECT_NE(format_why({std::nullopt, std::nullopt}, Charset::kUtf8).find("ranks 0-1  HiTopo is off"),
              std::string::npos);
    EXPECT_FALSE(format_why({}, Charset::kUtf8).empty());
}

TEST(Info, facts_for_a_bug_have_no_other_variables) {
    ::setenv("OMPI_MCA_hitopo_x", "a\nb", 1);
    ::setenv("OTHER_SECRET", "secret", 1);
    const std::string facts = bug_facts();
    ::unsetenv("OMPI_MCA_hitopo_x");
    ::unsetenv("OTHER_SECRET");
    EXPECT_NE(facts.find("\nOMPI_MCA_hitopo_x=a\n"), std::string::npos) << facts;
    EXPECT_EQ(facts.find("secret"), std::string::npos);
    EXPECT_NE(facts.find("/libc.so"), std::string::npos);
}

TEST(Info, a_component_is_named_whole) {
    FrameworkDocument framework;
    framework.components = {{"host", "0.1.0", 1, {}}};
    framework.variables = {{"hitopo_hostname_x", "int", "1", "default", "all", ""}};
    EXPECT_EQ(format_info(framework, Charset::kUtf8).find("Variables of host\n"), std::string::npos);
}

}  // namespace
}  // namespace hitopo::tool
