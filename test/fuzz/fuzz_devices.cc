// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
// runs: 2000
//
// Any bytes as a process's text about its devices, as each variable and as drivers' files: views name
// devices of the node, and what `hitopo check` prints is harmless.
#include <algorithm>
#include <cstdint>
#include <string>

#include "ompi/tools/hitopo/check/check.h"
#include "ompi/tools/hitopo/devices/job.h"
#include "test/fuzz/harmless.h"

namespace hitopo::tool {
namespace {

NodeDevices node_of(unsigned vendor, unsigned model) {
    NodeDevices node;
    node.cpus = CpuSet::range(0, 7);
    for (int i = 0; i < 4; ++i) {
        const CpuSet cpus = CpuSet::range(2 * i, 2 * i + 1);
        node.numa_nodes.push_back({i, cpus});
        node.gpus.push_back(
            {"0000:0" + std::to_string(i) + ":00.0", vendor, model, 0, cpus, {"root"}, {}, true});
        node.nics.push_back(
            {"0001:00:00.0", vendor == kAmd ? kCray : 0, 0, 0, cpus, {"root"}, {"mlx5_0"}, i > 0});
    }
    node.packages = {CpuSet::range(0, 3), CpuSet::range(4, 7)};
    return node;
}

bool are_different(std::vector<int> numbers, std::size_t end) {
    std::sort(numbers.begin(), numbers.end());
    return std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end() &&
           (numbers.empty() || (numbers.front() >= 0 && numbers.back() < static_cast<int>(end)));
}

DeviceRank rank_of(const NodeDevices& node, const OwnDevices& own) {
    DeviceRank rank;
    rank.own = own;
    rank.gpus = visible_gpus(node, own);
    rank.nics = chosen_nics(node, own);
    require(are_different(rank.gpus.gpus, node.gpus.size()));
    require(rank.gpus.is_known || rank.gpus.gpus.empty());
    require(are_different(rank.nics.nics, node.nics.size()));
    require(!rank.nics.source.empty() || (rank.nics.nics.empty() && rank.nics.unknown.empty()));
    require(are_different(slurm_gpus(node, own), node.gpus.size()));
    return rank;
}

void check(const NodeDevices& node, const OwnDevices& own) {
    DeviceJob job;
    job.kinds = {{{}, node}};
    job.ranks = {rank_of(node, own), rank_of(node, {})};
    job.ranks[1].local_rank = 1;
    job.ranks[1].cpus = CpuSet::range(0, 1);
    CheckedJob placement;
    placement.nodes.resize(1);
    placement.nodes[0].ranks = {0, 1};
    placement.processes.resize(2);
    for (const bool by_local_rank : {false, true}) {
        Checked checked;
        find_devices(job, placement, {true, by_local_rank}, checked);
        require_harmless(format_check(checked, placement, Charset::kAscii), Charset::kAscii);
    }
}

}  // namespace
}  // namespace hitopo::tool

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace hitopo;
    using namespace hitopo::tool;
    const std::string text(reinterpret_cast<const char*>(data), size);
    const OwnDevices own = own_devices_in(text);
    require(to_text(own_devices_in(to_text(own))) == to_text(own));
    (void)nvidia_information_in(text);
    (void)kfd_gpu_in(text);
    for (const NodeDevices& node : {node_of(kNvidia, 1), node_of(kAmd, 1), node_of(kIntel, 0x0bd5)}) {
        check(node, own);
        for (const char* variable : kDeviceVariables) {
            OwnDevices one;
            one.uuids = own.uuids;
            one.variables[variable] = text;
            check(node, one);
        }
    }
    return 0;
}
