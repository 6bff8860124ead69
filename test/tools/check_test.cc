// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo check`'s rules on jobs, right and wrong: all is found, nothing invented.
#include "test/tools/check_jobs.h"

namespace hitopo::tool {
namespace {

const Strings kNothing = {};
const Strings kNoFabric = {
    "not checked: the order of nodes in the fabric: no level outside the node is known."};

TEST(Check, one_process_a_core_is_right) {
    EXPECT_EQ(lines_of(Job().node(two_sockets(), {"0", "1", "2", "3"})), kNothing);
}

TEST(Check, one_process_a_socket_is_right) {
    EXPECT_EQ(lines_of(Job().node(two_sockets(), {"0-1", "2-3"}).run(2)), kNothing);
}

TEST(Check, nobody_bound_is_right_on_one_socket) {
    EXPECT_EQ(lines_of(Job().node(one_socket(), {"0-3", "0-3", "0-3", "0-3"})), kNothing);
    EXPECT_EQ(lines_of(Job().node(two_sockets(), {"0-3"})), kNothing);
}

TEST(Check, nobody_bound_on_several_sockets_is_a_remark) {
    EXPECT_EQ(lines_of(Job().node(two_sockets(), {"0-3", "0-3", "0,2", "0-3"})),
              Strings{"remark: ranks 0-3: may run on 2 sockets, on node n0. Bind each near its memory: "
                      "--bind-to core, or --bind-to socket for processes with threads."});
    EXPECT_EQ(kinds_of(Job().node(two_sockets(), {"0-2", "1-3"}).run(3)),
              Strings{"fault shared-threads 0-1"});
}

TEST(Check, one_socket_of_several_is_a_remark) {
    EXPECT_EQ(
        lines_of(Job().node(two_sockets(), {"0", "1"})),
        Strings{
            "remark: ranks 0-1: run on one socket of 2, and no process runs on the others, on node n0. "
            "If the "
            "job has the whole node, use the memory of all sockets: --map-by socket --bind-to core."});
    EXPECT_EQ(kinds_of(Job().node(two_sockets(), {"0"})), kNothing);
    EXPECT_EQ(kinds_of(Job().node(two_sockets(), {"0", ""})), kNothing);
    EXPECT_EQ(kinds_of(Job().node(one_socket(), {"0", "1"})), kNothing);
}

TEST(Check, two_processes_on_one_core) {
    EXPECT_EQ(lines_of(Job().node(two_sockets(), {"0", "0", "2"})),
              Strings{"fault: ranks 0-1: 2 processes are bound to one core, CPU 0 of node n0. "
                      "Bind each to its own core: --map-by core --bind-to core."});
}

TEST(Check, all_processes_on_one_core_may_be_held_there) {
    EXPECT_EQ(lines_of(Job().node(one_socket(), {"1", "1"})),
              Strings{"fault: ranks 0-1: 2 processes are bound to one core, CPU 1 of node n0. Bind each "
                      "to its own core: --map-by core --bind-to core; if taskset, a container or the "
                      "batch system restricts all of them to this core, request more CPUs there."});
}

TEST(Check, equal_faults_of_several_nodes_are_one_line) {
    Job job;
    job.node(two_sockets(), {"0", "0", "2"}).node(two_sockets(), {"3", "1", "3"});
    EXPECT_EQ(lines_of(job)[0],
              "fault: ranks 0-1,3,5: 2 processes are bound to one core, 2 times on 2 nodes (n[0-1]). "
              "Bind each to its own core: --map-by core --bind-to core.");
    EXPECT_EQ(lines_of(job)[1], kNoFabric[0]);
}

TEST(Check, faults_of_other_figures_are_other_lines_while_they_are_few) {
    Job job;
    job.node(with_hwthreads(), {"0", "0", "1", "1", "1", "2", "2", "2"});
    EXPECT_EQ(kinds_of(job), (Strings{"fault shared-core 0-1", "fault shared-core 2-7"}));
}

TEST(Check, faults_of_many_figures_are_one_line) {
    Job job;
    for (int i = 2; i <= 6; ++i) {
        job.node(with_hwthreads(), Strings(static_cast<std::size_t>(i), "3"));
    }
    EXPECT_EQ(kinds_of(job)[0], "fault shared-core 0-19");
    EXPECT_EQ(lines_of(job)[0].substr(0, 82),
              "fault: ranks 0-19: 2 to 6 processes are bound to one core, 5 times on 5 nodes (n[0");
}

TEST(Check, an_overloaded_node_is_said_once) {
    EXPECT_EQ(lines_of(Job().node(two_sockets(), {"0", "1", "2", "3", "0"})),
              Strings{"fault: ranks 0-4: 5 processes run on a node of 4 CPUs: node n0. "
                      "Start fewer processes per node, or use more nodes."});
    EXPECT_EQ(kinds_of(Job().node(one_socket(), Strings(9, "0-3"))),
              Strings{"fault overloaded-node 0-8"});
}

TEST(Check, an_overloaded_node_with_idle_cores_is_two_faults) {
    EXPECT_EQ(kinds_of(Job().node(two_sockets(), Strings(5, "1"))),
              (Strings{"fault overloaded-node 0-4", "fault shared-core 0-4", "remark one-socket 0-4"}));
}

TEST(Check, one_process_a_hardware_thread_of_a_full_node_is_right) {
    EXPECT_EQ(lines_of(Job().node(with_hwthreads(), {"0", "1", "2", "3", "4", "5", "6", "7"})),
              kNothing);
}

TEST(Check, two_processes_a_core_of_a_full_node_are_right) {
    const Strings by_core = {"0,4", "0,4", "1,5", "1,5", "2,6", "2,6", "3,7", "3,7"};
    EXPECT_EQ(lines_of(Job().node(with_hwthreads(), by_core)), kNothing);
}

TEST(Check, hardware_threads_of_one_core_beside_free_cores_are_a_remark) {
    EXPECT_EQ(lines_of(Job().node(with_hwthreads(), {"0", "4", "2"})),
              Strings{"remark: ranks 0-1: 2 processes run on hardware threads of one core, CPUs 0,4 of "
                      "node n0, while 2 cores of its node are free. If the job has these cores, give "
                      "each process one: --map-by core --bind-to core."});
}

TEST(Check, one_core_for_two_processes_beside_free_cores) {
    EXPECT_EQ(kinds_of(Job().node(with_hwthreads(), {"0,4", "0,4", "2"})),
              Strings{"fault shared-core 0-1"});
    EXPECT_EQ(kinds_of(Job().node(with_hwthreads(), {"1", "1,5", "2"})),
              Strings{"fault shared-core 0-1"});
}

TEST(Check, three_processes_on_a_core_of_two_threads) {
    EXPECT_EQ(kinds_of(Job().node(with_hwthreads(), {"0,4", "1,5", "0,4", "2,6", "0,4", "3,7"})),
              Strings{"fault shared-core 0-4:2"});
}

TEST(Check, two_processes_on_one_hardware_thread_of_a_full_node) {
    EXPECT_EQ(kinds_of(Job().node(with_hwthreads(), {"0", "0", "1,5", "2,6", "3,7"})),
              Strings{"fault shared-core 0-1"});
}

TEST(Check, more_processes_than_cpus_of_a_socket) {
    EXPECT_EQ(lines_of(Job().node(two_sockets(), {"0-1", "0-1", "0-1", "2-3"})),
              Strings{"fault: ranks 0-2: 3 processes share 2 CPUs, CPUs 0-1 of node n0. Spread them: "
                      "--map-by core --bind-to core; or request more CPUs for the job."});
}

TEST(Check, more_processes_than_a_container_lets_them_use) {
    EXPECT_EQ(kinds_of(Job().node(one_socket(), Strings(4, "1-2"))), Strings{"fault shared-cpus 0-3"});
    EXPECT_EQ(kinds_of(Job().node(one_socket(), Strings(2, "1-2"))), kNothing);
    // No two have too little, and some together have.
    EXPECT_EQ(kinds_of(Job().node(one_socket(), {"0-1", "1-2", "0,2", "0-1"})),
              Strings{"fault shared-cpus 0-3"});
    EXPECT_EQ(kinds_of(Job().node(one_socket(8), {"0-1", "1-2", "0", "2", "2,5-6"})),
              Strings{"fault shared-cpus 0-3"});
}

TEST(Check, an_unbound_process_beside_bound_ones) {
    EXPECT_EQ(
        lines_of(Job().node(two_sockets(), {"0-3", "1", "2"})),
        Strings{"fault: rank 0: may run on all 4 CPUs of a node while others are bound, on node n0. "
                "Bind these too: --bind-to core, or --bind-to socket for processes with threads."});
    EXPECT_EQ(kinds_of(Job().node(one_socket(), {"1", "0-3"})), Strings{"fault unbound 1"});
}

TEST(Check, unbound_nodes_beside_bound_ones) {
    Job job;
    job.node(two_sockets(), {"0", "2"}).node(two_sockets(), {"0-3", "0-3"});
    EXPECT_EQ(kinds_of(job), Strings{"fault unbound 2-3"});
}

TEST(Check, who_is_alone_on_a_node_may_have_all_of_it) {
    Job job;
    job.node(two_sockets(), {"0-3"}).node(two_sockets(), {"0", "2"});
    EXPECT_EQ(kinds_of(job), kNothing);
}

TEST(Check, a_node_of_one_socket_is_as_bound_as_a_socket) {
    Job job;
    job.node(one_socket(), {"0-3", "0-3"}).node(two_sockets(), {"0-1", "2-3"});
    EXPECT_EQ(kinds_of(job), kNothing);
}

TEST(Check, a_process_of_two_sockets_beside_bound_ones) {
    EXPECT_EQ(
        lines_of(Job().node(two_sockets(), {"0", "1-2"})),
        Strings{"fault: rank 1: may run on 2 sockets while others are bound, on node n0. Bind each "
                "within one socket: --bind-to core or socket, or --map-by socket:PE=N for N threads."});
}

TEST(Check, a_process_of_more_threads_than_a_socket_has_may_take_two) {
    Job job;
    job.node(two_sockets(), {"0", "1-3"});
    job.threads = {1, 3};
    EXPECT_EQ(kinds_of(job), kNothing);
    job.threads = {1, 2};
    EXPECT_EQ(kinds_of(job), Strings{"fault several-sockets 1"});
}

TEST(Check, fewer_cpus_than_threads) {
    EXPECT_EQ(
        lines_of(Job().node(two_sockets(), {"0-1", "2-3"}).run(4)),
        Strings{"fault: ranks 0-1: OMP_NUM_THREADS is 4, but a process has 2 CPUs, on node n0. Set it "
                "to 2, or bind each to as many CPUs: --map-by slot:PE=4 --bind-to core."});
    EXPECT_EQ(
        lines_of(Job().node(two_sockets(), {"0-3"}).run(8)),
        Strings{"fault: rank 0: OMP_NUM_THREADS is 8, but a process has 4 CPUs, on node n0. Set it "
                "to 4."});
    EXPECT_EQ(kinds_of(Job().node(two_sockets(), {"0", "2"}).run(1)), kNothing);
}

TEST(Check, more_threads_than_the_cpus_that_processes_share) {
    EXPECT_EQ(lines_of(Job().node(one_socket(), Strings(4, "0-3")).run(4)),
              Strings{"fault: ranks 0-3: OMP_NUM_THREADS gives them 16 threads together, and they share "
                      "4 CPUs, CPUs 0-3 of node n0. Set it lower, or start fewer processes per node, "
                      "each bound to its own CPUs: --map-by slot:PE=N --bind-to core for N threads."});
    EXPECT_EQ(kinds_of(Job().node(two_sockets(), {"0-1", "0-1", "2-3"}).run(2)),
              Strings{"fault shared-threads 0-1"});
    EXPECT_NE(lines_of(Job().node(two_sockets(), {"0-1", "0-1", "2-3"}).run(4))[1].find(
                  "ranks 0-1: OMP_NUM_THREADS gives them 8 threads together, and they share 2 CPUs"),
              std::string::npos);
    EXPECT_EQ(kinds_of(Job().node(one_socket(), {"0-3", "0-3"}).run(2)), kNothing);
    // Processes alone are too many: that is said once.
    EXPECT_EQ(kinds_of(Job().node(one_socket(), Strings(5, "0-3")).run(2)),
              Strings{"fault overloaded-node 0-4"});
}

TEST(Check, threads_of_a_program_that_may_not_use_openmp_are_a_remark) {
    Job job;
    job.node(two_sockets(), {"0-1", "0-1", "2-3"});
    job.threads = {2, 2, 3};
    job.uses_openmp = false;
    EXPECT_EQ(kinds_of(job), (Strings{"remark threads 2", "remark shared-threads 0-1"}));
    EXPECT_EQ(lines_of(job).back(),
              "not checked: whether the program uses OpenMP; add --openmp if it does, and too many "
              "threads are a fault.");
    EXPECT_FALSE(has_faults(checked(job)));
    job.uses_openmp = true;
    EXPECT_TRUE(has_faults(checked(job)));
}

TEST(Check, a_level_that_only_some_nodes_know) {
    Job job;
    job.node(two_sockets(), {"0", "2"}, 0)
        .node(two_sockets(), {"0", "2"}, -1)
        .node(two_sockets(), {"0"}, 0);
    job.know(kSwitch, "some");
    EXPECT_EQ(lines_of(job),
              Strings{"fault: ranks 2-3: switch is unknown on node n1, but known on 2 others. "
                      "`hitopo show --why` prints the results of the components there."});
}

TEST(Check, levels_unknown_on_the_same_nodes_are_one_line) {
    Job job;
    job.node(two_sockets(), {"0"}, -1, -1).node(two_sockets(), {"0"}).node(two_sockets(), {"0"}, -1, -1);
    job.know(kSwitch, "some").know(kIsland, "some");
    EXPECT_EQ(lines_of(job)[0].substr(0, 77),
              "fault: ranks 0,2: island, switch are unknown on 2 nodes (n[0,2]), but known o");
}

TEST(Check, a_core_that_a_process_does_not_know_is_its_binding) {
    Job job;
    job.node(two_sockets(), {"0-1", "2"}).know(kCore, "some");
    job.document["ranks"][0]["address"][kCore] = -1;
    EXPECT_EQ(kinds_of(job), kNothing);
}

TEST(Check, a_node_whose_inside_nobody_knows) {
    Job job;
    job.node(two_sockets(), {"0"}).node(Json(), {"0"});
    job.know(kSwitch, "all");
    EXPECT_EQ(lines_of(job),
              (Strings{"fault: rank 1: socket and core are unknown on node n1, but known on 1 other. "
                       "`hitopo show --why` prints the results of the components there.",
                       "not checked: cores and sockets of node n1: no component knows the machine."}));
}

TEST(Check, nodes_of_unequal_load) {
    Job job;
    job.node(two_sockets(), {"0", "1", "2"}).node(two_sockets(), {"0"}).node(two_sockets(), {"0", "2"});
    job.know(kSwitch, "all");
    EXPECT_EQ(
        lines_of(job),
        Strings{"remark: 3 processes on node n0, 1 process on node n1. If all processes have equal "
                "work, balance the nodes: set slots in the host file, or use --map-by node."});
}

TEST(Check, as_even_as_can_be_is_right) {
    Job job;
    job.node(one_socket(), {"0", "1", "2", "3"}).node(one_socket(), {"0", "1", "2"});
    EXPECT_EQ(kinds_of(job), kNothing);
}

TEST(Check, load_is_by_the_cpus_of_a_node) {
    Job job;
    job.node(with_hwthreads(), {"0", "1", "2", "3"}).node(two_sockets(), {"0", "2"});
    EXPECT_EQ(kinds_of(job), kNothing);
    job.node(two_sockets(), {"0", "1", "2", "3"}).know(kSwitch, "all");
    EXPECT_EQ(lines_of(job)[0].substr(0, 82),
              "remark: 4 processes for 4 CPUs on node n2, 4 processes for 8 CPUs on node n0. If a");
}

TEST(Check, load_is_not_judged_where_threads_differ) {
    Job job;
    job.node(two_sockets(), {"0-3"}).node(two_sockets(), {"0", "1", "2", "3"});
    job.threads = {4, 1, 1, 1, 1};
    EXPECT_EQ(kinds_of(job), kNothing);
}

// Eight nodes, two on each switch, two switches in each island.
Job on_leaves(const std::vector<int>& leaves) {
    Job job;
    for (const int leaf : leaves) {
        job.node(two_sockets(), {"0"}, leaf, leaf / 2);
    }
    return job.know(kSwitch, "all").know(kIsland, "all");
}

TEST(Check, nodes_in_the_fabrics_order_are_right) {
    EXPECT_EQ(lines_of(on_leaves({0, 0, 1, 1, 2, 2, 3, 3})), kNothing);
    EXPECT_EQ(lines_of(on_leaves({3, 3, 2, 2, 0, 0, 1, 1})), kNothing);
}

TEST(Check, nodes_out_of_the_fabrics_order) {
    EXPECT_EQ(
        lines_of(on_leaves({0, 2, 1, 3, 0, 2, 1, 3})),
        Strings{
            "remark: of 7 steps from node to node in rank order, 7 leave their switch, 7 leave their "
            "island; in fabric order 3, 1. `hitopo order --hosts` writes the hosts in fabric order."});
    EXPECT_EQ(kinds_of(on_leaves({0, 0, 2, 2, 1, 1, 3, 3})), Strings{"remark order"});
}

TEST(Check, what_is_unknown_is_said_to_be_unchecked) {
    EXPECT_EQ(lines_of(Job().node(Json(), {"", "0-1", ""})),
              (Strings{"not checked: bindings of ranks 0,2: their CPUs are unknown.",
                       "not checked: cores and sockets of node n0: no component knows the machine."}));
}

TEST(Check, what_cpus_say_without_a_machine_counts) {
    EXPECT_EQ(kinds_of(Job().node(Json(), Strings(3, "4-5"))), Strings{"fault shared-cpus 0-2"});
}

TEST(Check, long_lists_of_nodes_are_cut) {
    Job job;
    for (int i = 0; i < 100; ++i) {
        job.node(two_sockets(), i % 2 == 0 ? Strings{"0", "0"} : Strings{"0", "1"});
    }
    EXPECT_NE(lines_of(job)[0].find(
                  " on 50 nodes (n[0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38,40,..]"),
              std::string::npos)
        << lines_of(job)[0];
}

// 100 000 ranks with a fault of each kind: a few lines of bounded length.
TEST(Check, is_a_few_lines_at_a_hundred_thousand_ranks) {
    Job job;
    for (int i = 0; i < 25000; ++i) {
        Strings cpus(static_cast<std::size_t>(i % 7 == 0 ? 5 : 4), i % 3 == 0 ? "0" : "1-2");
        cpus.back() = "0-3";
        job.node(two_sockets(), cpus, i % 5 == 0 ? -1 : i % 50, 0);
    }
    job.know(kSwitch, "some").run(2);
    const Strings lines = lines_of(job);
    EXPECT_GE(lines.size(), 5U);
    EXPECT_LE(lines.size(), 16U);
    for (const std::string& line : lines) {
        EXPECT_LE(line.size(), 400U) << line;
    }
}

TEST(Check, mirrored_ranks_have_mirrored_faults) {
    Job job;
    job.node(two_sockets(), {"0", "0", "0-3"}).node(one_socket(), {"1", "2", "3"});
    Job mirrored = job;
    std::reverse(mirrored.document["ranks"].begin(), mirrored.document["ranks"].end());
    EXPECT_EQ(kinds_of(job), (Strings{"fault shared-core 0-1", "fault unbound 2"}));
    EXPECT_EQ(kinds_of(mirrored), (Strings{"fault shared-core 4-5", "fault unbound 3"}));
}

}  // namespace
}  // namespace hitopo::tool
