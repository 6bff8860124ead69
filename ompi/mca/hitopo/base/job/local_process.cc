// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/job/local_process.h"

#include <dirent.h>
#include <sched.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string_view>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/flat_map.h"

namespace hitopo {
namespace {

// The kernel refuses a mask shorter than its own (EINVAL) without saying how long that is.
void add_thread(pid_t thread, CpuSet& cpus) {
    for (int capacity = 1024; capacity <= CpuSet::kMaxCpus; capacity *= 4) {
        const std::size_t num_bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(capacity));
        std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> mask(
            CPU_ALLOC(static_cast<std::size_t>(capacity)), [](cpu_set_t* set) { CPU_FREE(set); });
        if (!mask || sched_getaffinity(thread, num_bytes, mask.get()) != 0) {
            continue;
        }
        for (int cpu = 0; cpu < capacity; ++cpu) {
            if (CPU_ISSET_S(static_cast<std::size_t>(cpu), num_bytes, mask.get())) {
                cpus.add(cpu);
            }
        }
        return;
    }
}

std::string read_host_name() {
    char name[HOST_NAME_MAX + 1] = {};
    return gethostname(name, sizeof name - 1) == 0 ? name : "unknown-host";
}

std::string read_boot_id() {
    std::string id;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
    return id;
}

}  // namespace

CpuSet read_binding() {
    CpuSet cpus;
    std::unique_ptr<DIR, int (*)(DIR*)> tasks(opendir("/proc/self/task"), closedir);
    while (const dirent* task = tasks ? readdir(tasks.get()) : nullptr) {
        if (const int thread = std::atoi(task->d_name)) {
            add_thread(thread, cpus);
        }
    }
    if (cpus.is_empty()) {
        add_thread(0, cpus);
    }
    return cpus;
}

std::uint64_t hash_thread_bindings() {
    constexpr std::size_t kWords = CpuSet::kMaxCpus / 64 / 8;  // what kernels take at most
    std::uint64_t masks[2][kWords];
    std::string_view bytes[2];
    const pid_t threads[] = {0, getpid()};
    for (std::size_t i = 0; i < 2; ++i) {
        auto* mask = reinterpret_cast<cpu_set_t*>(masks[i]);
        const long num_bytes =
            syscall(SYS_sched_getaffinity, threads[i], sizeof masks[i], mask);  // gives its length
        bytes[i] = {reinterpret_cast<const char*>(mask),
                    num_bytes > 0 ? static_cast<std::size_t>(num_bytes) : 0};
    }
    return combine(hash_bytes(bytes[0]), hash_bytes(bytes[1]));
}

ProcessFacts read_process_facts() {
    ProcessFacts facts;
    facts.host_name = read_host_name();
    facts.boot_id = read_boot_id();
    facts.cpus = read_binding();
    struct stat status = {};
    if (stat("/dev/shm", &status) == 0) {
        facts.shm_device = status.st_dev;
    }
    if (stat("/proc/self/ns/ipc", &status) == 0) {
        facts.ipc_namespace = status.st_ino;
    }
    return facts;
}

}  // namespace hitopo
