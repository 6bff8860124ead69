// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Grids, slots and launch files. Expectations are worked out by hand. Tests launch_file.cc,
// option_values.cc and slots.cc.
#include "ompi/tools/hitopo/launch/launch.h"

#include <gtest/gtest.h>

#include "ompi/mca/hitopo/core/network/topology_conf.h"
#include "ompi/tools/hitopo/launch/launch.h"
#include "ompi/tools/hitopo/options.h"
#include "test/support/expect_each.h"

namespace hitopo::tool {
namespace {

using Hosts = std::vector<Host>;

// ---- grids ----

TEST(GridWords, have_dimensions) {
    const auto grid = parse_grid("64x48p");
    ASSERT_TRUE(grid.is_ok());
    EXPECT_EQ(grid->dims, (std::vector<int>{64, 48}));
    EXPECT_EQ(grid->is_periodic, (std::vector<bool>{false, true}));
}

TEST(GridWords, say_what_is_wrong) {
    for (const char* text : {"", "x", "4x", "0", "4xp", "4X4", "-1", "4x4pp", "4 x4"}) {
        EXPECT_EQ(parse_grid(text).error().code, Errc::kMalformed) << text;
    }
    EXPECT_EQ(parse_grid("4294967297x4294967297").error().code, Errc::kTooLarge);
    EXPECT_EQ(parse_grid("1001x1000").error().code, Errc::kTooLarge);
}

// ---- slots ----

Result<Slots> in_conf(const Slots& slots, const char* conf) {
    const auto tree = parse_topology_conf(conf, "t");
    const FindLevels find = [&](const std::string& host, int) -> Result<RawAddress> {
        const auto place = tree->find(host);
        return place ? place->levels : RawAddress();
    };
    return in_network(slots, find, "t");
}

TEST(Slots, of_hosts_have_their_switches) {
    const auto found =
        in_conf(slots_of(Hosts{{"a", 2}, {"b", 1}, {"c", 1}}),
                "SwitchName=s1 Nodes=a,c\nSwitchName=s2 Nodes=b\nSwitchName=top Switches=s[1-2]\n");
    ASSERT_TRUE(found.is_ok());
    const Slots& slots = *found;
    ASSERT_EQ(slots.slots.size(), 4U);
    EXPECT_EQ(slots.slots[1].host, "a");
    EXPECT_EQ(slots.slots[0].address[kSwitch], slots.slots[3].address[kSwitch]);
    EXPECT_NE(slots.slots[0].address[kSwitch], slots.slots[2].address[kSwitch]);
    EXPECT_EQ(slots.slots[0].address[kIsland], slots.slots[2].address[kIsland]);
    EXPECT_EQ(slots.known, 1u << kIsland | 1u << kSwitch | 1u << kNode);
}

// A leaf that hangs on nothing has no island; a node that hangs on nothing is a mistake.
TEST(Slots, of_hosts_without_a_switch_are_an_error) {
    const Slots slots = slots_of(Hosts{{"n1", 1}, {"n2", 1}, {"n3", 1}});
    const char* one_island =
        "SwitchName=s1 Nodes=n1\nSwitchName=s2 Nodes=n[2-3]\nSwitchName=i Switches=s1\n";
    EXPECT_TRUE(in_conf(slots, one_island).is_ok());
    EXPECT_EQ(in_conf(slots, "SwitchName=s1 Nodes=n1\n").error().value,
              "has no switch for 2 hosts: n[2-3].");
    EXPECT_EQ(in_conf(slots, "SwitchName=s1 Nodes=node[1-3]\n").error().value,
              "has no switch for 3 hosts: n[1-3].");
    const FindLevels islands = [](const std::string& host, int) -> Result<RawAddress> {
        RawAddress levels;
        levels[kIsland] = host == "n3" ? std::nullopt : std::optional<RawValue>(Name(host));
        return levels;
    };
    EXPECT_EQ(in_network(slots, islands, "t").error().value, "has no island for 1 host: n3.");
}

TEST(Slots, keep_the_levels_that_a_file_does_not_tell) {
    Slots slots = slots_of(Hosts{{"a", 1}, {"b", 1}});
    slots.known |= 1u << kIsland | 1u << kSocket;
    slots.slots[1].address[kIsland] = slots.slots[1].address[kSocket] = 1;
    const auto found = in_conf(slots, "SwitchName=s1 Nodes=a,b\n");
    ASSERT_TRUE(found.is_ok());
    EXPECT_EQ(found->slots[1].address, (Address{0, 1, 0, 1, 0, 1, 0, 0}));
    EXPECT_EQ(found->known, 1u << kIsland | 1u << kSwitch | 1u << kNode | 1u << kSocket);
}

TEST(Slots, of_hosts_know_nodes) {
    const Slots slots = slots_of(Hosts{{"a", 1}, {"b", 1}, {"a", 1}});
    EXPECT_EQ(slots.known, 1u << kNode);
    EXPECT_EQ(slots.slots[1].address, (Address{0, 0, 0, 1, 0, 0, 0, 0}));
    EXPECT_EQ(slots.slots[2].host, "a");
    EXPECT_EQ(slots.slots[2].address, (Address{}));
}

TableDocument table_of(std::vector<std::pair<std::string, int>> nodes) {
    TableDocument table;
    table.levels[kNode].known = Known::kAll;
    for (const auto& [name, number] : nodes) {
        RankRow row;
        row.names[kNode] = name;
        row.address[kNode] = number;
        table.ranks.push_back(row);
    }
    return table;
}

TEST(Slots, of_a_table_want_one_name_a_node) {
    EXPECT_TRUE(slots_of(table_of({{"a", 0}, {"b", 1}, {"a", 0}}), "t").is_ok());
    EXPECT_EQ(slots_of(table_of({{"a", 0}, {"a", 1}}), "t").error().value, "has two nodes called a.");
    EXPECT_FALSE(slots_of(table_of({{"a\nb", 0}}), "t").is_ok());
    EXPECT_FALSE(slots_of(table_of({{"", 0}}), "t").is_ok());
}

TEST(Slots, share_nodes_as_a_table_does_by_any_name) {
    const TableDocument table = table_of({{"a", 0}, {"b", 1}, {"a", 0}, {"b", 1}});
    EXPECT_TRUE(share_nodes_as(slots_of(Hosts{{"y", 1}, {"x", 1}, {"y", 1}, {"x", 1}}), table));
    EXPECT_FALSE(share_nodes_as(slots_of(Hosts{{"a", 2}, {"b", 2}}), table));
    EXPECT_FALSE(share_nodes_as(slots_of(Hosts{{"a", 1}, {"b", 1}, {"a", 1}, {"c", 1}}), table));
    EXPECT_FALSE(share_nodes_as(slots_of(Hosts{{"a", 4}}), table));
    EXPECT_FALSE(share_nodes_as(slots_of(Hosts{{"a", 1}, {"b", 1}}), table));
}

// ---- CPUs ----

// Two packages whose cores the operating system numbers in turn, threads of a core 8 apart:
// package 0 has cores 0,8 2,10 4,12 6,14.
MachineDocument interleaved() {
    return {"0-15",
            {{"Package", {"0,2,4,6,8,10,12,14", "1,3,5,7,9,11,13,15"}},
             {"Core", {"0,8", "1,9", "2,10", "3,11", "4,12", "5,13", "6,14", "7,15"}},
             {"PU",
              {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"}}}};
}

std::string cores(const char* cpus) {
    return numbers_of(logical_cpus(interleaved(), {}).cores, *CpuSet::parse(cpus)).value_or("none");
}
std::string threads(const char* cpus) {
    return numbers_of(logical_cpus(interleaved(), {}).threads, *CpuSet::parse(cpus)).value_or("none");
}

TEST(LogicalCpus, count_along_the_tree) {
    expect_each(cores, {{"0,8", "0"},
                        {"2,10", "1"},
                        {"1,9", "4"},
                        {"1,3,9,11,6,14", "3-5"},
                        {"0", "none"},
                        {"0,8,2", "none"},
                        {"16", "none"}});
    expect_each(threads, {{"0", "0"}, {"8", "1"}, {"2", "2"}, {"1", "8"}, {"9,10", "3,9"}});
}

// The CPUs near a NIC are not of one part of the tree: cores 0 and 3 are, and the others to another.
TEST(LogicalCpus, do_not_count_along_what_is_near_a_device) {
    MachineDocument machine = interleaved();
    machine.types.push_back({"nic://Nearest", {"0,6,8,14", "1-5,7,9-13,15"}});
    EXPECT_EQ(logical_cpus(machine, {}).cores, logical_cpus(interleaved(), {}).cores);
    EXPECT_EQ(logical_cpus(machine, {}).threads, logical_cpus(interleaved(), {}).threads);
}

// One thread of core 0 and both of cores 2 and 3 are allowed, and counted from 0 on.
TEST(LogicalCpus, count_what_is_allowed) {
    const LogicalCpus cpus = logical_cpus(interleaved(), *CpuSet::parse("8,4,12,6,14"));
    EXPECT_EQ(cpus.cores.size(), 3U);
    EXPECT_EQ(cpus.all.to_string(), "4,6,8,12,14");
    expect_each(
        [&](const char* set) { return numbers_of(cpus.cores, *CpuSet::parse(set)).value_or("none"); },
        {{"8", "0"}, {"4,12", "1"}, {"4,6,12,14", "1-2"}, {"0,8", "none"}, {"1,9", "none"}});
    expect_each(
        [&](const char* set) { return numbers_of(cpus.threads, *CpuSet::parse(set)).value_or("none"); },
        {{"8", "0"}, {"12", "2"}, {"14,6", "3-4"}, {"0", "none"}});
}

// ---- files ----

// Two hosts of two slots each; ranks 0..3 of the new launch are at b, a, b, a.
Slots two_hosts(std::vector<const char*> cpus = {"0,8", "2,10", "0,8", "1,9"}) {
    Slots slots = slots_of(Hosts{{"a", 2}, {"b", 2}});
    slots.machines = {interleaved()};
    for (std::size_t i = 0; i < 4; ++i) {
        slots.slots[i].machine = 0;
        slots.slots[i].cpus = cpus[i];
    }
    return slots;
}
const topo::PerProcess kSlotOf = {2, 1, 3, 0};

std::string host_lines(Format format) {
    return launch_file(two_hosts(), kSlotOf, format, Launcher::kOrte)->text;
}

// Or the error.
std::string rankfile(const Slots& slots) {
    const auto file = launch_file(slots, kSlotOf, Format::kRankfile, Launcher::kOrte);
    return file ? file->text : file.error().value + ' ' + file.error().message;
}

std::string usage(const Slots& slots, Launcher launcher) {
    return launch_file(slots, kSlotOf, Format::kRankfile, launcher)->usage;
}

TEST(LaunchFile, hostfile_has_the_host_of_each_rank) {
    EXPECT_EQ(host_lines(Format::kHostfile), "b\na\nb\na\n");
    EXPECT_EQ(host_lines(Format::kSlurm), "b\na\nb\na\n");
}

TEST(LaunchFile, list_has_each_host_once) { EXPECT_EQ(host_lines(Format::kList), "b\na\n"); }

// Names with blanks, or of digits, are in quotes; an unknown level is left out.
TEST(LaunchFile, map_has_a_line_for_each_node) {
    EXPECT_EQ(host_lines(Format::kMap), "rank 0,2 node=b\nrank 1,3 node=a\n");
    Slots slots = two_hosts();
    slots.slots[0].network = slots.slots[1].network = {std::nullopt, "the old racks", "7"};
    slots.slots[2].network = slots.slots[3].network = {std::nullopt, "east", std::nullopt};
    const auto file = launch_file(slots, kSlotOf, Format::kMap, Launcher::kOrte);
    EXPECT_EQ(file->text,
              "rank 0,2 island=east node=b\n"
              "rank 1,3 island=\"the old racks\" switch=\"7\" node=a\n");
    EXPECT_EQ(file->usage,
              "mpirun --mca hitopo_file_path {} -np 4 PROGRAM\n"
              "  which simulates these hosts: for the real ones use --format hostfile");
}

TEST(LaunchFile, map_has_the_switches_of_a_file) {
    const auto slots =
        in_conf(slots_of(Hosts{{"a", 2}, {"b", 2}}), "SwitchName=s1 Nodes=a\nSwitchName=s2 Nodes=b\n");
    EXPECT_EQ(launch_file(*slots, kSlotOf, Format::kMap, Launcher::kOrte)->text,
              "rank 0,2 switch=s2 node=b\nrank 1,3 switch=s1 node=a\n");
}

TEST(LaunchFile, rankfile_has_each_slots_cpus) {
    const char* cores = "rank 0=b slot=0\nrank 1=a slot=1\nrank 2=b slot=4\nrank 3=a slot=0\n";
    EXPECT_EQ(rankfile(two_hosts()), cores);
    // Odd texts, and cpusets that do not hold the process: a simulated machine.
    for (const char* allowed : {"", "x", "0-", "7"}) {
        Slots slots = two_hosts();
        for (Slot& slot : slots.slots) {
            slot.allowed = allowed;
        }
        EXPECT_EQ(rankfile(slots), cores) << allowed;
    }
    EXPECT_EQ(rankfile(two_hosts({"0", "8", "0", "1,9"})),
              "rank 0=b slot=0\nrank 1=a slot=1\nrank 2=b slot=8-9\nrank 3=a slot=0\n");
}

// The machine's cores 1, 4 and 5 are left of host b: CPUs 2, 1 and 3 and their siblings; then one core.
TEST(LaunchFile, rankfile_counts_allowed_cores) {
    Slots slots = two_hosts({"0,8", "2,10", "2,10", "1,9"});
    slots.slots[2].allowed = slots.slots[3].allowed = "1-3,9-11";
    EXPECT_EQ(rankfile(slots), "rank 0=b slot=0\nrank 1=a slot=1\nrank 2=b slot=1\nrank 3=a slot=0\n");
    slots.slots[2].cpus = slots.slots[3].cpus = "1-3,9-11";
    EXPECT_EQ(rankfile(slots).find("A rankfile binds ranks, but rank 2 was not bound."), 0U);
    slots = two_hosts({"0,8", "2,10", "3,11", "3,11"});
    slots.slots[2].allowed = slots.slots[3].allowed = "3,11";
    EXPECT_EQ(rankfile(slots), "rank 0=b slot=0\nrank 1=a slot=1\nrank 2=b slot=0\nrank 3=a slot=0\n");
}

TEST(LaunchFile, rankfile_says_how_to_use_it) {
    const Slots shared = two_hosts({"0,8", "0,8", "0,8", "1,9"});
    const Slots threads = two_hosts({"0", "8", "0", "1,9"});
    const std::string end = " -np 4 PROGRAM, with the job's hosts";
    EXPECT_EQ(usage(two_hosts(), Launcher::kOrte), "mpirun --rankfile {}" + end);
    EXPECT_EQ(usage(shared, Launcher::kOrte), "mpirun --rankfile {}" + end);
    EXPECT_EQ(usage(threads, Launcher::kOrte), "mpirun --rankfile {} --use-hwthread-cpus" + end);
    EXPECT_EQ(usage(two_hosts(), Launcher::kPrrte), "mpirun --map-by rankfile:file={}" + end);
    EXPECT_EQ(usage(shared, Launcher::kPrrte),
              "mpirun --map-by rankfile:file={} --bind-to core:overload-allowed" + end);
}

TEST(LaunchFile, rankfile_is_of_bound_processes) {
    EXPECT_EQ(rankfile(two_hosts({"0-15", "2,10", "0,8", "1,9"})),
              "A rankfile binds ranks, but rank 0 was not bound. Use --format hostfile, "
              "which binds no rank");
    Slots unknown = two_hosts();
    unknown.slots[3].machine = -1;
    EXPECT_NE(rankfile(unknown).find("the CPUs of rank 3 are unknown"), std::string::npos);
    EXPECT_NE(rankfile(two_hosts({"0,8", "2,10", "77", "1,9"})).find("the CPUs of rank 2 are too many"),
              std::string::npos);
}

}  // namespace
}  // namespace hitopo::tool
