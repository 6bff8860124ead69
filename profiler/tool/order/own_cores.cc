// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "profiler/tool/order/own_cores.h"

#include <unistd.h>

#include <array>

#include "ompi/mca/hitopo/core/text/host_name.h"
#include "ompi/mca/hitopo/support/own_cgroup.h"

namespace hitopo::tool {
namespace {

bool is_this_host(const std::string& host) {
    std::array<char, 256> name = {};
    return (gethostname(name.data(), name.size() - 1) == 0 && is_same_host(host, name.data())) ||
           host == "localhost" || host == "::1" || host.compare(0, 4, "127.") == 0;
}

CpuSet read_cpus(const std::string& file) { return read_cpu_list("/sys/devices/system/cpu/" + file); }

}  // namespace

std::size_t own_cores(const std::string& host) {
    if (!is_this_host(host)) {
        return 0;
    }
    CpuSet cpus = read_cpus("online");
    const CpuSet allowed = OwnCgroup().allowed_cpus();
    if (!allowed.is_empty()) {
        cpus &= allowed;
    }
    std::size_t num_cores = 0;
    for (int cpu = cpus.first(); cpu >= 0; cpu = cpus.next(cpu)) {
        CpuSet core = read_cpus("cpu" + std::to_string(cpu) + "/topology/thread_siblings_list");
        core &= cpus;
        num_cores += core.is_empty() || core.first() == cpu ? 1 : 0;
    }
    return num_cores;
}

}  // namespace hitopo::tool
