// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Launches: hosts and their slots, as a hostfile or the Slurm job names them; the slots of an
// allocation, of which an order of ranks is a permutation; and such orders as launchers read them.
#ifndef OMPI_TOOLS_HITOPO_LAUNCH_LAUNCH_H
#define OMPI_TOOLS_HITOPO_LAUNCH_LAUNCH_H

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/machine/cpuset.h"
#include "ompi/mca/hitopo/core/network/slurm_components.h"
#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/topo/hitopo/core/level_groups.h"
#include "ompi/tools/hitopo/document.h"
#include "ompi/tools/hitopo/options.h"

namespace hitopo::tool {

// ---- hosts ----

struct Host {
    std::string name;
    std::size_t num_slots = 0;
    bool is_open = false;  // no slots are given: 1 of a line, and to mpirun as many as it has cores

    friend bool operator==(const Host& a, const Host& b) {
        return a.name == b.name && a.num_slots == b.num_slots && a.is_open == b.is_open;
    }
};

// Slots of all hosts together.
inline constexpr std::size_t kMaxSlots = 1000000;

// Letters, digits, '.', '-', '_', and no '-' first: all launchers read these as a host; or an IPv6
// address.
bool is_host_name(std::string_view name);

struct Hostfile {
    std::vector<Host> lines;  // in their order; a host can occur again
    // Each host once, as a launch by slot fills them. One with several lines has a slot for each that
    // gives none, and is not open.
    std::vector<Host> hosts;
};

// Open MPI's hostfile as far as people write it: lines that mpirun alone reads, or takes for an
// impossible host (node1:2), are errors with line and column. kTooLarge over kMaxSlots slots or lines.
Result<Hostfile> parse_hostfile(std::string_view text, const std::string& where);

// The hosts of a Slurm job, of all its components: SLURM_JOB_NODELIST and SLURM_TASKS_PER_NODE of each.
// Each host once, with all its slots, in the order of first sight.
Result<std::vector<Host>> slurm_hosts(const Variable& variable);

// ---- slots, one for each process of a launch ----

struct Slot {
    std::string host;
    Address address{};                        // as of ompi_hitopo_get_addrs
    std::array<OptionalText, kNode> network;  // names of its cluster, island and switch; empty: unknown
    OptionalText cpus;                        // of the process that ran there
    OptionalText allowed;                     // that its cpuset has; empty: none is known
    int machine = -1;                         // index into Slots::machines, or -1
};

struct Slots {
    std::vector<Slot> slots;  // slot r is rank r's in a launch without an order
    unsigned known = 0;       // bit l is set if some process knows level l
    std::vector<MachineDocument> machines;
};

// The slots of a job. kMalformed: a rank whose node has no name that launchers read, or two nodes of one
// name. `where` is for the error.
Result<Slots> slots_of(const TableDocument& table, const std::string& where);

// Host after host, each with its slots; one that occurs again is the same node. Other levels are
// unknown.
Slots slots_of(const std::vector<Host>& hosts);

// The levels of a host, one of whose ranks is `rank`.
using FindLevels = std::function<Result<RawAddress>(const std::string& host, int rank)>;

// The slots with the cluster, island and switch that their hosts have by a file that describes the
// network, in place of the known ones; a level that no host has stays as it was. kMalformed where some
// host lacks the innermost of them, or all lack all: it would count as one switch more. `where` is for
// the error.
Result<Slots> in_network(Slots slots, const FindLevels& find, const std::string& where);

// The same as far as nodes: levels inside of them are left out.
Slots without_inside(Slots slots);

// Whether the table has as many ranks, and the same ones share a node.
bool share_nodes_as(const Slots& slots, const TableDocument& table);

// ---- what launchers read ----

struct LaunchFile {
    std::string text;
    std::string usage;  // a launch with it, one line in which {} is the file
};

// slot_of: of each rank. A rankfile has a line for each rank with its slot's CPUs, a map
// (docs/levels.md) one for each node with the ranks there; a list has each host once. The error, with
// the remedy: slots were not bound, or their machine is unknown.
Result<LaunchFile> launch_file(const Slots& slots, const topo::PerProcess& slot_of, Format format,
                               Launcher launcher);

// The CPUs of a machine by hwloc's logical numbers, as rankfiles have them: in the order in which they
// lie in the machine's tree, not in that of the operating system's numbers. Launchers count those that a
// cpuset allows alone.
struct LogicalCpus {
    CpuSet all;
    std::vector<CpuSet> cores, threads;  // by logical number
};

// allowed: of the cpuset of the processes there; empty: all of them.
LogicalCpus logical_cpus(const MachineDocument& machine, const CpuSet& allowed);

// The numbers of those of `units` that together are just these CPUs, as a list: "0-3,8"; nothing where
// there are none.
std::optional<std::string> numbers_of(const std::vector<CpuSet>& units, const CpuSet& cpus);

}  // namespace hitopo::tool

#endif
