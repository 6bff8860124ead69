// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What variables leave a process of a node's GPUs and network interfaces, by the vendors' documents and
// sources and by issues that users filed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ompi/tools/hitopo/devices/job.h"

namespace hitopo::tool {
namespace {

using Numbers = std::vector<int>;
using Strings = std::vector<std::string>;
using Variables = std::map<std::string, std::string>;

NodeDevices node_of(unsigned vendor, int num_gpus, unsigned model = 1) {
    NodeDevices node;
    for (int i = 0; i < num_gpus; ++i) {
        Device gpu;
        gpu.pci = fmt::format("0000:{:02x}:00.0", i + 1);
        gpu.vendor = vendor;
        gpu.model = model;
        node.gpus.push_back(gpu);
    }
    return node;
}

const NodeDevices kNvidiaNode = node_of(kNvidia, 4), kAmdNode = node_of(kAmd, 8),
                  kIntelNode = node_of(kIntel, 6, 0x0bd5);

OwnDevices own_of(const NodeDevices& node, const Variables& variables, const Strings& uuids = {},
                  const Numbers& allowed = {}) {
    OwnDevices own;
    own.variables = variables;
    for (std::size_t i = 0; i < uuids.size(); ++i) {
        own.uuids[node.gpus[i].pci] = uuids[i];
    }
    for (int i = 0; i < static_cast<int>(node.gpus.size()); ++i) {
        if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), i) == allowed.end()) {
            own.hidden_gpus.push_back(node.gpus[static_cast<std::size_t>(i)].pci);
        }
    }
    return own;
}

const Strings kNvidiaUuids = {"GPU-8932f937-d72c", "GPU-8a00aaaa-0000", "GPU-1234", "GPU-5678"},
              kAmdUuids = {"GPU-f980f88ef31631a2", "GPU-f980aaaaf31631a2", "GPU-0000000000000003",
                           "GPU-0000000000000004", "GPU-0000000000000005", "GPU-0000000000000006",
                           "GPU-0000000000000007", "GPU-0000000000000008"};

struct Case {
    const NodeDevices& node;
    Variables variables;
    Numbers gpus;
    std::optional<std::string> stopped_at = {};
    Numbers allowed = {};
};

const char *kCuda = "CUDA_VISIBLE_DEVICES", *kRocr = "ROCR_VISIBLE_DEVICES",
           *kHip = "HIP_VISIBLE_DEVICES", *kMask = "ZE_AFFINITY_MASK";
const std::pair<const std::string, std::string> kComposite = {"ZE_FLAT_DEVICE_HIERARCHY", "COMPOSITE"};

