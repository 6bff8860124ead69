// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Jobs for the tests of `hitopo check`, as documents of their tables: made node by node.
#ifndef TEST_TOOLS_CHECK_JOBS_H
#define TEST_TOOLS_CHECK_JOBS_H

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "ompi/tools/hitopo/check/check.h"
#include "ompi/tools/hitopo/words.h"
#include "test/tools/show_fixtures.h"

namespace hitopo::tool {

// Two sockets of two cores: CPUs 0-1 and 2-3.
inline Json two_sockets() {
    return {{"cpus", "0-3"},
            {"types",
             {{{"type", "Package"}, {"instances", {"0-1", "2-3"}}},
              {{"type", "Core"}, {"instances", {"0", "1", "2", "3"}}}}}};
}

// The same with two hardware threads a core: core 0 has CPUs 0 and 4.
inline Json with_hwthreads() {
    return {{"cpus", "0-7"},
            {"types",
             {{{"type", "Package"}, {"instances", {"0-1,4-5", "2-3,6-7"}}},
              {{"type", "Core"}, {"instances", {"0,4", "1,5", "2,6", "3,7"}}}}}};
}

// One socket of cores.
inline Json one_socket(int num_cores = 4) {
    const std::string all = "0-" + std::to_string(num_cores - 1);
    Json cores = Json::array();
    for (int core = 0; core < num_cores; ++core) {
        cores.push_back(std::to_string(core));
    }
    return {{"cpus", all},
            {"types",
             {{{"type", "Package"}, {"instances", Json::array({all})}},
              {{"type", "Core"}, {"instances", cores}}}}};
}

struct Job {
    Job() {
        document = {{"hitopo", "0.1.0"}, {"schema", 1}, {"communicator", "MPI_COMM_WORLD"}};
        for (const char* member : {"levels", "nodes", "machines", "ranks", "warnings"}) {
            document[member] = Json::array();
        }
        for (int i = 0; i < kNumLevels; ++i) {
            const bool is_known = i == kSwitch || i == kNode || i == kSocket || i == kCore;
            document["levels"].push_back({{"level", level_name(static_cast<Level>(i))},
                                          {"known", is_known ? "all" : "none"},
                                          {"components", Json::array()}});
        }
    }

    // A node with a process for each of `cpus`; "" where its CPUs are unknown. The machine may be null.
    Job& node(const Json& machine, const std::vector<std::string>& cpus, int leaf = 0, int island = 0) {
        const std::size_t number = document["nodes"].size();
        document["nodes"].push_back({{"name", "n" + std::to_string(number)}, {"machine", nullptr}});
        if (!machine.is_null()) {
            document["nodes"].back()["machine"] = document["machines"].size();
            document["machines"].push_back(machine);
        }
        const int inside = machine.is_null() ? -1 : 0;
        for (const std::string& list : cpus) {
            document["ranks"].push_back({{"node", number},
                                         {"address", {0, island, leaf, number, 0, inside, inside, 0}},
                                         {"names", Json::array({nullptr, nullptr, nullptr, nullptr,
                                                                nullptr, nullptr, nullptr, nullptr})},
                                         {"cpus", list.empty() ? Json() : Json(list)}});
        }
        return *this;
    }

    Job& know(Level level, const char* known) {
        document["levels"][static_cast<std::size_t>(level)]["known"] = known;
        return *this;
    }

    Job& run(int num_threads) {
        threads.assign(document["ranks"].size(), num_threads);
        return *this;
    }
    Job& run(std::vector<int> each) {
        threads = std::move(each);
        return *this;
    }

    // For each process its allowed CPUs, its affinity and quotas, as to_text(CpuLimits) has them.
    Job& limit(const std::vector<std::string>& texts) {
        limits.insert(limits.end(), texts.begin(), texts.end());
        return *this;
    }

    Json document;
    std::vector<std::string> limits = {};
    std::vector<int> threads = {};
    bool uses_openmp = true;
};

inline Checked checked(const Job& job) {
    const Result<CheckedJob> read =
        read_checked_job(*parse_table(job.document), job.threads, job.limits);
    EXPECT_TRUE(read.is_ok()) << (read ? "" : read.error().value);
    return check_job(*read, job.uses_openmp);
}

// The lines that are printed, without the first.
inline std::vector<std::string> lines_of(const Job& job) {
    const Result<CheckedJob> read =
        read_checked_job(*parse_table(job.document), job.threads, job.limits);
    EXPECT_TRUE(read.is_ok()) << (read ? "" : read.error().value);
    std::istringstream text(format_check(check_job(*read, job.uses_openmp), *read, Charset::kUtf8));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) {
        lines.push_back(line);
    }
    lines.erase(lines.begin());
    return lines;
}

// "fault shared-core 0-1", one for each finding.
inline std::vector<std::string> kinds_of(const Job& job) {
    std::vector<std::string> kinds;
    for (const Finding& finding : checked(job).findings) {
        kinds.push_back(std::string(finding.is_remark ? "remark " : "fault ")
                            .append(kind_name(finding.kind))
                            .append(finding.ranks.empty()
                                        ? ""
                                        : " " + number_list(finding.ranks, std::string::npos)));
    }
    return kinds;
}

using Strings = std::vector<std::string>;

}  // namespace hitopo::tool

#endif
