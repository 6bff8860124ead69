// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A maximum flow by augmenting paths: who wants a CPU more takes one of another wish, which takes one
// elsewhere, and so on.
#include "ompi/tools/hitopo/check/short_sets.h"

#include <cstddef>

namespace hitopo::tool {
namespace {

constexpr std::size_t kNobody = ~std::size_t{0};

class Flow {
public:
    explicit Flow(const std::vector<CpuWish>& wishes) : wishes_(wishes) {
        CpuSet all;
        for (const CpuWish& wish : wishes) {
            all |= *wish.cpus;
        }
        owner_.assign(static_cast<std::size_t>(all.last()) + 1, kNobody);
    }

    std::vector<CpuSet> find() {
        std::vector<CpuSet> found;
        for (std::size_t wish = 0; wish < wishes_.size(); ++wish) {
            for (int i = 0; i < wishes_[wish].num_wanted; ++i) {
                if (!serve(wish)) {
                    found.push_back(reached());
                    break;
                }
            }
        }
        return found;
    }

private:
    // How a wish was reached: another one can have this CPU of it.
    struct Step {
        std::size_t wish;
        int cpu;
    };

    // Whether the wish gets one CPU more.
    bool serve(std::size_t first) {
        queue_ = {first};
        steps_.assign(wishes_.size(), {kNobody, -1});
        steps_[first].wish = first;
        for (std::size_t i = 0; i < queue_.size(); ++i) {
            const CpuSet& cpus = *wishes_[queue_[i]].cpus;
            for (int cpu = cpus.first(); cpu >= 0; cpu = cpus.next(cpu)) {
                const std::size_t owner = owner_[static_cast<std::size_t>(cpu)];
                if (owner == kNobody) {
                    take(cpu, queue_[i]);
                    return true;
                }
                if (steps_[owner].wish == kNobody) {
                    steps_[owner] = {queue_[i], cpu};
                    queue_.push_back(owner);
                }
            }
        }
        return false;
    }

    void take(int cpu, std::size_t wish) {
        while (cpu >= 0) {
            owner_[static_cast<std::size_t>(cpu)] = wish;
            cpu = steps_[wish].cpu;
            wish = steps_[wish].wish;
        }
    }

    // After a wish that was not served: all CPUs that are in its reach have owners whose CPUs are, too.
    CpuSet reached() const {
        CpuSet cpus;
        for (const std::size_t wish : queue_) {
            cpus |= *wishes_[wish].cpus;
        }
        return cpus;
    }

    const std::vector<CpuWish>& wishes_;
    std::vector<std::size_t> owner_;  // the wish that has the CPU
    std::vector<std::size_t> queue_;  // wishes that were reached
    std::vector<Step> steps_;         // of each wish
};

}  // namespace

std::vector<CpuSet> short_sets(const std::vector<CpuWish>& wishes) { return Flow(wishes).find(); }

}  // namespace hitopo::tool
