// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Documents and expected texts of test/fixtures/show, and tables made by rule.
#ifndef TEST_TOOLS_SHOW_FIXTURES_H
#define TEST_TOOLS_SHOW_FIXTURES_H

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "ompi/tools/hitopo/document.h"
#include "test/paths.h"

namespace hitopo::tool {

inline std::string fixture(const std::string& name) {
    std::ifstream file(std::string(FIXTURES_DIR) + "/show/" + name);
    EXPECT_TRUE(file.is_open()) << name;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

inline Json json_fixture(const std::string& name) { return *parse_json(fixture(name)); }

inline TableDocument table_fixture(const std::string& name) {
    const Result<TableDocument> table = parse_table(json_fixture(name + ".json"));
    EXPECT_TRUE(table.is_ok()) << (table ? "" : table.error().value);
    return *table;
}

// A job whose nodes have two sockets and one core for each process; four nodes a switch; no cluster.
inline TableDocument regular_table(int num_nodes, int per_node) {
    TableDocument table;
    for (std::size_t i = 0; i < kNumLevels; ++i) {
        const auto level = static_cast<Level>(i);
        table.levels[i] = {
            std::string(level_name(level)), level <= kIsland ? Known::kNone : Known::kAll, {"file"}};
    }
    const int per_socket = (per_node + 1) / 2;
    for (int rank = 0; rank < num_nodes * per_node; ++rank) {
        const int node = rank / per_node;
        const int local = rank % per_node;
        RankRow row;
        row.address = {0, 0, node / 4, node, 0, local / per_socket, local % per_socket, 0};
        row.names[kSwitch] = "leaf" + std::to_string(node / 4);
        row.names[kNode] = "node" + std::to_string(node);
        table.ranks.push_back(row);
    }
    return table;
}

}  // namespace hitopo::tool

#endif
