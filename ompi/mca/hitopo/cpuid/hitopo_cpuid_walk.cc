// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include <pthread.h>

#include <map>
#include <utility>

#include "ompi/mca/hitopo/cpuid/cpuid_topology.h"
#include "ompi/mca/hitopo/support/cpu_mask.h"
#include "ompi/mca/hitopo/support/helper_thread.h"

namespace hitopo {
namespace {

using CpuMap = std::map<int, CpuIds>;  // by operating system number

std::string count_of(int asked, int all) {
    return std::to_string(asked) + " of " + std::to_string(all) + " CPUs";
}

// Two CPUs that have the ids of one thread, if any.
std::optional<std::pair<int, int>> find_twins(const CpuMap& cpus) {
    std::map<std::uint32_t, int> by_thread;
    for (const auto& [cpu, ids] : cpus) {
        const auto [place, is_new] = by_thread.emplace(ids.thread, cpu);
        if (!is_new) {
            return std::make_pair(place->second, cpu);
        }
    }
    return std::nullopt;
}

template <class Key>
void add_instances(Machine& machine, std::string_view type, const CpuMap& cpus, Key key) {
    std::map<decltype(key(CpuIds())), CpuSet> instances;
    for (const auto& [cpu, ids] : cpus) {
        instances[key(ids)].add(cpu);
    }
    for (const auto& [ids, set] : instances) {
        machine.add(type, set);
    }
}

Machine machine_of(const CpuMap& cpus) {
    Machine machine;
    add_instances(machine, "Machine", cpus, [](const CpuIds&) { return 0; });
    add_instances(machine, "Package", cpus, [](const CpuIds& ids) { return ids.package; });
    add_instances(machine, "Core", cpus, [](const CpuIds& ids) { return ids.core; });
    add_instances(machine, "PU", cpus, [](const CpuIds& ids) { return ids.thread; });
    machine.finish();
    return machine;
}

CpuWalk conclude(const CpuMap& cpus, int num_all) {
    if (cpus.empty()) {
        return {std::nullopt, "the system allows no thread to bind itself to a CPU"};
    }
    if (const auto twins = find_twins(cpus)) {
        return {std::nullopt, "CPUs " + std::to_string(twins->first) + " and " +
                                  std::to_string(twins->second) +
                                  " both report the same hardware thread"};
    }
    return {machine_of(cpus), "asked " + count_of(static_cast<int>(cpus.size()), num_all)};
}

}  // namespace

CpuWalk walk_cpus(CpuAsker& asker, const std::function<bool()>& is_over) {
    const CpuSet all = asker.cpus();
    CpuMap cpus;
    std::map<std::uint32_t, std::uint64_t> kernel_packages;  // of each package by cpuid
    std::map<std::uint64_t, std::uint32_t> packages;         // and the other way round
    for (int cpu = all.first(); cpu >= 0; cpu = all.next(cpu)) {
        if (is_over()) {
            return {std::nullopt, "out of time after " +
                                      count_of(static_cast<int>(cpus.size()), all.count()) +
                                      " (hitopo_cpuid_timeout_ms)"};
        }
        if (!asker.move_to(cpu)) {
            continue;
        }
        const std::optional<CpuIds> ids = asker.ask();
        if (!ids) {
            return {std::nullopt, "CPU " + std::to_string(cpu) + " has no cpuid leaf with its position"};
        }
        const std::optional<std::uint64_t> kernel = asker.kernel_package(cpu);
        if (kernel && (kernel_packages.emplace(ids->package, *kernel).first->second != *kernel ||
                       packages.emplace(*kernel, ids->package).first->second != ids->package)) {
            return {std::nullopt, "the kernel puts CPU " + std::to_string(cpu) +
                                      " into another package than cpuid, as in some virtual machines"};
        }
        cpus.emplace(cpu, *ids);
    }
    return conclude(cpus, all.count());
}

bool run_on_helper_thread(std::chrono::steady_clock::time_point deadline,
                          const std::function<void()>& body) {
    std::optional<HelperThread> helper = HelperThread::start(body);
    if (!helper) {
        return false;
    }
    for (; !helper->ends_by(deadline);
         deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(1)) {
        const CpuMask mine = CpuMask::of_thread(0);
        pthread_setaffinity_np(helper->handle(), mine.num_bytes(), mine.get());
    }
    helper->join();
    return true;
}

}  // namespace hitopo
