// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Linux's control groups, which limit the CPUs of a process: their folders and their files' values.
#ifndef OMPI_MCA_HITOPO_CORE_MACHINE_CGROUP_H
#define OMPI_MCA_HITOPO_CORE_MACHINE_CGROUP_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hitopo {

// The folders whose files of `controller` ("cpu", "cpuset") hold for a process, its own group's first
// and then those above it, as far as they can be seen; of version 1, then of version 2. `cgroup` and
// `mountinfo` are the texts of /proc/self/cgroup and /proc/self/mountinfo; any bytes. A group outside of
// the mount has the mount's folder alone.
std::vector<std::string> cgroup_folders(std::string_view cgroup, std::string_view mountinfo,
                                        std::string_view controller);

// A group that has a quota of CPU time: equal ids are one group of a node, also where processes of
// several containers call it differently.
struct CgroupQuota {
    std::uint64_t id = 0;
    std::int64_t milli_cpus = 0;
};

// Thousandths of a CPU that a quota of CPU time gives; empty if it sets no limit or the text is no
// quota. cpu.max of version 2; cpu.cfs_quota_us and cpu.cfs_period_us of version 1.
std::optional<std::int64_t> milli_cpus_of(std::string_view cpu_max);
std::optional<std::int64_t> milli_cpus_of(std::string_view quota_us, std::string_view period_us);

}  // namespace hitopo

#endif
