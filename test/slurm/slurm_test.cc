// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/slurm/hitopo_slurm.h"
#include "test/support/recorder.h"

namespace hitopo {
namespace {

// Slurm's variables; unset where empty.
struct Environment {
    std::string address, pattern, node_name, cluster_name, job, job_nodes;

    void set() const {
        const std::pair<const char*, const std::string&> variables[] = {
            {"SLURM_TOPOLOGY_ADDR", address},
            {"SLURM_TOPOLOGY_ADDR_PATTERN", pattern},
            {"SLURMD_NODENAME", node_name},
            {"SLURM_CLUSTER_NAME", cluster_name},
            {"SLURM_JOB_ID", job},
            {"SLURM_JOB_NODELIST", job_nodes}};
        for (const auto& [name, value] : variables) {
            ::unsetenv(name);
            if (!value.empty()) {
                ::setenv(name, value.c_str(), 1);
            }
        }
    }
};

const char* published_text = nullptr;  // NULL: no process published one

void answer(const Environment& environment, Recorder& recorder, const char* published = nullptr) {
    environment.set();
    published_text = published;
    const auto look_up = [] { return published_text == nullptr ? nullptr : ::strdup(published_text); };
    EXPECT_EQ(hitopo_slurm_query(look_up, &recorder.question, &recorder), kSuccess);
    Environment().set();
}

std::optional<std::string> ask_with(const Environment& environment, const std::string& program,
                                    int timeout_ms) {
    environment.set();
    const std::unique_ptr<char, void (*)(void*)> text(hitopo_slurm_ask(program.c_str(), timeout_ms),
                                                      std::free);
    Environment().set();
    return text ? std::optional<std::string>(text.get()) : std::nullopt;
}

const Environment kTree = {
    "root.island1.leaf1.node1", "switch.switch.switch.node", "node1", "lab", "7", "node[1-2]"};

TEST(Slurm, answer_fills_cluster_to_node) {
    Recorder recorder;
    answer(kTree, recorder);
    EXPECT_EQ(recorder.values[kCluster]->to_string(), "lab");
    EXPECT_EQ(recorder.values[kIsland]->to_string(), "root/island1");
    EXPECT_EQ(recorder.values[kSwitch]->to_string(), "leaf1");
    EXPECT_EQ(recorder.values[kNode]->to_string(), "node1");
    EXPECT_FALSE(recorder.values[kSocket]);
    EXPECT_FALSE(recorder.replaces_node);
    EXPECT_FALSE(recorder.error);
    EXPECT_EQ(recorder.reasons[kSwitch], "SLURM_TOPOLOGY_ADDR is root.island1.leaf1.node1");
}

TEST(Slurm, answer_is_silent_without_slurm) {
    Recorder recorder;
    answer({}, recorder);
    EXPECT_EQ(recorder.values, RawAddress());
    EXPECT_FALSE(recorder.error);
    EXPECT_EQ(recorder.reason,
              "SLURM_TOPOLOGY_ADDR is not set: this process is not a task of a Slurm job");
    EXPECT_EQ(recorder.reasons[kCluster], "SLURM_CLUSTER_NAME is not set");
}

TEST(Slurm, answer_keeps_the_cluster_where_the_address_is_stale) {
    Recorder recorder;
    Environment environment = kTree;
    environment.node_name = "node2";
    recorder.host_is("node2");
    answer(environment, recorder);
    EXPECT_EQ(recorder.values[kCluster]->to_string(), "lab");
    EXPECT_FALSE(recorder.values[kSwitch]);
    EXPECT_FALSE(recorder.values[kNode]);
    ASSERT_TRUE(recorder.error);
    EXPECT_EQ(recorder.error->code, Errc::kStale);
    EXPECT_EQ(recorder.error->where, "SLURM_TOPOLOGY_ADDR");
}

TEST(Slurm, answer_tells_a_malformed_address_once) {
    Recorder recorder;
    Environment environment = kTree;
    environment.pattern = "";
    answer(environment, recorder);
    ASSERT_TRUE(recorder.error);
    EXPECT_EQ(recorder.error->code, Errc::kMalformed);
    EXPECT_EQ(recorder.error->where, "SLURM_TOPOLOGY_ADDR_PATTERN");
}

TEST(Slurm, answer_says_why_a_level_is_missing) {
    Recorder recorder;
    answer({"leaf1.node1", "switch.node", "node1", "lab", "7", "node1"}, recorder);
    EXPECT_FALSE(recorder.values[kIsland]);
    EXPECT_EQ(recorder.reasons[kIsland], "SLURM_TOPOLOGY_ADDR names no island: leaf1.node1");

    Recorder dotted;
    answer({"core.sw.1.node1", "switch.switch.node", "node1", "lab", "7", "node1"}, dotted);
    EXPECT_FALSE(dotted.values[kIsland]);
    EXPECT_NE(dotted.reasons[kIsland].find("contain dots"), std::string::npos);
    ASSERT_TRUE(dotted.error);  // once, by the process that answers for the node
    EXPECT_EQ(dotted.error->code, Errc::kSkipped);
    EXPECT_EQ(dotted.error->value, "core.sw.1.node1");
    const auto is_told = [&](bool asks_for_node, std::optional<Level> known) {
        Recorder other;
        other.question.asks_for_node = asks_for_node;
        if (known) {
            other.question.is_known[*known] = true;
        }
        answer({"core.sw.1.node1", "switch.switch.node", "node1", "lab", "7", "node1"}, other);
        return other.error.has_value();
    };
    EXPECT_TRUE(is_told(true, kSwitch));
    EXPECT_FALSE(is_told(true, kIsland));
    EXPECT_FALSE(is_told(false, std::nullopt));
}

// A Slurm job whose tasks have no topology address.
const Environment kMissing = {"", "", "node1", "lab", "7", "node[1-2]"};

TEST(Slurm, answer_takes_what_slurmctld_told) {
    Recorder recorder;
    answer(kMissing, recorder, "SwitchName=core Switches=leaf1\nSwitchName=leaf1 Nodes=node1\n");
    EXPECT_EQ(recorder.values[kIsland]->to_string(), "core");
    EXPECT_EQ(recorder.values[kSwitch]->to_string(), "leaf1");
    EXPECT_EQ(recorder.values[kNode]->to_string(), "node1");
    EXPECT_EQ(recorder.values[kCluster]->to_string(), "lab");
    EXPECT_EQ(recorder.reasons[kSwitch], "from slurmctld, by rank 0");
    EXPECT_FALSE(recorder.error);

    Recorder block;
    answer(kMissing, block, "BlockName=b1 Nodes=node1\n");
    EXPECT_FALSE(block.values[kIsland]);
    EXPECT_EQ(block.values[kSwitch]->to_string(), "b1");
    EXPECT_EQ(block.reasons[kIsland], "the topology of slurmctld has none");
}

TEST(Slurm, answer_tells_of_lines_that_are_not_known) {
    Recorder recorder;
    answer(kMissing, recorder, "SwitchName=leaf1 Nodes=node1\nMeshName=\n");
    EXPECT_EQ(recorder.values[kSwitch]->to_string(), "leaf1");
    ASSERT_TRUE(recorder.error);
    EXPECT_EQ(recorder.error->code, Errc::kSkipped);
    EXPECT_EQ(recorder.error->value, "MeshName");
}

TEST(Slurm, answer_looks_for_the_host_where_slurm_names_no_node) {
    Environment environment = kMissing;
    environment.node_name = "";
    Recorder recorder;
    recorder.host_is("node1.example.org");
    answer(environment, recorder, "SwitchName=leaf1 Nodes=node1\n");
    EXPECT_EQ(recorder.values[kSwitch]->to_string(), "leaf1");
}

TEST(Slurm, answer_says_why_slurmctld_told_nothing) {
    const std::string missing = "SLURM_TOPOLOGY_ADDR is not set, and ";
    const std::pair<const char*, const char*> cases[] = {
        {nullptr, "rank 0 is not in a Slurm job"},
        {"#nobody was at home", "nobody was at home"},
        {"SwitchName=leaf1 Nodes=node2\n", "the topology of slurmctld has no node node1"}};
    for (const auto& [published, why] : cases) {
        Recorder recorder;
        answer(kMissing, recorder, published);
        EXPECT_FALSE(recorder.values[kSwitch]);
        EXPECT_FALSE(recorder.values[kNode]);
        EXPECT_EQ(recorder.values[kCluster]->to_string(), "lab");
        EXPECT_EQ(recorder.reason, missing + why);
        EXPECT_FALSE(recorder.error);
    }
}

// No test waits that long.
constexpr int kPatienceMs = 300000;

// A program in the shell that stands for the one that asks.
class SlurmAsk : public testing::Test {
protected:
    explicit SlurmAsk() { std::filesystem::create_directories(folder_); }
    ~SlurmAsk() override { std::filesystem::remove_all(folder_); }

