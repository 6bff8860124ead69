// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/core/network/slurm_components.h"

#include <gtest/gtest.h>

#include <map>

namespace hitopo {
namespace {

using Variables = std::map<std::string, std::string>;
using Suffixes = std::vector<std::string>;

Variable of(Variables variables) {
    return [variables = std::move(variables)](const std::string& name) {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional<std::string>(found->second);
    };
}

TEST(SlurmComponents, are_counted_by_slurm) {
    EXPECT_EQ(slurm_components(of({})), Suffixes{""});
    EXPECT_EQ(slurm_components(of({{"SLURM_HET_SIZE", "2"}})),
              (Suffixes{"_HET_GROUP_0", "_HET_GROUP_1"}));
    for (const char* odd : {"", "0", "-1", "two", "129", "99999999999999999999"}) {
        EXPECT_EQ(slurm_components(of({{"SLURM_HET_SIZE", odd}})), Suffixes{""}) << odd;
    }
}

TEST(SlurmComponents, have_the_nodes_of_the_job) {
    EXPECT_EQ(slurm_job_nodes(of({{"SLURM_JOB_NODELIST", "n[1-2]"}})), "n[1-2]");
    EXPECT_EQ(slurm_job_nodes(of({{"SLURM_HET_SIZE", "2"},
                                  {"SLURM_JOB_NODELIST", "n[1-2]"},
                                  {"SLURM_JOB_NODELIST_HET_GROUP_0", "n[1-2]"},
                                  {"SLURM_JOB_NODELIST_HET_GROUP_1", "g[1-3]"}})),
              "n[1-2],g[1-3]");
    EXPECT_EQ(slurm_job_nodes(of({{"SLURM_HET_SIZE", "2"}, {"SLURM_JOB_NODELIST", "n1"}})), "n1");
    EXPECT_EQ(slurm_job_nodes(of({})), "");
}

}  // namespace
}  // namespace hitopo
