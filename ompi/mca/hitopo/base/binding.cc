// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/hitopo/base/binding.h"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <memory>
#include <mutex>
#include <vector>

#include "ompi/mca/hitopo/support/cpu_mask.h"

namespace hitopo {
namespace {

constexpr const char* kFolder = "/proc/self/task";

// This process's threads, listed anew only where their number changed or one of them is gone.
class Threads {
public:
    CpuSet read_cpus() {
        CpuSet cpus;
        if (!is_complete() || !add_cpus(cpus)) {
            list();
            cpus = CpuSet();
            (void)add_cpus(cpus);
        }
        return cpus.is_empty() ? CpuMask::of_thread(0).to_set() : cpus;
    }

private:
    // The folder has a link for each thread, and two of its own.
    bool is_complete() const {
        struct stat folder = {};
        return stat(kFolder, &folder) == 0 && folder.st_nlink == threads_.size() + 2;
    }

    void list() {
        process_ = getpid();
        threads_.clear();
        const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(kFolder), closedir);
        while (const dirent* entry = folder ? readdir(folder.get()) : nullptr) {
            if (const int thread = std::atoi(entry->d_name)) {
                threads_.push_back(thread);
            }
        }
    }

    // Whether all are still here.
    bool add_cpus(CpuSet& cpus) const {
        bool are_here = true;
        for (const pid_t thread : threads_) {
            if (is_own(thread)) {
                cpus |= CpuMask::of_thread(thread).to_set();
            } else {
                are_here = false;
            }
        }
        return are_here;
    }

    // The number of a thread that is gone may be another process's by now, but for the first thread's.
    bool is_own(pid_t thread) const {
        return thread == process_ || syscall(SYS_tgkill, process_, thread, 0) == 0;
    }

    pid_t process_ = 0;
    std::vector<pid_t> threads_;
};

}  // namespace

CpuSet read_binding() {
    static std::mutex& mutex = *new std::mutex;  // callers outlive static destructors
    static Threads& threads = *new Threads;
    const std::lock_guard<std::mutex> lock(mutex);
    return threads.read_cpus();
}

}  // namespace hitopo
