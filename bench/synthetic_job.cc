// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "bench/synthetic_job.h"

#include <algorithm>
#include <random>

#include "ompi/mca/hitopo/core/machine/machine.h"
#include "ompi/mca/hitopo/core/record/make_record.h"
#include "ompi/mca/hitopo/core/record/wire_form.h"

namespace hitopo::bench {
namespace {

constexpr int kNumCores = 64;
constexpr std::uint64_t kShmDevice = 26;
constexpr std::uint64_t kIpcNamespace = 4026531839;

CpuSet cpus_of_cores(int first, int count) {
    CpuSet cpus = CpuSet::range(first, first + count - 1);
    return cpus |= CpuSet::range(kNumCores + first, kNumCores + first + count - 1);
}

void add_evenly(Machine& machine, const char* type, int count) {
    const int num_cores = kNumCores / count;
    for (int i = 0; i < count; ++i) {
        machine.add(type, cpus_of_cores(i * num_cores, num_cores));
    }
}

std::string make_machine() {
    Machine machine;
    add_evenly(machine, "Machine", 1);
    add_evenly(machine, "Package", 2);
    add_evenly(machine, "NUMANode", 4);
    add_evenly(machine, "L3Cache", 8);
    for (const char* type : {"L2Cache", "L1Cache", "Core"}) {
        add_evenly(machine, type, kNumCores);
    }
    for (int cpu = 0; cpu < 2 * kNumCores; ++cpu) {
        machine.add("PU", CpuSet::range(cpu, cpu));
    }
    machine.finish();
    return machine.encode();
}

std::string numbered(const char* stem, std::uint32_t number) { return stem + std::to_string(number); }

}  // namespace

SyntheticJob::SyntheticJob(const JobShape& shape) : shape_(shape), machine_(make_machine()) {
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t node = 0; node < shape.num_nodes; ++node) {
        nodes.insert(nodes.end(), shape.num_processes_per_node, node);
    }
    if (!shape.is_by_slot) {
        std::shuffle(nodes.begin(), nodes.end(), std::mt19937_64(1));
    }
    ranks_.resize(shape.num_nodes);
    for (const std::uint32_t node : nodes) {
        const auto rank = static_cast<std::uint32_t>(places_.size());
        places_.push_back({node, static_cast<std::uint32_t>(ranks_[node].size())});
        ranks_[node].push_back(rank);
    }
}

// Scattered: an odd step through the cores, and a start, that only few nodes have in common.
int SyntheticJob::core_of(const Place& place) const {
    const std::uint32_t step = shape_.is_scattered ? 2 * place.node + 1 : 1;
    const std::uint32_t start = shape_.is_scattered ? place.node / kNumCores : 0;
    return static_cast<int>((start + step * place.index) % kNumCores);
}

RecordMessage SyntheticJob::record(std::uint32_t rank) const {
    const Place& place = places_[rank];
    const std::uint32_t leaf = place.node / shape_.num_nodes_per_switch;
    const std::uint32_t island = leaf / shape_.num_switches_per_island;
    const Name cluster("cluster0");
    const Name island_name(numbered("island", island));
    const Name node_name(numbered("node", place.node));

    ComponentAnswer hwloc;
    hwloc.component = "hwloc";
    hwloc.priority = 60;
    if (place.index == 0) {
        hwloc.machine = machine_;
    }
    ComponentAnswer slurm;
    slurm.component = "slurm";
    slurm.priority = 50;
    slurm.values[kCluster] = cluster;
    slurm.values[kIsland] = island_name;
    slurm.values[kSwitch] = RawValue({island_name, Name(numbered("leaf", leaf))});
    slurm.values[kNode] = node_name;
    ComponentAnswer hostname;
    hostname.component = "hostname";
    hostname.priority = 10;
    hostname.values[kNode] = node_name;

    ProcessFacts facts;
    facts.host_name = node_name.text();
    facts.boot_id = numbered("boot", place.node);
    facts.cpus = cpus_of_cores(core_of(place), 1);
    facts.shm_device = kShmDevice;
    facts.ipc_namespace = kIpcNamespace + (shape_.has_private_ipc ? place.node : 0);
    facts.is_host_asked = place.index == 0;
    facts.settings = {{"coll", "0123abcd 40"}, {"prof", ""}};
    return make_record(rank, facts, {hwloc, slurm, hostname});
}

RecordMessage SyntheticJob::records(std::uint32_t begin, std::uint32_t end) const {
    MessageMaker all;
    for (std::uint32_t node = begin; node < end; ++node) {
        MessageMaker members;
        for (const std::uint32_t rank : ranks_[node]) {
            members.append(record(rank));
        }
        all.append(join_group(members.take()));
    }
    return all.take();
}

}  // namespace hitopo::bench
