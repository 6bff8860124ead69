// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The cost of each component's query on this machine. `X` is the time of a call when others went before;
// `X_cold` that of the first call of a process, which bench/run therefore starts for each.
#include <benchmark/benchmark.h>
#include <cpuid.h>
#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>

#include "ompi/mca/hitopo/cpuid/cpuid_topology.h"
#include "ompi/mca/hitopo/cpuid/hitopo_cpuid.h"
#include "ompi/mca/hitopo/hostname/hitopo_hostname.h"
#include "ompi/mca/hitopo/hwloc/hitopo_hwloc.h"
#include "ompi/mca/hitopo/slurm/hitopo_slurm.h"
#include "ompi/mca/hitopo/support/cpu_mask.h"
#include "ompi/mca/hitopo/support/own_cgroup.h"
#include "test/support/recorder.h"

namespace hitopo::bench {
namespace {

// query(question, answer): one component's.
template <class Query>
void call(benchmark::State& state, bool wants_machine, Query query) {
    for (auto _ : state) {
        Recorder recorder;
        recorder.host_is("r1i3n7.cluster.example");
        recorder.question.wants_machine = wants_machine;
        if (query(&recorder.question, &recorder) != 0) {
            state.SkipWithError("the component failed");
        }
    }
}

void slurm(benchmark::State& state) {
    setenv("SLURM_TOPOLOGY_ADDR", "core[1-2].island3.leaf[17-18].r1i3n7", 1);
    setenv("SLURM_TOPOLOGY_ADDR_PATTERN", "switch.switch.switch.node", 1);
    setenv("SLURMD_NODENAME", "r1i3n7", 1);
    setenv("SLURM_CLUSTER_NAME", "cluster0", 1);
    call(state, false, [](const hitopo_question_t* question, hitopo_answer_t* answer) {
        return hitopo_slurm_query(nullptr, question, answer);
    });
}

void hostname(benchmark::State& state) {
    const hitopo_hostname_settings_t settings = {"r{island}i{switch}n*", nullptr};
    call(state, false, [&](const hitopo_question_t* question, hitopo_answer_t* answer) {
        return hitopo_hostname_query(&settings, question, answer);
    });
}

void cpuid(benchmark::State& state) {
    const hitopo_cpuid_settings_t settings = {1000};
    call(state, true, [&](const hitopo_question_t* question, hitopo_answer_t* answer) {
        return hitopo_cpuid_query(&settings, question, answer);
    });
}

// Eight CPUs of two packages on whatever this machine has: the moves, the instruction and the
// arithmetic are real, only the answers are made up.
class EightCpus : public CpuAsker {
public:
    CpuSet cpus() override { return CpuSet::range(0, 7); }

    bool move_to(int cpu) override {
        cpu_ = cpu;
        const CpuMask mask = CpuMask::of(cpu % num_real_);
        return sched_setaffinity(0, mask.num_bytes(), mask.get()) == 0;
    }

    std::optional<CpuIds> ask() override {
        unsigned registers[4];
        __cpuid_count(0xb, 0, registers[0], registers[1], registers[2], registers[3]);
        benchmark::DoNotOptimize(registers);
        const auto cpu = static_cast<std::uint32_t>(cpu_);
        return CpuIds{cpu / 4, cpu / 2, cpu};
    }

    std::optional<std::uint64_t> kernel_package(int cpu) override {
        benchmark::DoNotOptimize(read_kernel_file("/sys/devices/system/cpu/cpu" +
                                                  std::to_string(cpu % num_real_) +
                                                  "/topology/physical_package_id"));
        return static_cast<std::uint64_t>(cpu) / 4;
    }

private:
    const int num_real_ = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
    int cpu_ = 0;
};

void cpuid_8_cpus(benchmark::State& state) {
    for (auto _ : state) {
        CpuWalk walk;
        run_on_helper_thread(std::chrono::steady_clock::now() + std::chrono::seconds(1), [&] {
            EightCpus cpus;
            walk = walk_cpus(cpus, [] { return false; });
        });
        if (!walk.machine) {
            state.SkipWithError(walk.reason.c_str());
        }
    }
}

const hitopo_hwloc_settings_t kHwloc = {nullptr, nullptr, []() -> void* { return nullptr; }, 0};

void hwloc(benchmark::State& state) {
    call(state, true, [](const hitopo_question_t* question, hitopo_answer_t* answer) {
        return hitopo_hwloc_query(&kHwloc, question, answer);
    });
}

// In all processes of a node but one.
void hwloc_not_asked(benchmark::State& state) {
    call(state, false, [](const hitopo_question_t* question, hitopo_answer_t* answer) {
        return hitopo_hwloc_query(&kHwloc, question, answer);
    });
}

#define WARM_AND_COLD(query)                                        \
    BENCHMARK(query)->Unit(benchmark::kMicrosecond)->UseRealTime(); \
    BENCHMARK(query)->Name(#query "_cold")->Unit(benchmark::kMicrosecond)->UseRealTime()->Iterations(1)

WARM_AND_COLD(slurm);
WARM_AND_COLD(hostname);
WARM_AND_COLD(cpuid);
WARM_AND_COLD(cpuid_8_cpus);
WARM_AND_COLD(hwloc);
WARM_AND_COLD(hwloc_not_asked);

}  // namespace
}  // namespace hitopo::bench

BENCHMARK_MAIN();
