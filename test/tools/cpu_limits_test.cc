// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Quotas and cpusets of control groups in `hitopo check`.
#include "ompi/tools/hitopo/check/check.h"
#include "test/tools/check_jobs.h"

namespace hitopo::tool {
namespace {

TEST(CpuLimits, are_a_line) {
    const std::string text = "0-3;2;17:500 18446744073709551615:2000";
    EXPECT_EQ(to_text(cpu_limits_in(text)), text);
    EXPECT_EQ(to_text(cpu_limits_in(";;")), ";;");
    EXPECT_EQ(to_text(cpu_limits_in("0-3;2;1:500")), "0-3;2;1:500");
}

TEST(CpuLimits, that_are_odd_limit_nothing) {
    for (const char* text : {"", ";", ";;;", "x;y;z", ";;1", ";;1:", ";;:1", ";;1:-1",
                             ";;1:99999999999999999999", "0-1;0-1", ";;\n"}) {
        EXPECT_EQ(to_text(cpu_limits_in(text)), ";;") << text;
    }
}

TEST(CpuLimits, of_this_process_hold_its_affinity) {
    const CpuLimits limits = own_cpu_limits();
    EXPECT_FALSE(limits.affinity.is_empty());
    EXPECT_TRUE(limits.allowed.is_empty() || limits.affinity.is_subset_of(limits.allowed));
    EXPECT_EQ(to_text(cpu_limits_in(to_text(limits))), to_text(limits));
}

struct Case {
    const char* name;
    Job job;
    Strings kinds;
};

TEST(CheckQuota, and_cpuset_are_what_processes_have) {
    const Json one = one_socket(), two = two_sockets();
    const auto on = [](const Json& machine, const Strings& cpus) { return Job().node(machine, cpus); };
    const auto both = on(one, {"0", "1"}), held = on(one, {"1", "1"});
    const auto limited = [](Job job, const Strings& limits) { return job.limit(limits); };
    const Strings quota = {"fault quota 0-1"}, core = {"fault shared-core 0-1"};
    const std::vector<Case> cases = {
        {"less than a CPU", on(one, {"0"}).limit({"0-3;0;7:999"}), {"fault quota 0"}},
        {"a CPU each", limited(both, {";0;7:2000", ";1;7:2000"}), {}},
        {"a quota each", limited(both, {";0;7:1000", ";1;8:1000"}), {}},
        {"one around both", limited(both, {";0;7:1000 1:1500", ";1;8:1000 1:1500"}), quota},
        {"one number on two nodes",
         on(one, {"0"}).node(one, {"0"}).limit({";0;7:1000", ";0;7:1000"}),
         {}},
        {"enough for the threads", on(one, {"0,1"}).run(2).limit({";0-1;7:2000"}), {}},
        {"a whole node", on(one, {"0-3"}).run(9).limit({";0-3;7:4000"}), {"fault threads 0"}},
        {"on one CPU", limited(both, {"0;0;7:500", "0;0;7:500"}), {"fault quota 0"}},
        {"of a simulated machine", limited(both, {"9;9;7:500", "9;9;7:500"}), {}},
        {"a cpuset of two CPUs", on(two, {"0-1", "0-1"}).limit({"0-1;0-1;", "0-1;0-1;"}), {}},
        {"of two threads", on(with_hwthreads(), {"0", "4"}).limit({"0,4;0;", "0,4;4;"}), {}},
        {"of each container", on(two, {"0", "2"}).limit({"0;0;", "2;2;"}), {}},
        {"one does not know it", limited(held, {"1;1;", ";1;"}), core},
        {"one process is silent", limited(held, {"1;1;"}), core},
        {"of the whole node", limited(held, {"0-3;1;", "0-3;1;"}), core},
        {"of another machine", limited(held, {"9;9;", "9;9;"}), core}};
    for (const auto& [name, job, kinds] : cases) {
        EXPECT_EQ(kinds_of(job), kinds) << name;
    }
}

TEST(CheckQuota, has_a_remedy) {
    EXPECT_EQ(lines_of(Job().node(one_socket(), {"0", "1"}).limit({"0-3;0;7:500", "0-3;1;7:500"})),
              Strings{"fault: ranks 0-1: 2 processes share a quota of 0.5 CPUs (cgroup), on node n0. "
                      "Request a CPU for each process (Kubernetes: limits.cpu), or start fewer "
                      "processes: the system stops all of them whenever the quota is used up."});
    const auto nested =
        lines_of(Job().node(one_socket(), {"0", "1"}).limit({";0;7:1500 1:1000", ";1;7:1500 1:1000"}));
    ASSERT_EQ(nested.size(), 1U);
    EXPECT_NE(nested[0].find("a quota of 1 CPUs"), std::string::npos) << "the least: " << nested[0];
    Job job;
    job.node(one_socket(), {"0-3"}).run(4).limit({";0-3;7:2500"});
    EXPECT_EQ(
        lines_of(job),
        Strings{
            "fault: rank 0: OMP_NUM_THREADS gives them 4 threads together, and they have a quota of 2.5 "
            "CPUs (cgroup), on node n0. Set it lower, or request more CPUs (Kubernetes: limits.cpu)."});
    job.uses_openmp = false;
    EXPECT_EQ(kinds_of(job), Strings{"remark quota-threads 0"});
}

TEST(CheckCpuset, has_a_remedy) {
    EXPECT_EQ(
        lines_of(Job().node(two_sockets(), {"1", "1"}).limit({"1;1;", "1;1;"})),
        Strings{"fault: ranks 0-1: 2 processes run on a node whose cpuset leaves them 1 CPU: node n0. "
                "Request more CPUs for the job, or start fewer processes per node."});
    EXPECT_EQ(lines_of(Job().node(two_sockets(), {"0", "0"}).limit({"0-1;0;", "0-1;0;"})),
              Strings{"fault: ranks 0-1: 2 processes are bound to one core, CPU 0 of node n0. Bind each "
                      "to its own core: --map-by core --bind-to core; if taskset, a container or the "
                      "batch system restricts all of them to this core, request more CPUs there."});
}

}  // namespace
}  // namespace hitopo::tool