    std::optional<std::string> ask(const std::string& script, int timeout_ms = kPatienceMs) {
        const std::string path = folder_ + "/ask";
        std::ofstream(path) << "#!/bin/sh\n" << script;
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
        return ask_with(kMissing, path, timeout_ms);
    }

    // Not another's: ./check runs tests of one program in two processes.
    const std::string folder_ = testing::TempDir() + "hitopo-slurm-ask-" + std::to_string(::getpid());
};

TEST_F(SlurmAsk, ask_takes_what_the_program_prints) {
    EXPECT_EQ(ask("echo a warning >&2; echo topology:; echo SwitchName=s Nodes=node[1-9]; echo end of "
                  "topology"),
              "SwitchName=s Nodes=node[1-2]\n");
    EXPECT_EQ(ask("echo $LD_PRELOAD; echo fatal: no slurm.conf >&2; exit 1"),
              "#slurmctld gave no topology: fatal: no slurm.conf");
}

TEST_F(SlurmAsk, ask_is_bounded) {
    const std::string late =
        "#slurmctld gave no topology: no answer within 1 ms (hitopo_slurm_timeout_ms)";
    EXPECT_EQ(ask("exec sleep 300", 1), late);
}

// More than it may print: it is left before the time is over.
TEST_F(SlurmAsk, ask_tells_the_last_line_of_a_program_that_does_not_end) {
    const std::string answer = ask("exec yes connecting").value_or("");
    EXPECT_EQ(answer.substr(0, 73),
              "#slurmctld gave no topology: an answer of more than 67108864 bytes: conne");
}

// Nobody but the program holds the pipe's other end then.
TEST_F(SlurmAsk, a_late_program_is_killed) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    (void)ask("exec sleep 300", 1);
    ::close(ends[1]);
    pollfd ended = {ends[0], POLLIN, 0};
    EXPECT_EQ(::poll(&ended, 1, kPatienceMs / 2), 1) << "it goes on";
    ::close(ends[0]);
}

TEST_F(SlurmAsk, ask_gives_the_program_no_preload) {
    ::setenv("LD_PRELOAD", "", 1);
    EXPECT_EQ(ask("echo ${LD_PRELOAD-unset}"), "#slurmctld gave no topology: unset");
    ::unsetenv("LD_PRELOAD");
}

TEST_F(SlurmAsk, ask_does_so_only_in_a_job_without_addresses) {
    EXPECT_EQ(ask_with({}, "/bin/true", 1000), std::nullopt);
    EXPECT_EQ(ask_with(kTree, "/bin/true", 1000),
              "#rank 0 did not ask slurmctld: it has SLURM_TOPOLOGY_ADDR");
    EXPECT_EQ(ask_with(kMissing, "/bin/true", 0),
              "#rank 0 did not ask slurmctld: hitopo_slurm_timeout_ms is 0");
    EXPECT_EQ(ask_with(kMissing, "", 1000), "#HiTopo was built without Slurm's headers (libslurm-dev)");
    EXPECT_EQ(ask_with(kMissing, "/nonexistent/ask", 1000),
              "#slurmctld gave no topology: /nonexistent/ask: No such file or directory");
}

}  // namespace
}  // namespace hitopo
