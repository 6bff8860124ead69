// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The machine by the cpuid instruction, asked on each CPU in turn.
#include "ompi/mca/hitopo/cpuid/hitopo_cpuid.h"

#include <cpuid.h>
#include <sched.h>

#include <chrono>

#include "ompi/mca/hitopo/core/address/answer.h"
#include "ompi/mca/hitopo/core/text/guard.h"
#include "ompi/mca/hitopo/core/text/text.h"
#include "ompi/mca/hitopo/cpuid/cpuid_topology.h"
#include "ompi/mca/hitopo/support/cpu_mask.h"
#include "ompi/mca/hitopo/support/regular_file.h"

namespace hitopo {
namespace {

using Clock = std::chrono::steady_clock;

class LinuxCpus : public CpuAsker {
public:
    // The kernel cuts a binding to all CPUs down to those that the cgroup allows.
    CpuSet cpus() override {
        const CpuMask all(CpuSet::kMaxCpus, true);
        sched_setaffinity(0, all.num_bytes(), all.get());
        return CpuMask::of_thread(0).to_set();
    }

    bool move_to(int cpu) override {
        const CpuMask mask = CpuMask::of(cpu);
        return sched_setaffinity(0, mask.num_bytes(), mask.get()) == 0 && sched_getcpu() == cpu;
    }

    std::optional<CpuIds> ask() override {
        if (!layout_) {
            layout_ = decode_apic_layout(cpuid_);
        }
        return layout_ ? std::optional(ids_of_cpu(*layout_, cpuid_)) : std::nullopt;
    }

    std::optional<std::uint64_t> kernel_package(int cpu) override {
        return parse_number(read_kernel_line("/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                                             "/topology/physical_package_id"));
    }

private:
    const Cpuid cpuid_ = [](std::uint32_t leaf, std::uint32_t subleaf) {
        CpuidRegisters registers;
        __cpuid_count(leaf, subleaf, registers.eax, registers.ebx, registers.ecx, registers.edx);
        return registers;
    };
    std::optional<ApicLayout> layout_;
};

CpuWalk walk_within(int timeout_ms) {
    const Clock::time_point deadline = Clock::now() + std::chrono::milliseconds(timeout_ms);
    CpuWalk walk;
    const bool has_run = run_on_helper_thread(deadline, [&] {
        LinuxCpus cpus;
        walk = walk_cpus(cpus, [&] { return Clock::now() >= deadline; });
    });
    if (!has_run) {
        walk.reason = "the system could not start a thread for the cpuid instruction";
    }
    return walk;
}

// The reason why no CPU is asked; empty if they are.
std::string why_not(const hitopo_cpuid_settings_t& settings, const Question& question) {
    if (question.is_simulated) {
        return "not asked: the machine is simulated";
    }
    if (!question.wants_machine) {
        return "not asked: another component or process of the node contributes the machine";
    }
    return settings.timeout_ms > 0 ? "" : "not asked: hitopo_cpuid_timeout_ms is not positive";
}

void query(const hitopo_cpuid_settings_t& settings, const Question& question, Answer& answer) {
    answer.reason = why_not(settings, question);
    if (!answer.reason.empty()) {
        return;
    }
    const CpuWalk walk = walk_within(settings.timeout_ms);
    answer.reason = walk.reason;
    if (walk.machine) {
        answer.machine = walk.machine->encode();
    }
}

}  // namespace
}  // namespace hitopo

extern "C" int hitopo_cpuid_query(const hitopo_cpuid_settings_t* settings,
                                  const hitopo_question_t* question, hitopo_answer_t* answer) {
    return hitopo::guarded([&] { hitopo::query(*settings, *question, *answer); });
}
