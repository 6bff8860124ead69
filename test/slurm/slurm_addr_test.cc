// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/slurm/slurm_addr.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "test/paths.h"

namespace hitopo {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> environments() {
    std::vector<fs::path> paths;
    for (const fs::directory_entry& entry : fs::directory_iterator(FIXTURES_DIR "/slurm")) {
        if (entry.path().extension() == ".env") {
            paths.push_back(entry.path());
        }
    }
    return paths;
}

std::map<std::string, std::string> read_environment(const fs::path& path) {
    std::map<std::string, std::string> variables;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const std::size_t equals = line.find('=');
        variables[line.substr(0, equals)] = line.substr(equals + 1);
    }
    return variables;
}

std::string read_text(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

Result<SlurmAddress> parse(std::map<std::string, std::string>& variables) {
    return parse_slurm_address({variables["SLURM_TOPOLOGY_ADDR"],
                                variables["SLURM_TOPOLOGY_ADDR_PATTERN"], variables["SLURMD_NODENAME"],
                                variables["HOSTNAME"]});
}

// One line for each level, "LEVEL PATH", then "ambiguous"; or "error KIND".
std::string describe(const Result<SlurmAddress>& address) {
    if (!address) {
        return address.error().code == Errc::kStale ? "error stale\n" : "error malformed\n";
    }
    std::string text;
    for (int level = 0; level < kNumLevels; ++level) {
        if (const std::optional<RawValue>& value = address->levels[static_cast<std::size_t>(level)]) {
            text += std::string(level_name(static_cast<Level>(level))) + ' ' + value->to_string() + '\n';
        }
    }
    return text + (address->is_ambiguous ? "ambiguous\n" : "");
}

TEST(SlurmAddr, parse_gives_what_each_fixture_expects) {
    ASSERT_FALSE(environments().empty());
    for (fs::path path : environments()) {
        auto variables = read_environment(path);
        const Result<SlurmAddress> address = parse(variables);
        EXPECT_EQ(describe(address), read_text(path.replace_extension(".expected"))) << path;
    }
}

TEST(SlurmAddr, error_names_variable_value_and_remedy) {
    const Error error =
        parse_slurm_address({"core.leaf1.n1", "switch.switch.node", "n2", "n2.example.org"}).error();
    EXPECT_EQ(error.code, Errc::kStale);
    EXPECT_EQ(error.where, "SLURM_TOPOLOGY_ADDR");
    EXPECT_EQ(error.value, "core.leaf1.n1");
    EXPECT_NE(error.message.find("n2"), std::string::npos);
    EXPECT_NE(error.message.find("mpirun -x"), std::string::npos);

    const Error pattern = parse_slurm_address({"core.n1", "switch", "n1", "n1"}).error();
    EXPECT_EQ(pattern.where, "SLURM_TOPOLOGY_ADDR_PATTERN");
    EXPECT_EQ(pattern.value, "switch");
}

RawValue switch_of(const std::string& above, const std::string& node) {
    const std::string address = above + '.' + node;
    return *parse_slurm_address({address, "switch.switch.node", node, node})->levels[kSwitch];
}

TEST(SlurmAddr, dotted_switches_are_equal_on_all_their_nodes_and_distinct_otherwise) {
    EXPECT_EQ(switch_of("core.a.sw.1", "n1"), switch_of("core.a.sw.1", "n2.example.org"));
    EXPECT_FALSE(switch_of("core.a.sw.1", "n1") == switch_of("core.a.xx.1", "n1"));
    EXPECT_FALSE(switch_of("core.a.sw.1", "n1") == switch_of("core.a.sw.2", "n1"));
}

TEST(SlurmAddr, islands_of_one_tree_stand_together) {
    const auto island = [](const char* above) {
        const std::string address = std::string(above) + ".n1";
        return *parse_slurm_address({address, "switch.switch.switch.node", "n1", "n1"})->levels[kIsland];
    };
    EXPECT_LT(island("root1.island9.leaf1"), island("root2.island1.leaf2"));
    EXPECT_LT(island("root1..leaf3"), island("root1.island1.leaf1"));
    EXPECT_FALSE(island("root1.pod.leaf1") == island("root2.pod.leaf2"));
}

TEST(SlurmAddr, parse_takes_a_list_too_long_to_expand_as_it_is) {
    const Result<SlurmAddress> address =
        parse_slurm_address({"leaf[1-99999].n1", "switch.node", "n1", "n1"});
    ASSERT_TRUE(address);
    EXPECT_EQ(address->levels[kSwitch]->to_string(), "leaf[1-99999]");
}

}  // namespace
}  // namespace hitopo
