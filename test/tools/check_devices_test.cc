// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo check` of GPUs and network interfaces: for each rule a right and a wrong job, on machines
// whose numbers are those of their sites' documents. Tests check/device_rules.cc.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/tools/hitopo/check/check.h"
#include "ompi/tools/hitopo/devices/job.h"

namespace hitopo::tool {
namespace {

using Strings = std::vector<std::string>;

CpuSet cpus(const std::string& list) { return CpuSet::parse_or_empty(list); }

// NUMA nodes of the cores' first threads, and packages of equally many of them.
NodeDevices with_numa(const Strings& numa_nodes, std::size_t num_packages) {
    NodeDevices node;
    node.packages.resize(num_packages);
    for (std::size_t i = 0; i < numa_nodes.size(); ++i) {
        node.numa_nodes.push_back({static_cast<int>(i), cpus(numa_nodes[i])});
        node.packages[i * num_packages / numa_nodes.size()] |= cpus(numa_nodes[i]);
        node.cpus |= cpus(numa_nodes[i]);
    }
    return node;
}

// Each behind a host bridge and a switch of its own, with a NIC of this name where there is one.
void add_gpu(NodeDevices& node, unsigned vendor, const std::string& place, const std::string& nic = "") {
    const std::string number = std::to_string(node.gpus.size());
    Device gpu;
    gpu.pci = fmt::format("0000:{:02x}:00.0", node.gpus.size() + 1);
    gpu.vendor = vendor;
    gpu.place = cpus(place);
    gpu.bridges = {"root" + number, "switch" + number};
    node.gpus.push_back(gpu);
    if (!nic.empty()) {
        gpu.names = {nic};
        node.nics.push_back(gpu);
    }
}

void add_nic(NodeDevices& node, const std::string& name, const std::string& place,
             const std::string& root = "") {
    Device nic;
    nic.names = {name};
    nic.place = cpus(place);
    nic.bridges = {root.empty() ? name : root};
    node.nics.push_back(nic);
}

NodeDevices frontier() {
    NodeDevices node = with_numa({"0-15,64-79", "16-31,80-95", "32-47,96-111", "48-63,112-127"}, 1);
    const Strings l3 = {"48-55,112-119", "56-63,120-127", "16-23,80-87",  "24-31,88-95",
                        "0-7,64-71",     "8-15,72-79",    "32-39,96-103", "40-47,104-111"};
    for (std::size_t i = 0; i < l3.size(); ++i) {
        add_gpu(node, kAmd, l3[i], i % 2 == 0 ? fmt::format("hsn{}", i / 2) : "");
    }
    for (Device& nic : node.nics) {
        nic.vendor = kCray;
    }
    return node;
}

NodeDevices polaris() {
    NodeDevices node = with_numa({"0-7,32-39", "8-15,40-47", "16-23,48-55", "24-31,56-63"}, 1);
    for (int i = 3; i >= 0; --i) {
        add_gpu(node, kNvidia, node.numa_nodes[static_cast<std::size_t>(i)].cpus.to_string());
    }
    add_nic(node, "mlx5_0", "0-7,32-39");
    add_nic(node, "mlx5_1", "16-23,48-55");
    return node;
}

NodeDevices dgx_h100() {
    NodeDevices node = with_numa({"0-55,112-167", "56-111,168-223"}, 2);
    const int rails[] = {0, 3, 4, 5, 6, 9, 10, 11};
    for (int i = 0; i < 8; ++i) {
        add_gpu(node, kNvidia, node.numa_nodes[i < 4 ? 0 : 1].cpus.to_string(),
                fmt::format("mlx5_{}", rails[i]));
    }
    for (const int storage : {1, 2, 7, 8}) {
        add_nic(node, fmt::format("mlx5_{}", storage),
                node.numa_nodes[storage < 4 ? 0 : 1].cpus.to_string());
    }
    return node;
}

// NUMA nodes of 16 cores; GPUs on 1, 2, 6, 7, of which the first two have ports that are down.
NodeDevices turin() {
    NodeDevices node =
        with_numa({"0-15", "16-31", "32-47", "48-63", "64-79", "80-95", "96-111", "112-127"}, 2);
    const struct {
        const char *place, *nic;
    } kGpus[] = {{"16-31", "mlx5_0"}, {"32-47", "mlx5_3"}, {"96-111", "mlx5_4"}, {"112-127", "mlx5_5"}};
    for (const auto& [place, nic] : kGpus) {
        add_gpu(node, kNvidia, place, nic);
        node.nics.back().is_active = node.nics.size() > 2;
    }
    return node;
}

NodeDevices juwels_booster() {
    NodeDevices node =
        with_numa({"0-5", "6-11", "12-17", "18-23", "24-29", "30-35", "36-41", "42-47"}, 2);
    for (const char* place : {"18-23", "6-11", "42-47", "30-35"}) {
        add_gpu(node, kNvidia, place);
    }
    return node;
}

const char *kL3s =
               "0-7,64-71:8-15,72-79:16-23,80-87:24-31,88-95:32-39,96-103:40-47,104-111:48-55,112-"
               "119:56-63,120-127",
           *kPolaris = "0-7:8-15:16-23:24-31",
           *kH100 = "0-13:14-27:28-41:42-55:56-69:70-83:84-97:98-111";

// A job of nodes that are alike, with rank by rank a binding ("0-7:8-15"; "": not bound) and a value of
// each variable ("0;1;~"; "~": not set), from the start again on each node.
struct Job {
    NodeDevices devices;
    std::string bindings;
    std::vector<std::pair<const char*, std::string>> variables = {};
    std::size_t num_nodes = 1;
    GpuUse use = {};
    std::vector<std::pair<int, const char*>> hidden = {};  // rank, PCI address

