// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The plan of a node of 256 cores, 8 NUMA nodes and 8 GPUs for 256 ranks (wanted: below 100 ms): not
// bound, a core each in random order, and all at NUMA node 0, so that nearly all have far GPUs.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>

#include "ompi/mca/hitopo/core/machine/plan.h"

namespace hitopo::bench {
namespace {

constexpr int kNumGpus = 8, kNumRanks = 256, kCoresEach = kNumRanks / kNumGpus;

NodeDevices make_node() {
    NodeDevices node;
    for (int i = 0; i < kNumGpus; ++i) {
        Device gpu;
        gpu.pci = std::to_string(i);
        const int first = (kNumGpus - 1 - i) * kCoresEach;
        gpu.place = CpuSet::range(first, first + kCoresEach - 1);
        node.gpus.push_back(gpu);
        node.numa_nodes.push_back({i, CpuSet::range(i * kCoresEach, (i + 1) * kCoresEach - 1)});
    }
    for (int core = 0; core < kNumRanks; ++core) {
        node.cores.push_back(CpuSet::range(core, core));
    }
    node.cpus = CpuSet::range(0, kNumRanks - 1);
    node.packages = {node.cpus};
    return node;
}

void plan_of(benchmark::State& state, const std::vector<CpuSet>& bound) {
    const NodeDevices node = make_node();
    for (auto _ : state) {
        benchmark::DoNotOptimize(plan(node, bound, {0, 1, 2, 3, 4, 5, 6, 7}, {}));
    }
}

void unbound(benchmark::State& state) { plan_of(state, std::vector<CpuSet>(kNumRanks)); }

void shuffled(benchmark::State& state) {
    std::vector<CpuSet> bound = make_node().cores;
    std::shuffle(bound.begin(), bound.end(), std::mt19937(1));
    plan_of(state, bound);
}

void one_numa_node(benchmark::State& state) {
    plan_of(state, std::vector<CpuSet>(kNumRanks, CpuSet::range(0, kCoresEach - 1)));
}

BENCHMARK(unbound)->Unit(benchmark::kMillisecond);
BENCHMARK(shuffled)->Unit(benchmark::kMillisecond);
BENCHMARK(one_numa_node)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hitopo::bench

BENCHMARK_MAIN();
