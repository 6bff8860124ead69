// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Component cpuid: machines of invented CPUs, the helper thread, and this very machine against hwloc.
#include <gtest/gtest.h>
#include <hwloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include <chrono>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "ompi/mca/hitopo/core/machine/machine.h"
#include "ompi/mca/hitopo/cpuid/cpuid_topology.h"
#include "ompi/mca/hitopo/cpuid/hitopo_cpuid.h"
#include "ompi/mca/hitopo/support/cpu_mask.h"
#include "test/support/recorder.h"

namespace hitopo {
namespace {

bool never() { return false; }

class FakeCpus : public CpuAsker {
public:
    // By operating system number: package, core, thread.
    explicit FakeCpus(std::map<int, CpuIds> ids) : ids_(std::move(ids)) {}

    CpuSet cpus() override {
        CpuSet set;
        for (const auto& [cpu, ids] : ids_) {
            set.add(cpu);
        }
        return set;
    }
    bool move_to(int cpu) override {
        at_ = cpu;
        return closed.count(cpu) == 0;
    }
    std::optional<CpuIds> ask() override {
        ++num_asked;
        return is_mute ? std::nullopt : std::optional(ids_.at(at_));
    }

    std::optional<std::uint64_t> kernel_package(int cpu) override {
        const auto found = kernel_packages.find(cpu);
        return found == kernel_packages.end() ? std::nullopt : std::optional(found->second);
    }

