// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Linux's CPU masks at the size of a CpuSet (cpu_set_t ends at 1024 CPUs).
#ifndef OMPI_MCA_HITOPO_SUPPORT_CPU_MASK_H
#define OMPI_MCA_HITOPO_SUPPORT_CPU_MASK_H

#include <sched.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ompi/mca/hitopo/core/machine/cpuset.h"

namespace hitopo {

class CpuMask {
public:
    // The first `num_cpus` CPUs, all in the mask or none.
    CpuMask(int num_cpus, bool has_all)
        : words_(static_cast<std::size_t>(num_cpus + 63) / 64, has_all ? ~std::uint64_t{0} : 0) {}

    static CpuMask of(int cpu) {
        CpuMask mask(cpu + 1, false);
        mask.words_.back() = std::uint64_t{1} << (cpu % 64);
        return mask;
    }
    // The CPUs that a thread of this process may run on; 0 is the calling one. Empty if unknown.
    static CpuMask of_thread(pid_t thread) {
        // The kernel refuses a mask that is shorter than its own; few machines want more than the first.
        for (const int num_cpus : {1024, CpuSet::kMaxCpus}) {
            CpuMask mask(num_cpus, false);
            if (sched_getaffinity(thread, mask.num_bytes(),
                                  reinterpret_cast<cpu_set_t*>(mask.words_.data())) == 0) {
                return mask;
            }
        }
        return CpuMask(0, false);
    }

    std::size_t num_bytes() const { return words_.size() * sizeof words_[0]; }
    const cpu_set_t* get() const { return reinterpret_cast<const cpu_set_t*>(words_.data()); }
    CpuSet to_set() const { return CpuSet::from_words(words_); }

private:
    std::vector<std::uint64_t> words_;  // 64 CPUs each, as the kernel's own on x86
};

}  // namespace hitopo

#endif