TEST(VisibleGpus, are_those_of_the_runtimes) {
    const Numbers all = {0, 1, 2, 3, 4, 5, 6, 7};
    const std::vector<Case> cases = {
        {kNvidiaNode, {}, {0, 1, 2, 3}},
        {kNvidiaNode, {{kCuda, ""}}, {}, ""},
        {kNvidiaNode, {{kCuda, "2,1"}}, {2, 1}},
        {kNvidiaNode, {{kCuda, "0,2,-1,1"}}, {0, 2}, "-1"},
        {kNvidiaNode, {{kCuda, "1gpu2,2ampere"}}, {1, 2}},
        {kNvidiaNode, {{kCuda, "0,1,0"}}, {}, "0"},
        {kNvidiaNode, {{kCuda, "0,4,1"}}, {0}, "4"},
        {kNvidiaNode, {{kCuda, "NoDevFiles"}}, {}, "NoDevFiles"},
        {kNvidiaNode, {{kCuda, "0-3"}}, {0}},  // flux-core#3315
        {kNvidiaNode, {{kCuda, "GPU-8932"}}, {0}},
        {kNvidiaNode, {{kCuda, "GPU-8"}}, {}, "GPU-8"},
        {kAmdNode, {{kRocr, ""}}, {}, ""},
        {kAmdNode, {{kHip, ""}}, all},  // ROCm/hip#3001
        {kAmdNode, {{kRocr, "4"}}, {4}},
        {kAmdNode, {{kRocr, " 4, 0x5"}}, {4, 5}},
        {kAmdNode, {{kRocr, "4,5,4,6"}}, {4, 5}, "4"},
        {kAmdNode, {{kRocr, "gpu-f980f"}}, {0}},
        {kAmdNode, {{kRocr, "GPU-F980"}}, {}, "GPU-F980"},  // two of that beginning
        {kAmdNode, {{kRocr, "1"}, {kHip, "1"}}, {}, "1"},   // Parsl#3858, SwarmUI#565
        {kAmdNode, {{kRocr, "1"}, {kCuda, "0"}}, {1}},
        {kAmdNode, {{kRocr, "0,3,4,7"}, {kHip, "0,1"}}, {0, 3}},  // laifs#13
        {kAmdNode, {{kHip, "1,1,2"}}, {1, 2}},
        {kAmdNode, {{kHip, "0, 1"}}, {0}, " 1"},
        {kAmdNode, {{kCuda, "7"}}, {}, "7", {7}},  // flux-core#7807
        {kAmdNode, {{kRocr, "0"}}, {5}, {}, {5}},
        {kIntelNode, {{kMask, "3.1"}, kComposite}, {3}},
        {kIntelNode, {{kMask, "7"}}, {3}},
        {kIntelNode, {{kMask, "0.0"}}, {}, "0.0"},
        {kIntelNode, {{kMask, "5,0"}, kComposite}, {0, 5}},
        // Beyond the 29 of the vendors.
        {kNvidiaNode, {{kCuda, "+1,99999999999999999999"}}, {1}, "99999999999999999999"},
        {kNvidiaNode, {{kCuda, "GPU-5678,GPU-5678"}}, {}, "GPU-5678"},
        {kAmdNode, {{kRocr, "010,GPU-"}}, {}, "010"},  // 8
        {kAmdNode, {{kRocr, "07,GPU-"}}, {7}, "GPU-"},
        {kAmdNode, {{kRocr, "0,1"}}, {5}, {}, {5}},  // one entry is read
        {kAmdNode, {{kRocr, "-2"}}, {}, "-2"},
        {kAmdNode, {{kHip, "01"}}, {}, "01"},
        {kAmdNode, {{kHip, "GPU-f980a"}}, {1}},
        {kAmdNode, {{kRocr, "1,x"}, {kHip, "0"}}, {1}, "x"},
        {kIntelNode, {{kMask, "12"}}, {}, "12"},
        {kIntelNode, {{kMask, "0.2"}, kComposite}, {}, "0.2"},
        {kIntelNode, {{kMask, "0,1,2"}}, {0, 1}},
        {kNvidiaNode, {{"PMIX_DEVICE_ID", "gpu://n1::cuda2"}}, {2}},
        {kNvidiaNode, {{"PMIX_DEVICE_ID", "gpu://n1::cuda2"}, {kCuda, "1"}}, {1}},
        {kNvidiaNode, {{"PMIX_DEVICE_ID", "gpu://n1::cuda9"}}, {}, "gpu://n1::cuda9"},
        {kNvidiaNode, {{"PMIX_DEVICE_ID", "fab://1::2"}}, {0, 1, 2, 3}}};
    for (const Case& one : cases) {
        std::string text;
        for (const auto& [name, value] : one.variables) {
            text += fmt::format("{}=\"{}\" ", name, value);
        }
        const Strings& uuids = &one.node == &kNvidiaNode ? kNvidiaUuids
                               : &one.node == &kAmdNode  ? kAmdUuids
                                                         : Strings{};
        const GpuView view = visible_gpus(one.node, own_of(one.node, one.variables, uuids, one.allowed));
        EXPECT_TRUE(view.is_known) << text;
        EXPECT_EQ(view.gpus, one.gpus) << text;
        EXPECT_EQ(view.stopped_at, one.stopped_at) << text;
    }
}

TEST(VisibleGpus, have_a_source) {
    const auto source = [](const NodeDevices& node, const Variables& variables) {
        return visible_gpus(node, own_of(node, variables)).source;
    };
    EXPECT_EQ(source(kNvidiaNode, {}), "");
    EXPECT_EQ(source(kNvidiaNode, {{kRocr, "1"}}), "");
    EXPECT_EQ(source(kNvidiaNode, {{kCuda, "1"}}), "CUDA_VISIBLE_DEVICES");
    EXPECT_EQ(source(kAmdNode, {{kRocr, "1"}}), "ROCR_VISIBLE_DEVICES");
    EXPECT_EQ(source(kAmdNode, {{kRocr, "1"}, {kHip, "0"}, {kCuda, "0"}}),
              "ROCR_VISIBLE_DEVICES and HIP_VISIBLE_DEVICES");
    EXPECT_EQ(source(kAmdNode, {{kHip, ""}, {kCuda, "0"}}), "CUDA_VISIBLE_DEVICES");
    EXPECT_EQ(source(kAmdNode, {{kRocr, "1"}, {"GPU_DEVICE_ORDINAL", "1"}}), "ROCR_VISIBLE_DEVICES");
    EXPECT_EQ(source(kIntelNode, {{kMask, "1"}}), "ZE_AFFINITY_MASK");
    EXPECT_EQ(source(kNvidiaNode, {{"PMIX_DEVICE_ID", "gpu://n1::nvml0"}}), "PMIX_DEVICE_ID");
    EXPECT_EQ(source(NodeDevices(), {{kCuda, "0"}}), "");
}

