// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/local_process.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <fstream>
#include <memory>

#include "ompi/mca/hitopo/support/cpu_mask.h"

namespace hitopo {
namespace {

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
            cpus |= CpuMask::of_thread(thread).to_set();
        }
    }
    if (cpus.is_empty()) {
        cpus = CpuMask::of_thread(0).to_set();
    }
    return cpus;
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
