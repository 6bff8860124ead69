// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// What select gives, check finds right: on all machines that HiTopo ships, for ranks as many as GPUs,
// twice, half and one, and odd numbers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/hwloc/hitopo_hwloc_topology.h"
#include "ompi/tools/hitopo/check/check.h"
#include "ompi/tools/hitopo/devices/job.h"
#include "ompi/tools/hitopo/select/select.h"
#include "test/paths.h"

namespace hitopo::tool {
namespace {

// A job of one node, whose ranks have all GPUs and are not bound, or bound to `bound` in turn.
DeviceJob job_on(const NodeDevices& node, int num_ranks, const std::vector<CpuSet>& bound = {}) {
    DeviceJob job;
    job.kinds.resize(1);
    job.kinds[0].names = {"n0"};
    job.kinds[0].devices = node;
    for (int i = 0; i < num_ranks; ++i) {
        DeviceRank rank;
        rank.node = "n0";
        rank.local_rank = i;
        rank.cpus = bound.empty() ? CpuSet() : bound[static_cast<std::size_t>(i) % bound.size()];
        rank.gpus = visible_gpus(node, rank.own);
        job.ranks.push_back(rank);
    }
    return job;
}

template <class TextOf>
std::string list_of(const std::vector<int>& numbers, TextOf text_of) {
    std::string list;
    for (const int number : numbers) {
        add_item(list, ",", text_of(number));
    }
    return list;
}

// As the script sets them, but for NVIDIA's UUIDs.
void set_variables(const NodeDevices& node, DeviceRank& rank) {
    const unsigned vendor = node.gpus.front().vendor;
    rank.own.variables = {{vendor == kNvidia ? "CUDA_VISIBLE_DEVICES"
                           : vendor == kAmd  ? "ROCR_VISIBLE_DEVICES"
                                             : "ZE_AFFINITY_MASK",
                           list_of(rank.gpus.gpus, [](int gpu) { return std::to_string(gpu); })},
                          {"ZE_FLAT_DEVICE_HIERARCHY", "COMPOSITE"}};
    if (!rank.nics.nics.empty()) {
        rank.own.variables["UCX_NET_DEVICES"] = list_of(rank.nics.nics, [&](int nic) {
            return node.nics[static_cast<std::size_t>(nic)].name() + ":1";
        });
    }
    rank.gpus = visible_gpus(node, rank.own);
    rank.nics = chosen_nics(node, rank.own);
}

// What check prints of a job whose ranks have these devices; without the counts.
std::string found_in(DeviceJob job) {
    CheckedJob placement;
    placement.nodes.emplace_back();
    placement.nodes.back().name = "n0";
    for (DeviceRank& rank : job.ranks) {
        placement.nodes.back().ranks.push_back(static_cast<int>(placement.processes.size()));
        placement.processes.push_back({0, nullptr, 0});
        set_variables(job.kinds[0].devices, rank);
    }
    Checked checked;
    find_devices(job, placement, {true, false}, checked);
    const std::string text = format_check(checked, placement, Charset::kUtf8);
    return text.substr(text.find('\n') + 1);
}

std::string found_in(const DeviceJob& job, const SelectOptions& options) {
    const Result<Selection> selection = select_devices(job, options);
    return selection ? found_in(selection->job) : selection.error().value;
}

class SelectAndCheck : public testing::TestWithParam<const char*> {
protected:
    SelectAndCheck() {
        const Result<Topology> topology = load_simulated_topology(
            std::string(FIXTURES_DIR "/../../examples/machines/") + GetParam() + ".xml");
        EXPECT_TRUE(topology);
        node_ = topology ? devices_of(topology->get()) : NodeDevices();
    }

    NodeDevices node_;
};

TEST_P(SelectAndCheck, check_finds_nothing_in_what_select_gives) {
    const int num_gpus = static_cast<int>(node_.gpus.size());
    ASSERT_GT(num_gpus, 0);
    for (const int num_ranks :
         std::set<int>{1, 2, 3, num_gpus / 2, num_gpus - 1, num_gpus, num_gpus + 1, 2 * num_gpus}) {
        EXPECT_EQ(found_in(job_on(node_, num_ranks), {}), "") << num_ranks << " ranks";
    }
}

TEST_P(SelectAndCheck, in_the_order_of_gpus_and_bound_to_numa_nodes_too) {
    const int num_gpus = static_cast<int>(node_.gpus.size());
    SelectOptions by_gpu;
    by_gpu.by_gpu = true;
    EXPECT_EQ(found_in(job_on(node_, num_gpus), by_gpu), "");
    std::vector<CpuSet> bound;
    for (const NumaNode& numa : node_.numa_nodes) {
        bound.push_back(numa.cpus);
    }
    EXPECT_EQ(found_in(job_on(node_, 2 * num_gpus, bound), {}), "");
}

// That the test can fail: the GPUs of the first half and of the second are exchanged.
TEST_P(SelectAndCheck, check_finds_far_gpus) {
    const int num_gpus = static_cast<int>(node_.gpus.size());
    Result<Selection> selection = select_devices(job_on(node_, num_gpus), {});
    ASSERT_TRUE(selection);
    std::vector<DeviceRank>& ranks = selection->job.ranks;
    for (std::size_t i = 0; i < ranks.size() / 2; ++i) {
        std::swap(ranks[i].gpus, ranks[i + ranks.size() / 2].gpus);
    }
    EXPECT_NE(found_in(selection->job).find("fault: "), std::string::npos);
}

std::string name_of(const testing::TestParamInfo<const char*>& machine) {
    std::string name = machine.param;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}
INSTANTIATE_TEST_SUITE_P(Machines, SelectAndCheck,
                         testing::Values("aurora", "claix-2023", "corona", "dgx-a100", "dgx-h100",
                                         "frontier", "gh200x4", "juwels-booster", "marenostrum5-acc",
                                         "mi300a", "mi300a-cpx", "perlmutter", "polaris", "summit",
                                         "turin-4gpu"),
                         name_of);

}  // namespace
}  // namespace hitopo::tool