    DeviceRank rank_of(std::size_t local_rank) const {
        DeviceRank rank;
        rank.local_rank = static_cast<int>(local_rank);
        rank.cpus = cpus(std::string(split(bindings, ':')[local_rank]));
        for (const auto& [name, list] : variables) {
            const auto values = split(list, ';');
            const std::string value(values[local_rank % values.size()]);
            if (value != "~") {
                rank.own.variables[name] = value;
            }
        }
        for (const auto& [number, pci] : hidden) {
            if (number == rank.local_rank) {
                rank.own.hidden_gpus.emplace_back(pci);
            }
        }
        rank.gpus = visible_gpus(devices, rank.own);
        rank.nics = chosen_nics(devices, rank.own);
        return rank;
    }

    std::pair<DeviceJob, CheckedJob> made() const {
        DeviceJob job;
        CheckedJob placement;
        job.kinds = {{{}, devices}};
        for (std::size_t node = 0; node < num_nodes; ++node) {
            placement.nodes.emplace_back();
            placement.nodes.back().name = fmt::format("n{}", node);
            for (std::size_t i = 0; i < split(bindings, ':').size(); ++i) {
                placement.nodes.back().ranks.push_back(static_cast<int>(job.ranks.size()));
                job.ranks.push_back(rank_of(i));
                placement.processes.push_back({node, nullptr, 0});
            }
        }
        return {job, std::move(placement)};
    }
};

// The output, without the first line and the remedies' common one.
Strings lines_of(const DeviceJob& job, const CheckedJob& placement, GpuUse use) {
    Checked checked;
    find_devices(job, placement, use, checked);
    std::istringstream text(format_check(checked, placement, Charset::kUtf8));
    Strings lines;
    for (std::string line; std::getline(text, line);) {
        const std::size_t select = line.find(" `hitopo select");
        lines.push_back(line.substr(0, select) + (select == std::string::npos ? "" : " SELECT"));
    }
    lines.erase(lines.begin());
    return lines;
}

Strings lines_of(const Job& job) {
    const auto [devices, placement] = job.made();
    return lines_of(devices, placement, job.use);
}

struct Case {
    const char* name;
    Job job;
    Strings lines;
};

void expect(const std::vector<Case>& cases) {
    for (const auto& [name, job, lines] : cases) {
        EXPECT_EQ(lines_of(job), lines) << name;
    }
}

const char *kRocr = "ROCR_VISIBLE_DEVICES", *kHip = "HIP_VISIBLE_DEVICES",
           *kCuda = "CUDA_VISIBLE_DEVICES", *kUcx = "UCX_NET_DEVICES";
const std::string kInOrder = "0;1;2;3;4;5;6;7", kOlcf = "4;5;2;3;6;7;0;1";
const std::string kFrontierFar =
    "fault: ranks 0-1,4-7: GPUs of other NUMA nodes, while others are nearer: rank 0 on NUMA node 0 has "
    "GPU "
    "0 of NUMA node 3, and GPU 4 is of its own. SELECT";

TEST(CheckDevices, far_gpus) {
    expect(
        {{"in order on Frontier", {frontier(), kL3s, {{kRocr, kInOrder}}}, {kFrontierFar}},
         {"as OLCF prints them", {frontier(), kL3s, {{kRocr, kOlcf}}}, {}},
         {"in order on Polaris",
          {polaris(), kPolaris, {{kCuda, "0;1;2;3"}}},
          {"fault: ranks 0-3: GPUs of other NUMA nodes, while others are nearer: rank 0 on NUMA node 0 "
           "has GPU 0 of NUMA node 3, and GPU 3 is of its own. SELECT"}},
         {"unbound", {polaris(), ":::", {{kCuda, "0;1;2;3"}}}, {}},
         {"the nearest of two counts", {polaris(), "0-7:16-23", {{kCuda, "0,3;2,1"}}}, {}},
         {"by local rank", {frontier(), kL3s, {}, 1, {false, true}}, {kFrontierFar}},
         {"two nodes",
          {polaris(), kPolaris, {{kCuda, "3;2;0;1"}}, 2},
          {"fault: ranks 2-3,6-7: GPUs of other NUMA nodes, while others are nearer: rank 2 on NUMA "
           "node "
           "2 has GPU 0 of NUMA node 3, and GPU 1 is of its own. SELECT"}},
         {"Slurm gave no nearer ones",
          {polaris(), "0-7:8-15", {{kCuda, "0;1"}, {"SLURM_STEP_GPUS", "0,1"}}},
          {"remark: ranks 0-1: no CPU near their GPUs, while no rank runs there: rank 0 has GPU 0 of "
           "NUMA node 3. SELECT"}},
         {"a socket without GPUs",
          {turin(), "0-15:48-63:64-79:80-95", {{kCuda, "0;1;2;3"}}},
          {"remark: ranks 0-3: no CPU near their GPUs, while no rank runs there: rank 0 has GPU 0 of "
           "NUMA "
           "node 1. SELECT"}}});
}

TEST(CheckDevices, unknown_gpus) {
    expect(
        {{"HIP within ROCr",
          {frontier(), kL3s, {{kRocr, kOlcf}, {kHip, kOlcf}}},
          {"fault: ranks 0-5,7: ROCR_VISIBLE_DEVICES \"4\" and HIP_VISIBLE_DEVICES \"4\": \"4\" names "
           "no "
           "GPU, and no GPU is visible, as on rank 0. HIP_VISIBLE_DEVICES counts within "
           "ROCR_VISIBLE_DEVICES: unset one of them."}},
         {"beyond the last",
          {polaris(), kPolaris, {{kCuda, "3;2;1;4"}}},
          {"fault: rank 3: CUDA_VISIBLE_DEVICES \"4\": \"4\" names no GPU, and no GPU is visible, as on "
           "rank 3. Use numbers below 4, or unset it."}},
         {"some are visible",
          {polaris(), "", {{kCuda, "3,2,x"}}},
          {"fault: rank 0: CUDA_VISIBLE_DEVICES \"3,2,x\": \"x\" names no GPU, and only GPU 2-3 are "
           "visible, as on rank 0. Use numbers below 4, or unset it."}},
         {"twice",
          {polaris(), "", {{kCuda, "0,0"}}},
          {"fault: rank 0: CUDA_VISIBLE_DEVICES \"0,0\": \"0\" is repeated, and no GPU is visible, as "
           "on "
           "rank 0. Use different numbers below 4, or unset it."}},
         {"absolute in a control group",
          {polaris(), "", {{kCuda, "3"}}, 1, {}, {{0, "0000:01:00.0"}, {0, "0000:02:00.0"}}},
          {"fault: rank 0: CUDA_VISIBLE_DEVICES \"3\": \"3\" names no GPU, and no GPU is visible, as on "
           "rank 0. Use numbers below 2, or unset it."}},
         {"none is meant", {polaris(), ":::", {{kCuda, ";-1;;-1"}}}, {}},
         {"a comma at the end", {polaris(), ":", {{kCuda, "0,1,;2,3,"}}}, {}}});
}

TEST(CheckDevices, shared_and_idle_gpus) {
    expect(
        {{"one list",
          {frontier(), kL3s, {{kRocr, "0"}}},
          {"remark: ranks 0-7: they share GPU 0, while no rank has GPU 1-7, if the job has these. "
           "Then unset ROCR_VISIBLE_DEVICES; SELECT"}},
         {"two lists",
          {polaris(), ":::", {{kCuda, "0;0;0;1"}}},
          {"fault: ranks 0-2: they share GPU 0, while no rank has GPU 2-3. SELECT"}},
         {"two each", {polaris(), ":::::::", {{kCuda, "0;1;2;3"}}}, {}},
         {"Slurm gave two",
          {polaris(), ":", {{kCuda, "0"}, {"SLURM_JOB_GPUS", "0,1"}}},
          {"fault: ranks 0-1: they share GPU 0, while no rank has GPU 1. SELECT"}},
         {"Slurm gave one", {polaris(), ":", {{kCuda, "0"}, {"SLURM_JOB_GPUS", "0"}}}, {}},
         {"the control group left one",
          {polaris(),
           ":",
           {{kCuda, "0"}},
           1,
           {},
           {{0, "0000:01:00.0"},
            {0, "0000:02:00.0"},
            {0, "0000:03:00.0"},
            {1, "0000:01:00.0"},
            {1, "0000:02:00.0"},
            {1, "0000:03:00.0"}}},
          {}},
         {"idle",
          {frontier(), "0-7:16-23:32-39:48-55", {{kRocr, "4;2;6;0"}}},
          {"remark: no rank has GPU 1,3,5,7. Start a rank for each, or give each rank several."}},
         {"some take what they like",
          {polaris(), ":::", {{kCuda, "0;0;~;~"}}},
          {"not checked: GPUs: all 4 are visible to ranks 2-3, and which one each takes is up to the "
           "program; set CUDA_VISIBLE_DEVICES, or add --gpu-by-local-rank if it takes the one of its "
           "local "
           "rank."}},
         {"of two nodes",
          {polaris(), ":", {{kCuda, "0;0,0"}}, 2},
          {"fault: ranks 1,3: CUDA_VISIBLE_DEVICES \"0,0\": \"0\" is repeated, and no GPU is visible, "
           "as "
           "on rank 1. Use different numbers below 4, or unset it."}},
         {"on two nodes",
          {polaris(), "0-7:8-15", {{kCuda, "3;2"}}, 2},
          {"remark: no rank has GPU 0-1, as on node n0. Start a rank for each, or give each rank "
           "several."}}});
}

// Each rank of two GPUs may open one.
TEST(CheckDevices, peers_that_control_groups_hide) {
    NodeDevices node = polaris();
    node.gpus.resize(2);
    expect(
        {{"apart",
          {node, "24-31:16-23", {{kCuda, "0"}}, 1, {}, {{0, "0000:02:00.0"}, {1, "0000:01:00.0"}}},
          {"remark: ranks 0-1: each may open its own GPUs only, so that GPUs of two ranks exchange no "
           "data directly. Let each rank open all, with srun --gpu-bind=none for example; SELECT"}},
         {"one for both",
          {node, ":", {{kCuda, "0"}}, 1, {}, {{0, "0000:02:00.0"}, {1, "0000:02:00.0"}}},
          {}},
         {"one rank", {node, "24-31", {{kCuda, "0"}}, 1, {}, {{0, "0000:02:00.0"}}}, {}}});
}

TEST(CheckDevices, gpus_without_cpus) {
    expect({{"JUWELS Booster",
             {juwels_booster(), "0-5:12-17:24-29:36-41", {{kCuda, "1;0;3;2"}}},
             {"remark: ranks 0-3: no CPU near their GPUs, while no rank runs there: rank 0 has GPU 1 of "
              "NUMA "
              "node 1. SELECT"}},
            {"as there", {juwels_booster(), "18-23:6-11:42-47:30-35", {{kCuda, "0;1;2;3"}}}, {}},
            {"all GPUs", {juwels_booster(), "0-5:12-17", {{kCuda, "0,1,2,3;3,2,1,0"}}}, {}}});
}

TEST(CheckDevices, far_nics) {
    const std::string gpus = kInOrder;
    const auto nics = [](const std::string& numbers) {
        std::string list;
        for (const std::string_view number : split(numbers, ' ')) {
            add_item(list, ";", fmt::format("mlx5_{}:1", number));
        }
        return list;
    };
    expect(
        {{"by rank on DGX H100",
          {dgx_h100(), kH100, {{kCuda, gpus}, {kUcx, nics("0 1 2 3 4 5 6 7")}}},
          {"fault: ranks 4-5: UCX_NET_DEVICES names NICs on the other socket than their GPUs: rank 4 "
           "has "
           "mlx5_4, and mlx5_6 is next to its GPU 4. SELECT",
           "remark: ranks 1-3,6-7: UCX_NET_DEVICES names NICs behind another PCIe switch or root than "
           "their GPUs: rank 1 has mlx5_1, and mlx5_3 is next to its GPU 1. SELECT"}},
         {"as in its guide",
          {dgx_h100(), kH100, {{kCuda, gpus}, {kUcx, nics("0 3 4 5 6 9 10 11")}}},
          {}},
         {"one for all",
          {dgx_h100(), kH100, {{kCuda, gpus}, {kUcx, "mlx5_0:1"}}},
          {"fault: ranks 4-7: UCX_NET_DEVICES names NICs on the other socket than their GPUs: rank 4 "
           "has "
           "mlx5_0, and mlx5_6 is next to its GPU 4. SELECT",
           "remark: ranks 1-3: UCX_NET_DEVICES names NICs behind another PCIe switch or root than their "
           "GPUs: rank 1 has mlx5_0, and mlx5_3 is next to its GPU 1. SELECT"}},
         {"several for all", {dgx_h100(), kH100, {{kCuda, gpus}, {kUcx, "mlx5_*"}}}, {}},
         {"without GPUs",
          {dgx_h100(), "0-13:56-69", {{kUcx, "mlx5_3:1"}}},
          {"fault: rank 1: UCX_NET_DEVICES names NICs on the other socket than their CPUs: rank 1 has "
           "mlx5_3, and mlx5_6 is next to its CPUs. SELECT"}},
         {"cxi",
          {frontier(), "0-7:16-23", {{kRocr, "4;2"}, {"FI_CXI_DEVICE_NAME", "cxi2;cxi0"}}},
          {"remark: rank 1: FI_CXI_DEVICE_NAME names NICs behind another PCIe switch or root than their "
           "GPUs: rank 1 has hsn0, and hsn1 is next to its GPU 2. SELECT",
           "remark: no rank has GPU 0-1,3,5-7. Start a rank for each, or give each rank several."}}});
}

TEST(CheckDevices, unknown_nics_and_those_that_are_down) {
    expect({{"unknown",
             {polaris(), kPolaris, {{kCuda, "3;2;1;0"}, {kUcx, "mlx5_9:1"}}},
             {"fault: ranks 0-3: UCX_NET_DEVICES is \"mlx5_9:1\": no NIC of the node has this name. "
              "`hitopo "
              "show --devices` lists them."}},
            {"one of two",
             {polaris(), "0-7", {{kUcx, "mlx5_0:1,mlx5_9:1"}}},
             {"fault: rank 0: UCX_NET_DEVICES is \"mlx5_0:1,mlx5_9:1\": no NIC of the node has the name "
              "\"mlx5_9:1\". `hitopo show --devices` lists them."}},
            {"no NIC is known", {juwels_booster(), "0-5", {{kUcx, "mlx5_0:1"}}}, {}},
            {"TCP's", {polaris(), "0-7", {{kUcx, "eth0"}}}, {}},
            {"down",
             {turin(),
              "16-31:32-47:96-111:112-127",
              {{kCuda, "0;1;2;3"}, {kUcx, "mlx5_0:1;mlx5_3:1;mlx5_4:1;mlx5_5:1"}}},
             {"remark: ranks 0-1: UCX_NET_DEVICES names a NIC without an active port: mlx5_0 on rank 0. "
              "`hitopo show --devices` lists the others."}}});
}

NodeDevices unequal() {
    NodeDevices node = polaris();
    node.gpus[3].model = 7;
    return node;
}

TEST(CheckDevices, order_of_unequal_gpus) {
    const std::string order =
        "remark: ranks 0-3: CUDA_VISIBLE_DEVICES has numbers, the node has GPUs of "
        "several models, and CUDA_DEVICE_ORDER is not PCI_BUS_ID. Set "
        "CUDA_DEVICE_ORDER to PCI_BUS_ID.";
    const std::string unchecked =
        "not checked: GPUs of ranks 0-3: CUDA has an order of its own for GPUs of several models.";
    expect(
        {{"CUDA's", {unequal(), kPolaris, {{kCuda, "0;1;2;3"}}}, {order, unchecked}},
         {"PCI's", {unequal(), kPolaris, {{kCuda, "3;2;1;0"}, {"CUDA_DEVICE_ORDER", "PCI_BUS_ID"}}}, {}},
         {"by local rank", {unequal(), kPolaris, {}, 1, {false, true}}, {unchecked}}});
}

TEST(CheckDevices, what_is_not_checked) {
    NodeDevices two_vendors = polaris();
    two_vendors.gpus[3].vendor = kAmd;
    const char* up_to_it =
        "not checked: GPUs: {} are visible to all ranks, and which one each takes is up to the program; "
        "set {}, "
        "or add --gpu-by-local-rank if it takes the one of its local rank.";
    expect(
        {{"no variable, and perhaps no use of GPUs", {frontier(), kL3s}, {}},
         {"no variable, and GPUs are used",
          {frontier(), kL3s, {}, 1, {true, false}},
          {fmt::format(up_to_it, "all 8", kRocr)}},
         {"one list of several",
          {polaris(), kPolaris, {{kCuda, "0,1"}}},
          {fmt::format(up_to_it, "GPU 0-1", kCuda)}},
         {"MIG",
          {polaris(), "0-7", {{kCuda, "MIG-1"}}},
          {"not checked: GPUs of rank 0: which GPUs CUDA_VISIBLE_DEVICES \"MIG-1\" means is not known "
           "here."}},
         {"two vendors",
          {two_vendors, kPolaris, {{kCuda, "0"}}},
          {"not checked: GPUs of ranks 0-3: the node has GPUs of two vendors."}},
         {"no GPU there", {with_numa({"0-3"}, 1), "0-3", {{kCuda, "0"}}}, {}},
         {"no GPU there, and GPUs are used",
          {with_numa({"0-3"}, 1), "0-3:0-3", {}, 1, {true, false}},
          {"not checked: GPUs: node n0 has none that is known."}}});
}

// Kinds of nodes have rules of their own, and a finding has all ranks.
TEST(CheckDevices, of_several_kinds_of_nodes) {
    auto [job, placement] = Job{polaris(), kPolaris, {{kCuda, "0;1;2;3"}}, 2}.made();
    job.kinds.push_back({{}, juwels_booster()});
    for (std::size_t rank = 4; rank < 8; ++rank) {
        job.ranks[rank].kind = 1;
        job.ranks[rank].cpus =
            CpuSet::range(static_cast<int>(rank - 4) * 12, static_cast<int>(rank - 4) * 12 + 5);
    }
    EXPECT_EQ(
        lines_of(job, placement, {}),
        (Strings{"fault: ranks 0-3: GPUs of other NUMA nodes, while others are nearer: rank 0 on NUMA "
                 "node 0 has GPU 0 of NUMA node 3, and GPU 3 is of its own. SELECT",
                 "remark: ranks 4-7: no CPU near their GPUs, while no rank runs there: rank 4 has GPU 0 "
                 "of NUMA node 3. SELECT"}));
    job.ranks.pop_back();
    EXPECT_EQ(lines_of(job, placement, {}), Strings{}) << "not of this placement";
}

}  // namespace
}  // namespace hitopo::tool
