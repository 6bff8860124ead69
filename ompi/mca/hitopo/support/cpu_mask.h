// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Linux's CPU masks at the size of a CpuSet (cpu_set_t ends at 1024 CPUs).
#ifndef OMPI_MCA_HITOPO_SUPPORT_CPU_MASK_H
#define OMPI_MCA_HITOPO_SUPPORT_CPU_MASK_H

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/machine/cpuset.h"

namespace hitopo {

class CpuMask {
public:
    // The first `num_cpus` CPUs, all in the mask or none.
    CpuMask(int num_cpus, bool has_all)
        : num_words_(static_cast<std::size_t>(num_cpus + kBits - 1) / kBits) {
        words_.fill(has_all ? ~std::uint64_t{0} : 0);
    }
    static CpuMask of(int cpu) {
        CpuMask mask(cpu + 1, false);
        mask.words_[mask.num_words_ - 1] = std::uint64_t{1} << (cpu % kBits);
        return mask;
    }
    // What a thread of this process may run on; 0 is the calling one. Empty if the system does not tell.
    static CpuMask of_thread(pid_t thread) {
        CpuMask mask;
        // The system call gives the length of the kernel's own mask, and sets that much.
        const long num_bytes =
            syscall(SYS_sched_getaffinity, thread, sizeof mask.words_, mask.words_.data());
        mask.num_words_ =
            num_bytes > 0 ? static_cast<std::size_t>(num_bytes) / sizeof mask.words_[0] : 0;
        return mask;
    }

    std::size_t num_bytes() const { return num_words_ * sizeof words_[0]; }
    const cpu_set_t* get() const { return reinterpret_cast<const cpu_set_t*>(words_.data()); }
    std::string_view bytes() const {
        return {reinterpret_cast<const char*>(words_.data()), num_bytes()};
    }
    CpuSet to_set() const {
        return CpuSet::from_words(std::vector<std::uint64_t>(words_.data(), words_.data() + num_words_));
    }

private:
    static constexpr int kBits = 64;  // of a word, as the kernel's own on x86

    CpuMask() = default;  // words that nobody reads are not written: this is done in every split

    std::array<std::uint64_t, CpuSet::kMaxCpus / kBits> words_;
    std::size_t num_words_ = 0;
};

}  // namespace hitopo

#endif