    std::set<int> closed;
    std::map<int, std::uint64_t> kernel_packages;
    bool is_mute = false;
    int num_asked = 0;

private:
    std::map<int, CpuIds> ids_;
    int at_ = -1;
};

// An instance list as people write it: "0,8 1,9".
std::string sets_of(const CpuWalk& walk, std::string_view type) {
    const MachineType* found = walk.machine ? walk.machine->find(type) : nullptr;
    std::string text;
    for (const CpuSet& set : found != nullptr ? found->instances : std::vector<CpuSet>()) {
        text += (text.empty() ? "" : " ") + set.to_string();
    }
    return text;
}

// ids: of the CPUs 0, 1, ..
void expect_packages_and_cores(const std::vector<CpuIds>& ids, const char* packages, const char* cores) {
    std::map<int, CpuIds> numbered;
    for (const CpuIds& one : ids) {
        numbered.emplace(static_cast<int>(numbered.size()), one);
    }
    FakeCpus cpus(numbered);
    const CpuWalk walk = walk_cpus(cpus, never);
    EXPECT_EQ(sets_of(walk, "Package"), packages);
    EXPECT_EQ(sets_of(walk, "Core"), cores);
}

TEST(CpuidWalk, threads_numbered_i_and_i_plus_n) {
    // 2 packages of 2 cores of 2 threads
    FakeCpus cpus({{0, {0, 0, 0}},
                   {1, {0, 1, 2}},
                   {2, {1, 32, 64}},
                   {3, {1, 33, 66}},
                   {4, {0, 0, 1}},
                   {5, {0, 1, 3}},
                   {6, {1, 32, 65}},
                   {7, {1, 33, 67}}});
    const CpuWalk walk = walk_cpus(cpus, never);
    EXPECT_EQ(sets_of(walk, "Machine"), "0-7");
    EXPECT_EQ(sets_of(walk, "Package"), "0-1,4-5 2-3,6-7");
    EXPECT_EQ(sets_of(walk, "Core"), "0,4 1,5 2,6 3,7");
    EXPECT_EQ(sets_of(walk, "PU"), "0 1 2 3 4 5 6 7");
    EXPECT_EQ(walk.reason, "asked 8 of 8 CPUs");
}

TEST(CpuidWalk, threads_numbered_2i_and_2i_plus_1_with_packages_out_of_order) {
    expect_packages_and_cores({{1, 32, 64}, {1, 32, 65}, {0, 0, 0}, {0, 0, 1}}, "0-1 2-3", "0-1 2-3");
}

TEST(CpuidWalk, hybrid_cores) {
    // 2 performance cores of 2 threads, then 4 efficiency cores of 1
    const std::vector<CpuIds> ids = {{0, 0, 0},   {0, 0, 1},   {0, 4, 8},   {0, 4, 9},
                                     {0, 32, 64}, {0, 33, 66}, {0, 34, 68}, {0, 35, 70}};
    expect_packages_and_cores(ids, "0-7", "0-1 2-3 4 5 6 7");
}

TEST(CpuidWalk, complexes_of_three_cores) {
    // One core of each complex of four is fused off: the APIC ids have holes.
    const std::vector<CpuIds> ids = {{0, 0, 0}, {0, 1, 2}, {0, 2, 4}, {0, 4, 8}, {0, 5, 10}, {0, 7, 14}};
    expect_packages_and_cores(ids, "0-5", "0 1 2 3 4 5");
}

TEST(CpuidWalk, cpus_that_cannot_be_entered_are_left_out) {
    FakeCpus cpus({{0, {0, 0, 0}}, {1, {0, 0, 1}}, {2, {0, 1, 2}}, {3, {0, 1, 3}}});
    cpus.closed = {1};
    const CpuWalk walk = walk_cpus(cpus, never);
    EXPECT_EQ(sets_of(walk, "Core"), "0 2-3");
    EXPECT_EQ(walk.reason, "asked 3 of 4 CPUs");
    EXPECT_EQ(cpus.num_asked, 3);
}

TEST(CpuidWalk, no_machine_where_nothing_moves) {
    FakeCpus cpus({{0, {0, 0, 0}}, {1, {0, 1, 2}}});
    cpus.closed = {0, 1};
    const CpuWalk walk = walk_cpus(cpus, never);
    EXPECT_FALSE(walk.machine);
    EXPECT_EQ(walk.reason, "the system allows no thread to bind itself to a CPU");
}

TEST(CpuidWalk, no_machine_of_no_cpus) {
    FakeCpus cpus({});
    EXPECT_FALSE(walk_cpus(cpus, never).machine);
}

TEST(CpuidWalk, stops_at_the_first_cpu_that_does_not_tell) {
    FakeCpus cpus({{0, {0, 0, 0}}, {1, {0, 1, 2}}, {2, {0, 2, 4}}});
    cpus.is_mute = true;
    const CpuWalk walk = walk_cpus(cpus, never);
    EXPECT_FALSE(walk.machine);
    EXPECT_EQ(walk.reason, "CPU 0 has no cpuid leaf with its position");
    EXPECT_EQ(cpus.num_asked, 1);
}

TEST(CpuidWalk, two_cpus_of_one_thread_are_not_believed) {
    FakeCpus cpus({{0, {0, 0, 0}}, {1, {0, 1, 2}}, {5, {0, 0, 0}}});
    const CpuWalk walk = walk_cpus(cpus, never);
    EXPECT_FALSE(walk.machine);
    EXPECT_EQ(walk.reason, "CPUs 0 and 5 both report the same hardware thread");
}

// The numbers may differ, not who shares one.
TEST(CpuidWalk, packages_are_the_kernels) {
    FakeCpus cpus({{0, {4, 0, 0}}, {1, {4, 1, 2}}, {2, {9, 2, 4}}});
    for (const auto& [kernel, is_right] :
         std::vector<std::pair<std::map<int, std::uint64_t>, bool>>{{{{0, 0}, {1, 0}, {2, 1}}, true},
                                                                    {{{0, 7}, {2, 5}}, true},
                                                                    {{{0, 0}, {1, 1}, {2, 2}}, false},
                                                                    {{{0, 0}, {1, 0}, {2, 0}}, false}}) {
        cpus.kernel_packages = kernel;
        EXPECT_EQ(walk_cpus(cpus, never).machine.has_value(), is_right);
    }
    EXPECT_EQ(walk_cpus(cpus, never).reason,
              "the kernel puts CPU 2 into another package than cpuid, as in some virtual machines");
}

TEST(CpuidWalk, half_a_machine_is_none) {
    FakeCpus cpus({{0, {0, 0, 0}}, {1, {0, 1, 2}}, {2, {0, 2, 4}}});
    const CpuWalk walk = walk_cpus(cpus, [&] { return cpus.num_asked == 2; });
    EXPECT_FALSE(walk.machine);
    EXPECT_EQ(walk.reason, "out of time after 2 of 3 CPUs (hitopo_cpuid_timeout_ms)");
}

// No test waits that long.
constexpr int kPatienceMs = 300000;

std::chrono::steady_clock::time_point from_now(int ms) {
    return std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
}

bool is_blocked(int signal) {
    sigset_t now;
    pthread_sigmask(SIG_SETMASK, nullptr, &now);
    return sigismember(&now, signal) == 1;
}

TEST(CpuidThread, is_another_thread_with_all_signals_blocked) {
    const std::thread::id caller = std::this_thread::get_id();
    bool has_run = false;
    EXPECT_TRUE(run_on_helper_thread(from_now(kPatienceMs), [&] {
        EXPECT_NE(std::this_thread::get_id(), caller);
        EXPECT_TRUE(is_blocked(SIGTERM));
        has_run = true;
    }));
    EXPECT_TRUE(has_run);
    EXPECT_FALSE(is_blocked(SIGTERM));
}

TEST(CpuidThread, passes_exceptions_to_its_caller) {
    EXPECT_THROW(run_on_helper_thread(from_now(kPatienceMs), [] { throw std::runtime_error("no"); }),
                 std::runtime_error);
}

TEST(CpuidThread, waits_for_a_body_that_ends_after_the_deadline) {
    bool has_ended = false;
    EXPECT_TRUE(run_on_helper_thread(from_now(1), [&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        has_ended = true;
    }));
    EXPECT_TRUE(has_ended);
}

TEST(CpuidThread, is_pulled_back_after_the_deadline) {
    const CpuSet mine = CpuMask::of_thread(0).to_set();
    if (mine.count() < 2) {
        GTEST_SKIP() << "needs two CPUs";
    }
    CpuSet at_end;
    run_on_helper_thread(from_now(1), [&] {
        const CpuMask one = CpuMask::of(mine.first());
        sched_setaffinity(0, one.num_bytes(), one.get());
        const auto limit = from_now(kPatienceMs);
        do {
            at_end = CpuMask::of_thread(0).to_set();
        } while (at_end != mine && std::chrono::steady_clock::now() < limit);
    });
    EXPECT_EQ(at_end.to_string(), mine.to_string());
}

int query(Recorder& recorder, int timeout_ms) {
    const hitopo_cpuid_settings_t settings = {timeout_ms};
    return hitopo_cpuid_query(&settings, &recorder.question, &recorder);
}

TEST(Cpuid, asks_nothing_where_it_may_not) {
    const struct {
        bool wants_machine, is_simulated;
        int timeout_ms;
        const char* reason;
    } cases[] = {{true, true, 100, "not asked: the machine is simulated"},
                 {false, false, 100,
                  "not asked: another component or process of the node contributes the machine"},
                 {true, false, 0, "not asked: hitopo_cpuid_timeout_ms is not positive"}};
    for (const auto& [wants_machine, is_simulated, timeout_ms, reason] : cases) {
        Recorder recorder;
        recorder.question.wants_machine = wants_machine;
        recorder.question.is_simulated = is_simulated;
        EXPECT_EQ(query(recorder, timeout_ms), 0);
        EXPECT_FALSE(recorder.machine) << reason;
        EXPECT_EQ(recorder.reason, reason);
    }
}

CpuSet to_set(hwloc_const_bitmap_t bitmap) {
    CpuSet set;
    for (int cpu = hwloc_bitmap_first(bitmap); cpu >= 0; cpu = hwloc_bitmap_next(bitmap, cpu)) {
        set.add(cpu);
    }
    return set;
}

// hwloc's sets of one type, cut to the CPUs that cpuid could enter.
std::set<std::string> hwloc_sets(hwloc_topology_t topology, hwloc_obj_type_t type,
                                 const CpuSet& entered) {
    std::set<std::string> sets;
    for (hwloc_obj_t object = nullptr; (object = hwloc_get_next_obj_by_type(topology, type, object));) {
        CpuSet set = to_set(object->complete_cpuset);
        set &= entered;
        if (!set.is_empty()) {
            sets.insert(set.to_string());
        }
    }
    return sets;
}

std::set<std::string> cpuid_sets(const Machine& machine, std::string_view type) {
    std::set<std::string> sets;
    for (const CpuSet& set : machine.find(type)->instances) {
        sets.insert(set.to_string());
    }
    return sets;
}

// This machine: the caller stays where it is, and what cpuid finds is what hwloc finds.
TEST(Cpuid, agrees_with_hwloc_on_this_machine) {
    const CpuSet before = CpuMask::of_thread(0).to_set();
    Recorder recorder;
    recorder.question.wants_machine = true;
    ASSERT_EQ(query(recorder, kPatienceMs), 0);
    EXPECT_EQ(CpuMask::of_thread(0).to_set(), before);
    if (!recorder.machine) {
        GTEST_SKIP() << "cpuid gives no machine here: " << recorder.reason;
    }
    const Result<Machine> machine = Machine::decode(*recorder.machine);
    ASSERT_TRUE(machine);
    EXPECT_TRUE(before.is_subset_of(machine->cpus()));

    hwloc_topology_t topology;
    ASSERT_EQ(hwloc_topology_init(&topology), 0);
    hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    ASSERT_EQ(hwloc_topology_load(topology), 0);
    EXPECT_EQ(cpuid_sets(*machine, "Package"), hwloc_sets(topology, HWLOC_OBJ_PACKAGE, machine->cpus()));
    EXPECT_EQ(cpuid_sets(*machine, "Core"), hwloc_sets(topology, HWLOC_OBJ_CORE, machine->cpus()));
    EXPECT_EQ(cpuid_sets(*machine, "PU"), hwloc_sets(topology, HWLOC_OBJ_PU, machine->cpus()));
    hwloc_topology_destroy(topology);
}

// A caller bound to one CPU learns of the others all the same, and stays.
TEST(Cpuid, walks_beyond_the_callers_binding) {
    const CpuMask before = CpuMask::of_thread(0);
    const CpuMask one = CpuMask::of(before.to_set().first());
    if (sched_setaffinity(0, one.num_bytes(), one.get()) != 0) {
        GTEST_SKIP() << "sched_setaffinity is refused here";
    }
    Recorder recorder;
    recorder.question.wants_machine = true;
    EXPECT_EQ(query(recorder, kPatienceMs), 0);
    EXPECT_EQ(CpuMask::of_thread(0).to_set(), one.to_set());
    sched_setaffinity(0, before.num_bytes(), before.get());
    if (!recorder.machine) {
        GTEST_SKIP() << "cpuid gives no machine here: " << recorder.reason;
    }
    const Result<Machine> machine = Machine::decode(*recorder.machine);
    ASSERT_TRUE(machine);
    EXPECT_TRUE(before.to_set().is_subset_of(machine->cpus()));
}

}  // namespace
}  // namespace hitopo
