// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Quotas and cpusets of control groups in `hitopo check`.
#include "ompi/tools/hitopo/check/own_process.h"
#include "test/tools/check_jobs.h"

namespace hitopo::tool {
namespace {

const Strings kNothing = {};

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

// ---- quotas ----

TEST(CheckQuota, more_processes_than_it_has_cpus) {
    EXPECT_EQ(lines_of(Job().node(one_socket(), {"0", "1"}).limit({"0-3;0;7:500", "0-3;1;7:500"})),
              Strings{"fault: ranks 0-1: 2 processes share a quota of 0.5 CPUs (cgroup), on node n0. "
                      "Request a CPU for each process (Kubernetes: limits.cpu), or start fewer "
                      "processes: the system stops all of them whenever the quota is used up."});
    EXPECT_EQ(kinds_of(Job().node(one_socket(), {"0"}).limit({"0-3;0;7:999"})),
              Strings{"fault quota 0"});
    EXPECT_EQ(kinds_of(Job().node(one_socket(), {"0", "1"}).limit({";0;7:2000", ";1;7:2000"})),
              kNothing);
}

TEST(CheckQuota, is_of_those_who_share_it) {
    EXPECT_EQ(kinds_of(Job().node(one_socket(), {"0", "1"}).limit({";0;7:1000", ";1;8:1000"})),
              kNothing);
    EXPECT_EQ(
        kinds_of(Job().node(one_socket(), {"0", "1"}).limit({";0;7:1000 1:1500", ";1;8:1000 1:1500"})),
        Strings{"fault quota 0-1"});
    EXPECT_EQ(
        kinds_of(
            Job().node(one_socket(), {"0"}).node(one_socket(), {"0"}).limit({";0;7:1000", ";0;7:1000"})),
        kNothing);
}

TEST(CheckQuota, the_least_of_nested_groups_counts) {
    const auto lines =
        lines_of(Job().node(one_socket(), {"0", "1"}).limit({";0;7:1500 1:1000", ";1;7:1500 1:1000"}));
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].find("a quota of 1 CPUs"), std::string::npos) << lines[0];
}

TEST(CheckQuota, more_threads_than_it_has_cpus) {
    Job job;
    job.node(one_socket(), {"0-3"}).run(4).limit({";0-3;7:2500"});
    EXPECT_EQ(
        lines_of(job),
        Strings{
            "fault: rank 0: OMP_NUM_THREADS gives them 4 threads together, and they have a quota of 2.5 "
            "CPUs (cgroup), on node n0. Set it lower, or request more CPUs (Kubernetes: limits.cpu)."});
    job.uses_openmp = false;
    EXPECT_EQ(kinds_of(job), Strings{"remark quota-threads 0"});
    EXPECT_EQ(kinds_of(Job().node(one_socket(), {"0,1"}).run(2).limit({";0-1;7:2000"})), kNothing);
}

TEST(CheckQuota, of_a_whole_node_limits_nothing) {
    EXPECT_EQ(kinds_of(Job().node(one_socket(), {"0-3"}).run(9).limit({";0-3;7:4000"})),
              Strings{"fault threads 0"});
}

TEST(CheckQuota, limits_no_simulated_machine) {
    EXPECT_EQ(kinds_of(Job().node(one_socket(), {"0", "1"}).limit({"0;0;7:500", "0;0;7:500"})),
              Strings{"fault quota 0"});
    EXPECT_EQ(kinds_of(Job().node(one_socket(), {"0", "1"}).limit({"9;9;7:500", "9;9;7:500"})),
              kNothing);
}

// ---- cpusets ----

TEST(CheckCpuset, is_all_that_a_node_has) {
    EXPECT_EQ(
        lines_of(Job().node(two_sockets(), {"1", "1"}).limit({"1;1;", "1;1;"})),
        Strings{"fault: ranks 0-1: 2 processes run on a node whose cpuset leaves them 1 CPU: node n0. "
                "Request more CPUs for the job, or start fewer processes per node."});
    EXPECT_EQ(kinds_of(Job().node(two_sockets(), {"0-1", "0-1"}).limit({"0-1;0-1;", "0-1;0-1;"})),
              kNothing);
    EXPECT_EQ(kinds_of(Job().node(with_hwthreads(), {"0", "4"}).limit({"0,4;0;", "0,4;4;"})), kNothing);
}

TEST(CheckCpuset, has_free_cores_that_can_be_had) {
    EXPECT_EQ(lines_of(Job().node(two_sockets(), {"0", "0"}).limit({"0-1;0;", "0-1;0;"})),
              Strings{"fault: ranks 0-1: 2 processes are bound to one core, CPU 0 of node n0. Bind each "
                      "to its own core: --map-by core --bind-to core; if taskset, a container or the "
                      "batch system restricts all of them to this core, request more CPUs there."});
}

TEST(CheckCpuset, counts_where_all_processes_tell_it) {
    const Strings whole = {"fault shared-core 0-1"};
    EXPECT_EQ(kinds_of(Job().node(one_socket(), {"1", "1"}).limit({"1;1;", ";1;"})), whole);
    EXPECT_EQ(kinds_of(Job().node(one_socket(), {"1", "1"}).limit({"1;1;"})), whole);
    EXPECT_EQ(kinds_of(Job().node(one_socket(), {"1", "1"}).limit({"0-3;1;", "0-3;1;"})), whole);
    EXPECT_EQ(kinds_of(Job().node(one_socket(), {"1", "1"}).limit({"9;9;", "9;9;"})), whole);
}

TEST(CheckCpuset, of_each_container_counts_for_the_node) {
    EXPECT_EQ(kinds_of(Job().node(two_sockets(), {"0", "2"}).limit({"0;0;", "2;2;"})), kNothing);
}

}  // namespace
}  // namespace hitopo::tool
