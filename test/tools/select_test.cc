// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The output of hitopo select, and its refusals. test/mpi/programs/select.sh runs the scripts.
// Tests select/script.cc.
#include "ompi/tools/hitopo/select/select.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace hitopo::tool {
namespace {

Device device(const std::string& pci, unsigned vendor, const CpuSet& place,
              const std::vector<std::string>& names = {}) {
    Device device;
    device.pci = pci;
    device.vendor = vendor;
    device.place = place;
    device.names = names;
    return device;
}

// 4 NUMA nodes of 2 cores; GPU g is on NUMA node 3 - g, a NIC on 0 and 2.
NodeDevices node_of(unsigned vendor) {
    NodeDevices node;
    for (int i = 0; i < 4; ++i) {
        node.numa_nodes.push_back({i, CpuSet::range(2 * i, 2 * i + 1)});
        node.gpus.push_back(
            device(fmt::format("0000:0{}:00.0", i + 1), vendor, CpuSet::range(6 - 2 * i, 7 - 2 * i)));
    }
    node.nics = {device("0000:11:00.0", 0x15b3, CpuSet::range(0, 1), {"mlx5_0", "ib0"}),
                 device("0000:12:00.0", 0x15b3, CpuSet::range(4, 5), {"mlx5_1", "ib1"})};
    for (int core = 0; core < 8; ++core) {
        node.cores.push_back(CpuSet::range(core, core));
    }
    node.packages = {CpuSet::range(0, 3), CpuSet::range(4, 7)};
    node.cpus = CpuSet::range(0, 7);
    return node;
}

// Nodes n0, n1, .. of these devices, each with as many ranks; all GPUs are visible.
struct Nodes {
    NodeDevices devices;
    int num_ranks;
    int num_nodes = 1;
};

DeviceJob job_of(const std::vector<Nodes>& kinds) {
    DeviceJob job;
    int number = 0;
    for (const Nodes& nodes : kinds) {
        NodeKind kind;
        kind.devices = nodes.devices;
        for (int i = 0; i < nodes.num_nodes; ++i) {
            kind.names.push_back(fmt::format("n{}", number++));
            for (int local_rank = 0; local_rank < nodes.num_ranks; ++local_rank) {
                DeviceRank rank;
                rank.kind = static_cast<int>(job.kinds.size());
                rank.node = kind.names.back();
                rank.local_rank = local_rank;
                for (int gpu = 0; gpu < static_cast<int>(kind.devices.gpus.size()); ++gpu) {
                    rank.gpus.gpus.push_back(gpu);
                }
                job.ranks.push_back(rank);
            }
        }
        job.kinds.push_back(kind);
    }
    return job;
}

std::string error_of(const DeviceJob& job, const SelectOptions& options = {}) {
    const Result<Selection> selection = select_devices(job, options);
    return selection ? "" : selection.error().value + ' ' + selection.error().message;
}

std::string script_of(const DeviceJob& job, const SelectOptions& options = {}) {
    const Result<Selection> selection = select_devices(job, options);
    if (!selection) {
        return selection.error().value;
    }
    const Result<std::string> script = select_script(*selection, options.sees_all, "1.2.3");
    return script ? *script : script.error().value;
}

// Between the quotes.
std::string tables_in(const std::string& script) {
    const std::size_t begin = script.find("tables='") + 8;
    return script.substr(begin, script.find('\'', begin) - begin);
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

constexpr const char* kFourGpus = "node 0000:01:00.0,0000:02:00.0,0000:03:00.0,0000:04:00.0\n";

TEST(Select, a_row_has_gpus_nics_and_cpus) {
    EXPECT_EQ(tables_in(script_of(job_of({{node_of(kNvidia), 4}}))), std::string(kFourGpus) +
                                                                         "0 0000:04:00.0 mlx5_0:1 0-1\n"
                                                                         "1 0000:03:00.0 mlx5_0:1 2-3\n"
                                                                         "2 0000:02:00.0 mlx5_1:1 4-5\n"
                                                                         "3 0000:01:00.0 mlx5_1:1 6-7");
    EXPECT_EQ(tables_in(script_of(job_of({{node_of(kNvidia), 1}}))),
              std::string(kFourGpus) +
                  "0 0000:01:00.0,0000:02:00.0,0000:03:00.0,0000:04:00.0 mlx5_0:1,mlx5_1:1 0-7");
}

TEST(Select, ranks_that_are_bound_apart_stay_so) {
    DeviceJob job = job_of({{node_of(kNvidia), 2}});
    job.ranks[0].cpus = CpuSet::range(4, 5);
    job.ranks[1].cpus = CpuSet::range(0, 1);
    SelectOptions options;
    options.gpus_per_rank = 1;
    EXPECT_EQ(tables_in(script_of(job, options)), std::string(kFourGpus) +
                                                      "0 0000:02:00.0 mlx5_1:1 -\n"
                                                      "1 0000:04:00.0 mlx5_0:1 -");
    options.by_gpu = true;
    EXPECT_EQ(tables_in(script_of(job, options)), std::string(kFourGpus) +
                                                      "0 0000:01:00.0 mlx5_1:1 6-7\n"
                                                      "1 0000:03:00.0 mlx5_0:1 2-3");
    options.keeps_cpus = true;
    EXPECT_EQ(tables_in(script_of(job, options)), std::string(kFourGpus) +
                                                      "0 0000:01:00.0 mlx5_1:1 -\n"
                                                      "1 0000:03:00.0 mlx5_0:1 -");
}

TEST(Select, all_are_visible_behind_the_own) {
    SelectOptions options;
    options.sees_all = true;
    EXPECT_TRUE(has(script_of(job_of({{node_of(kAmd), 4}}), options),
                    "\n2 0000:02:00.0,0000:01:00.0,0000:03:00.0,0000:04:00.0 mlx5_1:1 4-5\n"));
    EXPECT_EQ(error_of(job_of({{node_of(kIntel), 4}}), options),
              "--visible all puts a rank's own GPU first, but ZE_AFFINITY_MASK has no order. Use "
              "--visible own");
}

TEST(Select, one_table_serves_equal_nodes_and_fewer_ranks) {
    DeviceJob job = job_of({{node_of(kNvidia), 4, 3}});
    job.ranks.pop_back();
    EXPECT_EQ(tables_in(script_of(job)), tables_in(script_of(job_of({{node_of(kNvidia), 4}}))));
    const Result<Selection> selection = select_devices(job, {});
    ASSERT_TRUE(selection);
    EXPECT_EQ(selection->job.ranks.back().gpus.gpus, std::vector<int>{1});
}

TEST(Select, equal_nodes_with_other_ranks_are_refused) {
    DeviceJob job = job_of({{node_of(kNvidia), 2, 2}});
    job.ranks[3].cpus = CpuSet::range(0, 0);
    EXPECT_EQ(error_of(job),
              "Nodes n1 and n0 have equal devices, but their ranks have other CPUs or GPUs. Start them "
              "alike, with --bind-to none for example, or select for each node alone");
}

// A node with all four has the two of the other as well: it is looked for first.
TEST(Select, kinds_of_nodes_have_tables_with_most_gpus_first) {
    NodeDevices few = node_of(kNvidia), none = node_of(kNvidia);
    few.gpus.resize(2);
    none.gpus.clear();
    EXPECT_EQ(tables_in(script_of(job_of({{none, 2}, {few, 2}, {node_of(kNvidia), 1}}))),
              std::string(kFourGpus) +
                  "0 0000:01:00.0,0000:02:00.0,0000:03:00.0,0000:04:00.0 mlx5_0:1,mlx5_1:1 0-7\n"
                  "node 0000:01:00.0,0000:02:00.0\n"
                  "0 0000:02:00.0 mlx5_1:1 4-5\n"
                  "1 0000:01:00.0 mlx5_1:1 6-7\n"
                  "node -\n"
                  "0 - mlx5_0:1 -\n"
                  "1 - mlx5_1:1 -");
}

TEST(Select, nodes_that_a_script_cannot_tell_apart_are_refused_unless_their_rows_are_equal) {
    NodeDevices other = node_of(kNvidia);
    other.gpus[0].model = 7;
    EXPECT_EQ(tables_in(script_of(job_of({{node_of(kNvidia), 4}, {other, 4}}))),
              tables_in(script_of(job_of({{node_of(kNvidia), 4}}))));
    other.nics[1].is_active = false;
    EXPECT_EQ(script_of(job_of({{node_of(kNvidia), 4}, {other, 4}})),
              "Nodes n0 and n1 differ, but their GPUs are at equal addresses, by which a script "
              "recognizes nodes.");
}

TEST(Select, a_part_has_its_number_and_the_node_one_address) {
    NodeDevices node = node_of(kAmd);
    node.gpus = {node.gpus[0], node.gpus[0]};
    node.gpus[1].part = 1;
    EXPECT_EQ(tables_in(script_of(job_of({{node, 2}}))),
              "node 0000:01:00.0\n"
              "0 0000:01:00.0 mlx5_1:1 6\n"
              "1 0000:01:00.0#1 mlx5_1:1 7");
}

TEST(Select, slingshots_nics_are_libfabrics) {
    NodeDevices node = node_of(kAmd);
    const std::vector<std::vector<std::string>> names = {{"hsn0"}, {"hsn3", "cxi3"}};
    for (std::size_t i = 0; i < names.size(); ++i) {
        node.nics[i] = device("", kCray, node.nics[i].place, names[i]);
    }
    EXPECT_TRUE(has(script_of(job_of({{node, 1}})), " cxi0,cxi3 0-7'"));
    node.nics[0].names.clear();
    EXPECT_TRUE(has(script_of(job_of({{node, 1}})), " cxi3 0-7'"));
}

TEST(Select, a_vendors_script_has_its_variables) {
    const std::string nvidia = script_of(job_of({{node_of(kNvidia), 4}})),
                      amd = script_of(job_of({{node_of(kAmd), 4}})),
                      intel = script_of(job_of({{node_of(kIntel), 4}}));
    EXPECT_TRUE(has(nvidia, "export CUDA_VISIBLE_DEVICES="));
    EXPECT_TRUE(has(amd, "unset HIP_VISIBLE_DEVICES CUDA_VISIBLE_DEVICES GPU_DEVICE_ORDINAL\n"));
    EXPECT_TRUE(has(amd, "export ROCR_VISIBLE_DEVICES="));
    EXPECT_FALSE(has(amd, "ZE_") || has(nvidia, "ROCR_") || has(intel, "CUDA_"));
    EXPECT_TRUE(has(intel, "ZE_ENABLE_PCI_ID_DEVICE_ORDER=1 ZE_FLAT_DEVICE_HIERARCHY=COMPOSITE"));
    EXPECT_TRUE(has(nvidia, "Written by hitopo 1.2.3 select."));
}

TEST(Select, without_gpus_a_script_chooses_none) {
    NodeDevices node = node_of(kNvidia);
    node.gpus.clear();
    const std::string script = script_of(job_of({{node, 2}}));
    EXPECT_FALSE(has(script, "VISIBLE_DEVICES") || has(script, "\nfi\n"));
    EXPECT_TRUE(has(script, "export UCX_NET_DEVICES"));
}

TEST(Select, the_jobs_gpus_are_slurms) {
    DeviceJob job = job_of({{node_of(kNvidia), 2}});
    for (DeviceRank& rank : job.ranks) {
        rank.own.variables["SLURM_JOB_GPUS"] = "0,2";
    }
    EXPECT_EQ(tables_in(script_of(job)), std::string(kFourGpus) +
                                             "0 0000:03:00.0 mlx5_0:1 2-3\n"
                                             "1 0000:01:00.0 mlx5_1:1 6-7");
}

TEST(Select, what_is_unknown_or_hidden_is_refused) {
    DeviceJob job = job_of({{node_of(kNvidia), 2}});
    job.ranks[1].gpus = {false, {}, "CUDA_VISIBLE_DEVICES", {}};
    EXPECT_EQ(error_of(job),
              "rank 1: which GPUs CUDA_VISIBLE_DEVICES leaves it is unknown. Unset it; instances of a "
              "divided GPU (MIG) are for you to choose");
    job = job_of({{node_of(kNvidia), 2}});
    job.ranks[0].own.hidden_gpus = {"0000:03:00.0", "0000:04:00.0"};
    EXPECT_EQ(error_of(job),
              "rank 0 may not open GPU 2 of n0, which should be its own: a control group hides it. Let "
              "each rank see all GPUs of the job, with srun --gpu-bind=none for example");
}

TEST(Select, no_devices_and_two_vendors_are_refused) {
    NodeDevices empty = node_of(kNvidia);
    empty.gpus.clear();
    empty.nics.clear();
    EXPECT_EQ(error_of(job_of({{node_of(kNvidia), 2}, {empty, 1}})),
              "n1: neither a GPU nor a NIC is there. `hitopo show --devices` lists the devices of each "
              "node");
    EXPECT_EQ(error_of(job_of({{node_of(kNvidia), 2}, {node_of(kAmd), 1}})),
              "The job has GPUs of two vendors, each with variables of its own. Select on the nodes of "
              "one vendor at a time");
}

TEST(Select, no_name_gets_out_of_the_quotes) {
    NodeDevices node = node_of(kNvidia);
    node.nics[0].names = {"mlx5_0';reboot;'"};
    EXPECT_EQ(script_of(job_of({{node, 4}})),
              "A GPU or NIC has a name with other characters than letters, digits, _ and -.");
}

}  // namespace
}  // namespace hitopo::tool
