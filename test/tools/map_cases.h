// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Texts through `hitopo map`, and the tables of jobs that have what a map says.
#ifndef TEST_TOOLS_MAP_CASES_H
#define TEST_TOOLS_MAP_CASES_H

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "ompi/mca/hitopo/core/text/hostlist.h"
#include "ompi/mca/hitopo/file/map_file.h"
#include "ompi/tools/hitopo/map/map.h"
#include "test/core/tree/fake_tree.h"
#include "test/paths.h"

namespace hitopo::map {

#ifdef HITOPO_HAVE_YAML_CPP
#define SKIP_WITHOUT_YAML() static_cast<void>(0)
#else
#define SKIP_WITHOUT_YAML() GTEST_SKIP() << "no yaml-cpp"
#endif

inline std::string text_of_file(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string fixture(const std::string& name) {
    return text_of_file(std::string(FIXTURES_DIR) + "/topology-files/" + name);
}

// One file of that text.
inline MapReader reader_of(const std::string& text) {
    return [text](const std::string& path, std::size_t) {
        return path == "file" ? Result<std::string>(text)
                              : Error{Errc::kUnreadable, path, "it is not there", "", 0, 0};
    };
}

inline Conversion converted(const std::string& text, tool::MapOptions options = {}) {
    options.files = {"file"};
    return convert(options, reader_of(text), "today");
}

inline std::string joined(const Names& path) {
    std::string all;
    for (const std::string& name : path) {
        all += (all.empty() ? "" : "/") + name;
    }
    return all.empty() ? "-" : all;
}

// "island/path:switch/path", "-" for what is unknown; of the host, by the rule of is_same_host.
inline std::string place_in(const std::string& text, const std::string& host,
                            tool::MapOptions options = {}) {
    Places places(options);
    options.files = {"file"};
    (void)read_files(options, reader_of(text), places);
    for (const HostPlace& each : places.take()) {
        if (is_same_host(each.host, host)) {
            return joined(each.place.island) + ':' + joined(each.place.leaf);
        }
    }
    return "-:-";
}

using Answers = std::vector<std::pair<std::string, MapAnswer>>;  // by host

// What the map tells of these hosts.
inline Answers answers_of_map(const std::string& map, const std::vector<std::string>& hosts) {
    Answers answers;
    for (const std::string& host : hosts) {
        const Result<MapAnswer> answer = read_map("file", {host, 0}, reader_of(map));
        EXPECT_TRUE(answer && !answer->skipped) << map << (answer ? "" : answer.error().message);
        answers.emplace_back(host, answer ? *answer : MapAnswer());
    }
    return answers;
}

// The table of a job with a process on each host, which has these answers: address, names and domains.
inline std::string table_of(const Answers& answers) {
    FakeJob job;
    for (const auto& [host, answer] : answers) {
        FakeProcess process = on_host(host);
        for (const Level level : {kCluster, kIsland, kSwitch}) {
            if (answer.levels[level]) {
                process.gives("file", level, *answer.levels[level]);
            }
        }
        for (const auto& [type, value] : answer.side) {
            process.shares("file", type, value, true, static_cast<std::int32_t>(value.path.size()) - 1);
        }
        job.push_back(process);
    }
    const AddressTree tree = tree_of(job);
    std::string table;
    for (std::uint32_t rank = 0; rank < job.size(); ++rank) {
        table += answers[rank].first + ' ' + address_of(tree, rank);
        const Branch& branch = tree.facts().branch_of(tree.listed(tree.at(rank).node));
        for (const Level level : {kIsland, kSwitch}) {
            table +=
                ' ' + (branch[level] < 0 ? "-"
                                         : tree.facts()
                                               .values[level][static_cast<std::size_t>(branch[level])]
                                               .value.visible()
                                               .to_string());
        }
        for (const char* type : {"nvlink://Domain", "nvlink://Clique"}) {
            const std::vector<int> domains = domains_at(tree, type);
            table += ' ' + (domains.empty() ? "-" : std::to_string(domains[rank]));
        }
        table += '\n';
    }
    return table;
}

}  // namespace hitopo::map

#endif
