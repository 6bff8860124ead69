// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The hosts of a Slurm job, and hostfiles as mpirun counts them. What mpirun 4.1 makes of the same files
// is in profiler/test/mpi/order/order_hostfile.sh.
#include <gtest/gtest.h>

#include <map>

#include "ompi/tools/hitopo/launch/launch.h"
#include "test/support/expect_each.h"

namespace hitopo::tool {
namespace {

// ---- Slurm ----

using Hosts = std::vector<Host>;
using Variables = std::map<std::string, std::string>;

Result<Hosts> hosts_in(const Variables& variables) {
    return slurm_hosts([&](const std::string& name) {
        const auto found = variables.find(name);
        return found == variables.end() ? std::nullopt : std::optional<std::string>(found->second);
    });
}

TEST(SlurmHosts, have_tasks_of_each_node) {
    EXPECT_EQ(*hosts_in({{"SLURM_JOB_NODELIST", "n[1-3]"}, {"SLURM_TASKS_PER_NODE", "2(x2),1"}}),
              (Hosts{{"n1", 2}, {"n2", 2}, {"n3", 1}}));
}

TEST(SlurmHosts, are_those_of_all_components) {
    Variables variables = {{"SLURM_HET_SIZE", "2"},
                           {"SLURM_JOB_NODELIST", "n[1-2]"},
                           {"SLURM_TASKS_PER_NODE", "1(x2)"},
                           {"SLURM_JOB_NODELIST_HET_GROUP_0", "n[1-2]"},
                           {"SLURM_TASKS_PER_NODE_HET_GROUP_0", "1(x2)"},
                           {"SLURM_JOB_NODELIST_HET_GROUP_1", "g[1-2],n1"},
                           {"SLURM_TASKS_PER_NODE_HET_GROUP_1", "2(x3)"}};
    EXPECT_EQ(*hosts_in(variables), (Hosts{{"n1", 3}, {"n2", 1}, {"g1", 2}, {"g2", 2}}));
    variables.erase("SLURM_TASKS_PER_NODE_HET_GROUP_1");
    EXPECT_EQ(hosts_in(variables).error().where, "SLURM_TASKS_PER_NODE_HET_GROUP_1");
}

TEST(SlurmHosts, want_both_variables) {
    EXPECT_EQ(hosts_in({{"SLURM_TASKS_PER_NODE", "1"}}).error().where, "SLURM_JOB_NODELIST");
    EXPECT_EQ(hosts_in({{"SLURM_JOB_NODELIST", "n1"}}).error().where, "SLURM_TASKS_PER_NODE");
    for (const char* tasks :
         {"", "1", "1,2,3", "2(x", "2(x2", "2(y2)", "a", "2(x99999999999)", "2(x)"}) {
        EXPECT_FALSE(
            hosts_in({{"SLURM_JOB_NODELIST", "n[1-2]"}, {"SLURM_TASKS_PER_NODE", tasks}}).is_ok())
            << tasks;
    }
    EXPECT_FALSE(hosts_in({{"SLURM_JOB_NODELIST", "n[1-"}, {"SLURM_TASKS_PER_NODE", "1"}}).is_ok());
}

// ---- hostfiles ----

// "n1*4 n2*?": each host with its slots.
std::string words(const std::vector<Host>& hosts) {
    std::string text;
    for (const Host& host : hosts) {
        text += (text.empty() ? "" : " ") + host.name + '*' +
                (host.is_open ? "?" : std::to_string(host.num_slots));
    }
    return text;
}

// Or the error.
std::string hosts(const char* text) {
    const auto file = parse_hostfile(text, "f");
    return file ? words(file->hosts)
                : file.error().position() + ' ' + file.error().value + ' ' + file.error().message;
}

TEST(Hostfile, has_hosts_and_slots) {
    expect_each(hosts, {{"n1 slots=4\nn2 slots=2 max_slots=8\n", "n1*4 n2*2"},
                        {"n1 slots = 2\n\tn2\tslots\t=3\r\n", "n1*2 n2*3"},
                        {"n1 slots=0", "n1*0"},
                        {"# all\n\nn1#x\nn2 slots=2 # two", "n1*? n2*2"},
                        {"john@n1.example.org slots=2\n", "n1.example.org*2"},
                        {"u@10.0.0.1 slots=2\n10.0.0.2\n", "10.0.0.1*2 10.0.0.2*?"},
                        {"fe80::1 slots=2\n::1\n17 slots=2\n", "fe80::1*2 ::1*? 17*2"}});
}

TEST(Hostfile, max_slots_are_slots_where_no_others_are_given) {
    const char* below =
        "f:1:1 has a max_slots of n1 below its slots. Write a max_slots that is "
        "at least its slots";
    expect_each(hosts, {{"n1 max-slots=3\n", "n1*3"},
                        {"n1 max_slots=3 slots=2\n", "n1*2"},
                        {"n1 slots=2 max_slots=2\n", "n1*2"},
                        {"n1\nn1 max_slots=5\n", "n1*2"},
                        {"n1 slots=2 max_slots=1\n", below},
                        {"n1 max_slots=0\n", below}});
}

TEST(Hostfile, lines_of_one_host_are_its_slots) {
    const char* twice =
        "f:2:1 has the slots of n1 twice. Name a host either once with slots=N, "
        "or once for each slot: mpirun refuses both together";
    expect_each(hosts,
                {{"b\na\nb\n", "b*2 a*?"},
                 {"n1 slots=2\nn1\n", "n1*3"},
                 {"n1\nn1 slots=2\n", twice},
                 {"n1 slots=2\nn1 max_slots=9 slots=2\n", twice},
                 {"n1.example.org\nn1\nn1.example.com\nn1\n", "n1.example.org*3 n1.example.com*?"},
                 {"n1\nn1.example.org\nn1.example.org\n", "n1*3"},
                 {"n1 slots=2\nN1 slots=2\nN1.example.org\n", "n1*2 N1*3"}});
    EXPECT_EQ(words(parse_hostfile("b slots=2\na\nb\n", "f")->lines), "b*2 a*? b*?");
}

// What mpirun reads in other ways, and what it does not read.
TEST(Hostfile, names_what_it_does_not_read) {
    const std::string remedy =
        " Write one host per line, as in \"root@node1 slots=4 max_slots=8\", and # before a comment";
    for (const auto& [text, what] : std::vector<std::pair<const char*, const char*>>{
             {"n1 slots=2\nn2  cpu=4\n", "2:5 is not read: \"cpu=4\"."},
             {"n1 slots=2 cpu_max=4\n", "1:12 is not read: \"cpu_max=4\"."},
             {"+e:2\n", "1:1 is not read: \"+e:2\"."},
             {"n1\n\n/* n2\n", "3:1 is not read: \"/*\"."},
             {"n1 // two\n", "1:4 is not read: \"//\"."},
             {"n1 port=22\n", "1:4 is not read: \"port=22\"."},
             {"n1 username = j\n", "1:4 is not read: \"username\"."},
             {"rank 0=n1 slot=0\n", "1:6 is not read: \"0=n1\"."},
             {"n1 n2\n", "1:4 is not read: \"n2\"."},
             {"n1 slots=x\n", "1:4 is not read: \"slots=x\"."},
             {"n1 slots 2\n", "1:4 is not read: \"slots\"."},
             {"n1 slots=\n", "1:4 is not read: \"slots=\"."},
             {"n1 slots=4,\n", "1:4 is not read: \"slots=4,\"."},
             {"n1 slots=2 slots=2\n", "1:12 is not read: \"slots=2\"."},
             {"slots=2\n", "1:6 is not read: \"=2\"."},
             {"n1:x\n", "1:1 is not read: \"n1:x\"."},
             {"^n1\n", "1:1 is not read: \"^n1\"."},
             {"-n1\n", "1:1 is not read: \"-n1\"."},
             {"a@b@c\n", "1:1 is not read: \"a@b@c\"."},
             {"#\n", " contains no host."}}) {
        EXPECT_EQ(hosts(text), (*what == ' ' ? "f" : "f:") + (what + remedy)) << text;
    }
    EXPECT_EQ(hosts("n0\n n1:2\n"),
              "f:2:2 is not read: \"n1:2\". mpirun takes this for a name: write \"n1 slots=2\"");
    EXPECT_FALSE(parse_hostfile(std::string_view("n1\0\n", 4), "f").is_ok());
}

TEST(Hostfile, has_a_limit) {
    EXPECT_EQ(parse_hostfile("n1 slots=9999999999999999999\n", "f").error().code, Errc::kTooLarge);
    EXPECT_EQ(parse_hostfile("a slots=600000\nb slots=600000\n", "f").error().code, Errc::kTooLarge);
}

}  // namespace
}  // namespace hitopo::tool
