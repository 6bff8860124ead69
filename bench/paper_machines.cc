// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Collectives of machines that exist on paper: a row for each machine, collective and number of bytes,
// with microseconds by the model, over a simulated network, and at least.
//
//     paper_machines [LEADERS [MOST-MESSAGES]]
//
// LEADERS: as coll_hitopo_leaders. What has more messages is not simulated. busiest: the level of the
// link that is busy for the longest part of the simulated time, and that part.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "bench/paper_collective.h"

namespace hitopo::bench {
namespace {

using coll::kProcess;
using coll::Link;
using coll::SimulatedMachine;

// Figures of networks of 200 Gbit/s (InfiniBand HDR, Slingshot) as their makers and users publish them:
// a port carries 25 GB/s each way; a message of MPI takes a microsecond over one switch and some 0.15
// for each one more, or 0.3 by an optical cable between groups of a dragonfly; a core sends or receives
// some five million messages a second. Through shared memory 10 GB/s for each process, and 0.4 us.
// Longer messages than some KiB are sent when there is a place for them.
constexpr double kPort = 25000;
constexpr double kMessageUs = 0.2;
constexpr std::size_t kEagerBytes = 4096;
constexpr Link kWithinNode = {0.4, 10000, 0.1};
constexpr Link kOneSwitch = {1.0, kPort, kMessageUs};

struct Options {
    int num_leaders = 16;
    std::uint64_t most_messages = 4000000;
};

struct Named {
    const char* name;  // "kind/processes"
    SimulatedMachine machine;
    bool is_simulated;
};

// Half as many uplinks as nodes below a leaf switch (2:1).
SimulatedMachine fat_tree(int num_leaves, int num_nodes, int num_processes) {
    return SimulatedMachine({{kSwitch, num_leaves, {1.3, num_nodes * kPort / 2, kMessageUs}},
                             {kNode, num_nodes, kOneSwitch},
                             {kProcess, num_processes, kWithinNode}},
                            kEagerBytes);
}

// Each group has a link to each of the other 63 where it has 64 nodes, and as many for each node where
// it has fewer; switches of a group have links of as much together as their nodes, and half as much
// more.
SimulatedMachine dragonfly(int num_switches, int num_nodes, int num_processes) {
    const double num_uplinks = num_switches * num_nodes * 63 / 64.0;
    return SimulatedMachine({{kIsland, 64, {1.75, num_uplinks * kPort, kMessageUs}},
                             {kSwitch, num_switches, {1.15, 1.5 * num_nodes * kPort, kMessageUs}},
                             {kNode, num_nodes, kOneSwitch},
                             {kProcess, num_processes, kWithinNode}},
                            kEagerBytes);
}

std::vector<Named> machines() {
    return {
        {"lab/32", coll::lab_machine(), true},          {"fat-tree/400", fat_tree(10, 10, 4), true},
        {"fat-tree/4000", fat_tree(50, 20, 4), true},   {"fat-tree/32000", fat_tree(50, 20, 32), false},
        {"dragonfly/512", dragonfly(2, 2, 2), true},    {"dragonfly/4096", dragonfly(4, 4, 4), true},
        {"dragonfly/32768", dragonfly(16, 4, 8), false}};
}

void print_row(const Named& named, Collective collective, std::size_t bytes,
               const PaperCollective& paper, const std::optional<Simulated>& simulated) {
    const double model = paper.model_us(), bound = paper.bound_us();
    std::printf("%-15s %-14s %9zu %10.1f %10.1f", named.name, std::string(name_of(collective)).c_str(),
                bytes, bound, model);
    if (simulated) {
        const std::string level(coll::division_name(simulated->busiest_level));
        std::printf(" %10.1f %11.2f %9.2f %9.2f %-7s %4.2f", simulated->us, model / bound,
                    simulated->us / bound, model / simulated->us, level.c_str(),
                    simulated->busiest_us / simulated->us);
    } else {
        std::printf(" %10s %11.2f %9s %9s %-7s %4s", "-", model / bound, "-", "-", "-", "-");
    }
    std::printf("  %s\n", paper.plan().c_str());
    std::fflush(stdout);
}

// False where processes wait for each other for ever.
bool measure(const Named& named, const Options& options) {
    std::vector<coll::Groups> groups;
    for (int rank = 0; rank < (named.is_simulated ? named.machine.num_processes() : 1); ++rank) {
        groups.push_back(named.machine.groups_of(rank));
    }
    for (const Collective collective : kCollectives) {
        for (std::size_t bytes = 4 << 10; bytes <= 64 << 20; bytes *= 4) {
            if (collective == Collective::kAlltoall &&
                !coll::is_bundled(named.machine.num_processes(), bytes)) {
                continue;  // not served
            }
            const PaperCollective paper(named.machine, groups.front().shape(), collective, bytes,
                                        options.num_leaders);
            const bool is_simulated =
                named.is_simulated && paper.num_messages() <= options.most_messages;
            const auto simulated = is_simulated ? paper.simulate(groups) : std::nullopt;
            if (is_simulated && !simulated) {
                return false;
            }
            print_row(named, collective, bytes, paper, simulated);
        }
    }
    return true;
}

}  // namespace
}  // namespace hitopo::bench

int main(int argc, char** argv) {
    hitopo::bench::Options options;
    if (argc > 1) {
        options.num_leaders = std::max(1, std::atoi(argv[1]));
    }
    if (argc > 2) {
        options.most_messages = std::strtoull(argv[2], nullptr, 10);
    }
    std::printf("%-15s %-14s %9s %10s %10s %10s %11s %9s %9s %-12s  %s\n", "machine/size", "collective",
                "bytes", "bound_us", "model_us", "simul_us", "model/bound", "sim/bound", "model/sim",
                "busiest", "how");
    for (const auto& named : hitopo::bench::machines()) {
        if (!hitopo::bench::measure(named, options)) {
            std::fprintf(stderr, "%s: processes wait for each other\n", named.name);
            return 1;
        }
    }
    return 0;
}
