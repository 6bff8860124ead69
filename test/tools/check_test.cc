// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// `hitopo check`'s rules on jobs, right and wrong: all is found, nothing invented.
// Tests check/job.cc, nodes.cc and processes.cc.
#include "test/tools/check_jobs.h"

namespace hitopo::tool {
namespace {

const Strings kNothing = {};

Job on(const Json& machine, const Strings& cpus) { return Job().node(machine, cpus); }

// Eight nodes, two on each switch, two switches in each island.
Job on_leaves(const std::vector<int>& leaves) {
    Job job;
    for (const int leaf : leaves) {
        job.node(two_sockets(), {"0"}, leaf, leaf / 2);
    }
    return job.know(kSwitch, "all").know(kIsland, "all");
}

struct Case {
    const char* name;
    Job job;
    Strings expected;
};

// The faults, and nothing else. A line says that the order of several nodes is not checked.
TEST(Check, finds_each_fault_and_invents_none) {
    const Json one = one_socket(), two = two_sockets(), smt = with_hwthreads();
    const std::vector<Case> cases = {
        {"a process a core", on(two, {"0", "1", "2", "3"}), {}},
        {"a process a socket", on(two, {"0-1", "2-3"}).run(2), {}},
        {"nobody is bound on one socket", on(one, Strings(4, "0-3")), {}},
        {"one process has the node", on(two, {"0-3"}), {}},
        {"one process is bound", on(two, {"0"}), {}},
        {"there is one socket", on(one, {"0", "1"}), {}},
        {"a process a hardware thread", on(smt, {"0", "1", "2", "3", "4", "5", "6", "7"}), {}},
        {"two processes a core", on(smt, {"0,4", "0,4", "1,5", "1,5", "2,6", "2,6", "3,7", "3,7"}), {}},
        {"unbound ones with threads", on(two, {"0-2", "1-3"}).run(3), {"fault shared-threads 0-1"}},
        {"a full node", on(one, Strings(9, "0-3")), {"fault overloaded-node 0-8"}},
        {"a full node, on one core",
         on(two, Strings(5, "1")),
         {"fault overloaded-node 0-4", "fault shared-core 0-4", "remark one-socket 0-4"}},
        {"two on a core beside free ones", on(smt, {"0,4", "0,4", "2"}), {"fault shared-core 0-1"}},
        {"and one of them on half of it", on(smt, {"1", "1,5", "2"}), {"fault shared-core 0-1"}},
        {"three on two threads",
         on(smt, {"0,4", "1,5", "0,4", "2,6", "0,4", "3,7"}),
         {"fault shared-core 0-4:2"}},
        {"two on a thread", on(smt, {"0", "0", "1,5", "2,6", "3,7"}), {"fault shared-core 0-1"}},
        {"faults of other figures are others while they are few",
         on(smt, {"0", "0", "1", "1", "1", "2", "2", "2"}),
         {"fault shared-core 0-1", "fault shared-core 2-7"}},
        {"a container has less", on(one, Strings(4, "1-2")), {"fault shared-cpus 0-3"}},
        {"a container has enough", on(one, Strings(2, "1-2")), {}},
        {"no two have too little", on(one, {"0-1", "1-2", "0,2", "0-1"}), {"fault shared-cpus 0-3"}},
        {"only some of them have",
         on(one_socket(8), {"0-1", "1-2", "0", "2", "2,5-6"}),
         {"fault shared-cpus 0-3"}},
        {"one is not bound", on(one, {"1", "0-3"}), {"fault unbound 1"}},
        {"a node is not bound", on(two, {"0", "2"}).node(two, {"0-3", "0-3"}), {"fault unbound 2-3"}},
        {"alone on a node", on(two, {"0-3"}).node(two, {"0", "2"}), {}},
        {"a node of one socket", on(one, {"0-3", "0-3"}).node(two, {"0-1", "2-3"}), {}},
        {"as even as can be", on(one, {"0", "1", "2", "3"}).node(one, {"0", "1", "2"}), {}},
        {"few threads", on(two, {"0", "2"}).run(1), {}},
        {"threads share", on(two, {"0-1", "0-1", "2-3"}).run(2), {"fault shared-threads 0-1"}},
        {"threads fit", on(one, {"0-3", "0-3"}).run(2), {}},
        {"too many without threads", on(one, Strings(5, "0-3")).run(2), {"fault overloaded-node 0-4"}},
        {"two sockets for more threads than one has", on(two, {"0", "1-3"}).run({1, 3}), {}},
        {"and for no more", on(two, {"0", "1-3"}).run({1, 2}), {"fault several-sockets 1"}},
        {"as many a CPU on each node", on(smt, {"0", "1", "2", "3"}).node(two, {"0", "2"}), {}},
        {"unequal load of unequal threads",
         on(two, {"0-3"}).node(two, {"0", "1", "2", "3"}).run({4, 1, 1, 1, 1}),
         {}}};
    for (const auto& [name, job, kinds] : cases) {
        EXPECT_EQ(kinds_of(job), kinds) << name;
        EXPECT_EQ(lines_of(job).size(), kinds.size()) << name;
    }
    EXPECT_EQ(kinds_of(on(two, {"0", ""})), kNothing);
    EXPECT_EQ(kinds_of(on(Json(), Strings(3, "4-5"))), Strings{"fault shared-cpus 0-2"});
}

TEST(Check, prints_the_fault_and_a_remedy) {
    const Json one = one_socket(), two = two_sockets();
    const std::vector<Case> cases = {
        {"unbound on several sockets",
         on(two, {"0-3", "0-3", "0,2", "0-3"}),
         {"remark: ranks 0-3: may run on 2 sockets, on node n0. Bind each near its memory: --bind-to "
          "core, or --bind-to socket for processes with threads."}},
        {"one socket of several",
         on(two, {"0", "1"}),
         {"remark: ranks 0-1: run on one socket of 2, and leave the other idle, on node n0. "
          "If the job has the whole node, use the memory of all sockets: --map-by socket --bind-to "
          "core."}},
        {"two on a core",
         on(two, {"0", "0", "2"}),
         {"fault: ranks 0-1: 2 processes are bound to one core, CPU 0 of node n0. Bind each to its own "
          "core: --map-by core --bind-to core."}},
        {"all on a core",
         on(one, {"1", "1"}),
         {"fault: ranks 0-1: 2 processes are bound to one core, CPU 1 of node n0. Bind each to its own "
          "core: --map-by core --bind-to core; if taskset, a container or the batch system restricts "
          "all of them to this core, request more CPUs there."}},
        {"equal faults of several nodes",
         on(two, {"0", "0", "2"}).node(two, {"3", "1", "3"}).know(kSwitch, "none"),
         {"fault: ranks 0-1,3,5: 2 processes are bound to one core, 2 times on 2 nodes (n[0-1]). Bind "
          "each to its own core: --map-by core --bind-to core.",
          "remark: no node knows its switch, so neither orders nor collectives go by switches. `hitopo "
          "show --why` prints the reasons, and docs/levels.md the ways to set it, such as a map "
          "(hitopo_file_path)."}},
        {"a full node, once",
         on(two, {"0", "1", "2", "3", "0"}),
         {"fault: ranks 0-4: 5 processes run on a node of 4 CPUs: node n0. Start fewer processes per "
          "node, or use more nodes."}},
        {"hardware threads beside free cores",
         on(with_hwthreads(), {"0", "4", "2"}),
         {"remark: ranks 0-1: 2 processes run on hardware threads of one core, CPUs 0,4 of node n0, "
          "while 2 cores of its node are free. If the job has these cores, give each process one: "
          "--map-by core --bind-to core."}},
        {"a full socket",
         on(two, {"0-1", "0-1", "0-1", "2-3"}),
         {"fault: ranks 0-2: 3 processes share 2 CPUs, CPUs 0-1 of node n0. Spread them: --map-by core "
          "--bind-to core; or request more CPUs for the job."}},
        {"one is not bound",
         on(two, {"0-3", "1", "2"}),
         {"fault: rank 0: may run on all 4 CPUs of a node while others are bound, on node n0. Bind "
          "these too: --bind-to core, or --bind-to socket for processes with threads."}},
        {"one has two sockets",
         on(two, {"0", "1-2"}),
         {"fault: rank 1: may run on 2 sockets while others are bound, on node n0. Bind each within "
          "one socket: --bind-to core or socket, or --map-by socket:PE=N for N threads."}},
        {"more threads than CPUs",
         on(two, {"0-1", "2-3"}).run(4),
         {"fault: ranks 0-1: OMP_NUM_THREADS is 4, but a process has 2 CPUs, on node n0. Set it to 2, "
          "or bind each to as many CPUs: --map-by slot:PE=4 --bind-to core."}},
        {"more threads than the node has",
         on(two, {"0-3"}).run(8),
         {"fault: rank 0: OMP_NUM_THREADS is 8, but a process has 4 CPUs, on node n0. Set it to 4."}},
        {"more threads together than CPUs",
         on(one, Strings(4, "0-3")).run(4),
         {"fault: ranks 0-3: OMP_NUM_THREADS gives them 16 threads together, and they share 4 CPUs, "
          "CPUs 0-3 of node n0. Set it lower, or start fewer processes per node, each bound to its own "
          "CPUs: --map-by slot:PE=N --bind-to core for N threads."}},
        {"a level that only some nodes know",
         on(two, {"0", "2"}).node(two, {"0", "2"}, -1).node(two, {"0"}).know(kSwitch, "some"),
         {"fault: ranks 2-3: switch is unknown on node n1, but known on 2 other nodes. `hitopo show "
          "--why` "
          "prints the results of the components there."}},
        {"a node whose inside nobody knows",
         on(two, {"0"}).node(Json(), {"0"}).know(kSwitch, "all"),
         {"fault: rank 1: socket and core are unknown on node n1, but known on 1 other node. `hitopo "
          "show "
          "--why` prints the results of the components there.",
          "not checked: cores and sockets of node n1: no component knows the machine."}},
        {"nodes of unequal load",
         on(two, {"0", "1", "2"}).node(two, {"0"}).node(two, {"0", "2"}).know(kSwitch, "all"),
         {"remark: 3 processes on node n0, 1 process on node n1. If all processes have equal work, "
          "balance the nodes: set slots in the host file, or use --map-by node."}},
        {"nodes in the fabric's order", on_leaves({0, 0, 1, 1, 2, 2, 3, 3}), {}},
        {"or in another that is as good", on_leaves({3, 3, 2, 2, 0, 0, 1, 1}), {}},
        {"nodes out of it",
         on_leaves({0, 2, 1, 3, 0, 2, 1, 3}),
         {"remark: from node to node, ranks change switch 7 times where 3 would do, island 7 times "
          "where "
          "1 would do. Sort the hosts: start `hitopo show --format json --output table.json` as this "
          "job, "
          "then `hitopo order --hosts --table table.json --format hostfile --output hosts`, and launch "
          "with mpirun --hostfile hosts --map-by seq (srun: --format slurm)."}},
        {"what is unknown",
         on(Json(), {"", "0-1", ""}),
         {"not checked: bindings of ranks 0,2: their CPUs are unknown.",
          "not checked: cores and sockets of node n0: no component knows the machine."}}};
    for (const auto& [name, job, lines] : cases) {
        EXPECT_EQ(lines_of(job), lines) << name;
    }
    EXPECT_NE(lines_of(on(two, {"0-1", "0-1", "2-3"}).run(4))[1].find(
                  "ranks 0-1: OMP_NUM_THREADS gives them 8 threads together, and they share 2 CPUs"),
              std::string::npos);
    EXPECT_EQ(kinds_of(on_leaves({0, 0, 2, 2, 1, 1, 3, 3})), Strings{"remark order"});
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

// Two nodes, of which one does not know its switch, and a process that does not know its core.
TEST(Check, required_levels_that_some_process_does_not_know_are_faults) {
    Job job;
    job.node(two_sockets(), {"0", "2"}).node(two_sockets(), {"0", "0-1"}, -1);
    job.know(kSwitch, "some").know(kCore, "some");
    job.document["levels"][kSwitch]["components"] = {"file"};
    job.document["ranks"][3]["address"][kCore] = -1;
    const auto faults = [&](const char* required) {
        const TableDocument table = *parse_table(job.document);
        std::vector<Finding> found;
        find_required(table, *read_checked_job(table, {}), *parse_required(required), found);
        std::string text;
        for (const Finding& finding : found) {
            text += number_list(finding.ranks, std::string::npos) + ": " + finding.text + ". " +
                    finding.remedy + ".\n";
        }
        return text;
    };
    const std::string why = ". `hitopo show --why` prints what each component found there.\n";
    EXPECT_EQ(faults("node,socket"), "");
    EXPECT_EQ(faults("switch,core"), "2-3: switch is required, but unknown on node n1" + why +
                                         "3: core is required, but unknown on node n1" + why);
    EXPECT_EQ(faults("island"), "0-3: island is required, but unknown on 2 nodes (n[0-1])" + why);
    job.know(kSwitch, "all").document["ranks"][2]["address"][kSwitch] = 0;
    job.document["ranks"][3]["address"][kSwitch] = 0;
    EXPECT_EQ(faults("switch=file"), "");
    EXPECT_EQ(
        faults("switch=slurm"),
        "0-3: switch is required from slurm, but comes from file. `hitopo show --why` prints what slurm "
        "found; --mca hitopo_base_level_switch slurm prefers it.\n");
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

TEST(Check, load_is_by_the_cpus_of_a_node) {
    Job job = on(with_hwthreads(), {"0", "1", "2", "3"}).node(two_sockets(), {"0", "2"});
    job.node(two_sockets(), {"0", "1", "2", "3"}).know(kSwitch, "all");
    EXPECT_EQ(lines_of(job)[0].substr(0, 82),
              "remark: 4 processes for 4 CPUs on node n2, 4 processes for 8 CPUs on node n0. If a");
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