TEST(VisibleGpus, are_unknown_rather_than_guessed) {
    NodeDevices two_vendors = kNvidiaNode;
    two_vendors.gpus.push_back(kAmdNode.gpus[7]);
    NodeDevices unequal = kNvidiaNode;
    unequal.gpus[3].model = 2;
    const NodeDevices new_intel = node_of(kIntel, 2, 0x0be0);
    const struct {
        const NodeDevices& node;
        Variables variables;
        bool is_known;
    } cases[] = {{two_vendors, {{kCuda, "0"}}, false},
                 {kNvidiaNode, {{kCuda, "MIG-1"}}, false},
                 {kNvidiaNode, {{kCuda, "GPU-1"}}, false},  // whose UUIDs are not known
                 {kAmdNode, {{kRocr, "GPU-1"}}, false},
                 {kAmdNode, {{kHip, "GPU-1"}}, false},
                 {kAmdNode, {{"GPU_DEVICE_ORDINAL", "1"}}, false},
                 {new_intel, {{kMask, "1"}}, false},
                 {unequal, {{kCuda, "0"}}, false},
                 {unequal, {{kCuda, ""}}, true},
                 {unequal, {}, true},
                 {unequal, {{kCuda, "0"}, {"CUDA_DEVICE_ORDER", "PCI_BUS_ID"}}, true}};
    for (const auto& [node, variables, is_known] : cases) {
        const GpuView view = visible_gpus(node, own_of(node, variables));
        EXPECT_EQ(view.is_known, is_known) << (variables.empty() ? "" : variables.begin()->second);
        EXPECT_TRUE(is_known || view.gpus.empty());
    }
}

TEST(OpenGpus, are_those_that_the_driver_lists) {
    OwnDevices own = own_of(kAmdNode, {}, {"GPU-1", "", "GPU-3"}, {1, 2, 3});
    EXPECT_EQ(open_gpus(kAmdNode, own), (Numbers{1, 2}));
    NodeDevices parts = node_of(kAmd, 3);
    for (int part = 0; part < 3; ++part) {
        parts.gpus[static_cast<std::size_t>(part)].pci = "0000:01:00.0";
        parts.gpus[static_cast<std::size_t>(part)].part = part;
    }
    own.uuids = {{"0000:01:00.0", ""}, {"0000:01:00.0#2", ""}};
    own.hidden_gpus.clear();
    EXPECT_EQ(open_gpus(parts, own), (Numbers{0, 2}));
    EXPECT_EQ(num_countable(kIntelNode, {}), 12);
    EXPECT_EQ(num_countable(kIntelNode, own_of(kIntelNode, {kComposite}, {}, {1, 4})), 2);
}

NodeDevices with_nics(const std::vector<Strings>& names, unsigned vendor = 0x15b3) {
    NodeDevices node;
    for (const Strings& own : names) {
        node.nics.emplace_back();
        node.nics.back().names = own;
        node.nics.back().vendor = vendor;
    }
    return node;
}

