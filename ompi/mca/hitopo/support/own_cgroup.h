// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The limits of this process's control groups. A file that is missing, or odd, limits nothing. Header
// only, since components and base do not share C++ symbols.
#ifndef OMPI_MCA_HITOPO_SUPPORT_OWN_CGROUP_H
#define OMPI_MCA_HITOPO_SUPPORT_OWN_CGROUP_H

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/machine/cgroup.h"
#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/support/regular_file.h"

namespace hitopo {

// The CPUs that its first line lists; empty where there is none.
inline CpuSet read_cpu_list(const std::string& path) {
    return CpuSet::parse_or_empty(read_kernel_line(path));
}

class OwnCgroup {
public:
    // The groups of this process.
    OwnCgroup()
        : cgroup_(read_kernel_file("/proc/self/cgroup").value_or("")),
          mountinfo_(read_kernel_file("/proc/self/mountinfo").value_or("")) {}

    // The CPUs that its cpuset has; empty: unknown.
    CpuSet allowed_cpus() const {
        for (const std::string& folder : cgroup_folders(cgroup_, mountinfo_, "cpuset")) {
            for (const char* file :
                 {"/cpuset.cpus.effective", "/cpuset.effective_cpus", "/cpuset.cpus"}) {
                CpuSet cpus = read_cpu_list(folder + file);
                if (!cpus.is_empty()) {
                    return cpus;
                }
            }
        }
        return {};
    }

    // Its own group's first, then of those above it.
    std::vector<CgroupQuota> quotas() const {
        std::vector<CgroupQuota> quotas;
        for (const std::string& folder : cgroup_folders(cgroup_, mountinfo_, "cpu")) {
            const std::optional<std::int64_t> milli_cpus = quota_of(folder);
            struct stat status = {};
            if (milli_cpus && ::stat(folder.c_str(), &status) == 0) {
                // Each of the two versions' file systems numbers its groups by itself.
                quotas.push_back({static_cast<std::uint64_t>(status.st_dev) << 48 ^
                                      static_cast<std::uint64_t>(status.st_ino),
                                  *milli_cpus});
            }
        }
        return quotas;
    }

private:
    static std::optional<std::int64_t> quota_of(const std::string& folder) {
        if (const std::optional<std::string> cpu_max = read_kernel_file(folder + "/cpu.max")) {
            return milli_cpus_of(*cpu_max);
        }
        const std::optional<std::string> quota = read_kernel_file(folder + "/cpu.cfs_quota_us");
        const std::optional<std::string> period = read_kernel_file(folder + "/cpu.cfs_period_us");
        return quota && period ? milli_cpus_of(*quota, *period) : std::nullopt;
    }

    std::string cgroup_, mountinfo_;
};

}  // namespace hitopo

#endif