TEST(ChosenNics, are_those_of_ucx_and_libfabric) {
    const char *ucx = "UCX_NET_DEVICES", *cxi = "FI_CXI_DEVICE_NAME";
    NodeDevices mellanox = with_nics({{"mlx5_0", "ib0"}, {"mlx5_1"}, {"mlx5_2"}, {"mlx5_10"}});
    mellanox.nics[2].is_active = false;
    const NodeDevices frontier = with_nics({{"hsn0"}, {"hsn1"}, {"hsn2"}, {"hsn3"}}, kCray),
                      tioga = with_nics({{"hsi0"}, {"hsi1"}}, kCray),
                      unnamed = with_nics({{}, {}}, kCray),
                      new_hwloc = with_nics({{"cxi1", "hsn0"}}, kCray);
    const struct {
        const NodeDevices& node;
        Variables variables;
        Numbers nics;
        std::string source;
        Strings unknown = {};
    } cases[] = {{mellanox, {}, {}, ""},
                 {mellanox, {{ucx, "all"}}, {}, ""},
                 {mellanox, {{ucx, ""}}, {}, ""},
                 {mellanox, {{ucx, "mlx5_1:1"}}, {1}, ucx},
                 {mellanox, {{ucx, "mlx5_2:1,mlx5_0:1"}}, {0, 2}, ucx},
                 {mellanox, {{ucx, "mlx5_1"}}, {1}, ucx},
                 {mellanox, {{ucx, "ib0"}}, {0}, ucx},
                 {mellanox, {{ucx, "mlx5_[0-1]:1"}}, {0, 1}, ucx},
                 {mellanox, {{ucx, "mlx5_?:*"}}, {0, 1, 2}, ucx},
                 {mellanox, {{ucx, "^mlx5_0:1,mlx5_9:1"}}, {1, 3}, ucx},
                 {mellanox, {{ucx, "mlx5_9:1,mlx5_1:1"}}, {1}, ucx, {"mlx5_9:1"}},
                 {mellanox, {{ucx, "mlx5_9"}}, {}, ucx, {"mlx5_9"}},
                 {mellanox, {{ucx, "mlx4_0:1, mlx5_1:1"}}, {}, ucx, {"mlx4_0:1", " mlx5_1:1"}},
                 {mellanox, {{ucx, "eth0"}}, {}, ucx},
                 {mellanox, {{ucx, "mlx5_1:1"}, {cxi, "cxi0"}}, {1}, ucx},
                 {mellanox, {{cxi, "cxi0"}}, {}, cxi, {"cxi0"}},
                 {frontier, {{cxi, "cxi2"}}, {2}, cxi},
                 {frontier, {{cxi, "cxi3,cxi1"}, {ucx, "mlx5_1:1"}}, {1, 3}, cxi},
                 {frontier, {{cxi, "cxi4,hsn0,cxi1x"}}, {}, cxi, {"cxi4", "hsn0", "cxi1x"}},
                 {frontier, {{cxi, ""}}, {}, ""},
                 {tioga, {{cxi, "cxi1"}}, {1}, cxi},
                 {unnamed, {{cxi, "cxi1"}}, {1}, cxi},
                 {new_hwloc, {{cxi, "cxi1"}}, {0}, cxi}};
    for (const auto& [node, variables, nics, source, unknown] : cases) {
        OwnDevices own;
        own.variables = variables;
        const NicView view = chosen_nics(node, own);
        const std::string value = variables.empty() ? "" : variables.begin()->second;
        EXPECT_EQ(view.nics, nics) << value;
        EXPECT_EQ(view.source, source) << value;
        EXPECT_EQ(view.unknown, unknown) << value;
    }
}

TEST(JobGpus, are_slurms_or_the_one_list_or_all) {
    const auto gpus = [](const std::vector<Variables>& ranks, const Numbers& allowed = {}) {
        DeviceJob job;
        job.kinds.push_back({{"n0"}, kNvidiaNode});
        Numbers numbers;
        for (const Variables& variables : ranks) {
            DeviceRank rank;
            rank.own = own_of(kNvidiaNode, variables, {}, allowed);
            rank.gpus = visible_gpus(kNvidiaNode, rank.own);
            numbers.push_back(static_cast<int>(job.ranks.size()));
            job.ranks.push_back(rank);
        }
        return job_gpus(job, numbers);
    };
    EXPECT_EQ(gpus({{}, {}}), (Numbers{0, 1, 2, 3}));
    EXPECT_EQ(gpus({{{kCuda, "2,1"}}, {{kCuda, "2,1"}}}), (Numbers{1, 2}));
    EXPECT_EQ(gpus({{{kCuda, "1"}}, {{kCuda, "2"}}}), (Numbers{0, 1, 2, 3}));
    EXPECT_EQ(gpus({{{kCuda, "0"}}, {{kCuda, "1"}}}, {1, 3}), (Numbers{1, 3}));
    EXPECT_EQ(gpus({{{kCuda, ""}}, {{kCuda, ""}}}), (Numbers{0, 1, 2, 3}));
    EXPECT_EQ(gpus({{{"SLURM_JOB_GPUS", "0,2-3"}, {kCuda, "0"}}}), (Numbers{0, 2, 3}));
    EXPECT_EQ(gpus({{{"SLURM_JOB_GPUS", "0-3"}, {"SLURM_STEP_GPUS", "2"}}, {{"SLURM_STEP_GPUS", "3"}}}),
              (Numbers{2, 3}));
    EXPECT_EQ(gpus({{{"SLURM_STEP_GPUS", "x"}}}), (Numbers{0, 1, 2, 3}));
}

}  // namespace
}  // namespace hitopo::tool
