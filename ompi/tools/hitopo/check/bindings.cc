// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Processes that are not bound, that are all bound to one socket, or to fewer CPUs than they have
// threads.
#include <algorithm>
#include <map>

#include "ompi/tools/hitopo/check/rules.h"

namespace hitopo::tool {
namespace {

enum class Reach {
    kUnknown,  // its CPUs, or its node's machine; or there is but one core
    kBound,    // to a part of one socket, or of a node of one socket
    kSockets,  // several sockets, not all of the node
    kNode,     // all of it
};

struct Reached {
    Reach reach = Reach::kUnknown;
    int num_sockets = 0;
};

int sockets_of(const CheckedMachine& machine, const CpuSet& cpus) {
    return static_cast<int>(
        std::count_if(machine.sockets.begin(), machine.sockets.end(), [&](const CpuSet& socket) {
            CpuSet shared = cpus;
            return !(shared &= socket).is_empty();
        }));
}

Reached reach_of(const CheckedMachine* machine, const CpuSet* cpus) {
    if (machine == nullptr || cpus == nullptr || machine->cores.size() < 2) {
        return {};
    }
    const int num_sockets = sockets_of(*machine, *cpus);
    if (machine->cpus.is_subset_of(*cpus)) {
        return {Reach::kNode, num_sockets};
    }
    return {num_sockets > 1 ? Reach::kSockets : Reach::kBound, num_sockets};
}

// The reach of all processes; each machine and set of CPUs once.
std::vector<Reached> reach_of_all(const Placement& placement) {
    std::map<std::pair<const CheckedMachine*, const CpuSet*>, Reached> known;
    std::vector<Reached> all;
    for (const CheckedProcess& process : placement.processes) {
        const CheckedMachine* machine = placement.nodes[process.node].machine;
        const auto [entry, is_new] = known.try_emplace({machine, process.cpus.get()});
        if (is_new) {
            entry->second = reach_of(machine, process.cpus.get());
        }
        all.push_back(entry->second);
    }
    return all;
}

bool is_bound(const Reached& reached) { return reached.reach == Reach::kBound; }

// More threads than any socket has CPUs: then it has to use several.
bool needs_sockets(const CheckedProcess& process, const CheckedMachine& machine) {
    return std::all_of(machine.sockets.begin(), machine.sockets.end(),
                       [&](const CpuSet& socket) { return socket.count() < process.threads; });
}

// Whether a process of the node that may run on more than one socket, or everywhere, is out of step. One
// that is alone on its node is in nobody's way; and the one socket of a node is what --bind-to socket
// gives.
bool should_be_bound(const CheckedNode& node, bool has_bound) {
    return has_bound || (node.ranks.size() > 1 && node.machine->sockets.size() > 1);
}

// In a job in which some process is bound.
void find_in_node(const Placement& placement, std::size_t n, const std::vector<Reached>& reached,
                  std::vector<Occurrence>& found) {
    const CheckedNode& node = placement.nodes[n];
    const auto of = [&](int rank) -> const Reached& { return reached[static_cast<std::size_t>(rank)]; };
    const bool has_bound =
        std::any_of(node.ranks.begin(), node.ranks.end(), [&](int rank) { return is_bound(of(rank)); });
    for (const int rank : node.ranks) {
        const Reach reach = of(rank).reach;
        if (reach < Reach::kSockets || !should_be_bound(node, has_bound)) {
            continue;
        }
        if (reach == Reach::kNode) {
            found.push_back({FindingKind::kUnbound, node.machine->cpus.count(), 0, {rank}, n});
        } else if (!needs_sockets(placement.processes[static_cast<std::size_t>(rank)], *node.machine)) {
            found.push_back({FindingKind::kSeveralSockets, of(rank).num_sockets, 0, {rank}, n});
        }
    }
}

// Where nobody is bound: processes that share a node move from socket to socket, away from their memory.
void find_across_sockets(const Placement& placement, const std::vector<Reached>& reached,
                         std::vector<Occurrence>& found) {
    for (std::size_t rank = 0; rank < reached.size(); ++rank) {
        const CheckedProcess& process = placement.processes[rank];
        const CheckedNode& node = placement.nodes[process.node];
        if (reached[rank].num_sockets > 1 && node.ranks.size() > 1 &&
            !needs_sockets(process, *node.machine)) {
            found.push_back({FindingKind::kAcrossSockets,
                             reached[rank].num_sockets,
                             0,
                             {static_cast<int>(rank)},
                             process.node});
        }
    }
}

// Nodes of several processes, all on one of several sockets.
void find_one_socket(const Placement& placement, const std::vector<Reached>& reached,
                     std::vector<Occurrence>& found) {
    for (std::size_t n = 0; n < placement.nodes.size(); ++n) {
        const CheckedNode& node = placement.nodes[n];
        CpuSet all;
        for (const int rank : node.ranks) {
            const auto index = static_cast<std::size_t>(rank);
            if (is_bound(reached[index])) {
                all |= *placement.processes[index].cpus;
            } else {
                all = node.machine != nullptr ? node.machine->cpus : all;
            }
        }
        if (node.machine != nullptr && node.ranks.size() > 1 && node.machine->sockets.size() > 1 &&
            sockets_of(*node.machine, all) == 1) {
            found.push_back({FindingKind::kOneSocket, static_cast<int>(node.machine->sockets.size()), 0,
                             node.ranks, n});
        }
    }
}

}  // namespace

void find_unbound(const Placement& placement, std::vector<Occurrence>& found) {
    const std::vector<Reached> reached = reach_of_all(placement);
    if (!std::any_of(reached.begin(), reached.end(), is_bound)) {
        find_across_sockets(placement, reached, found);
        return;
    }
    for (std::size_t node = 0; node < placement.nodes.size(); ++node) {
        find_in_node(placement, node, reached, found);
    }
    find_one_socket(placement, reached, found);
}

void find_threads(const Placement& placement, std::vector<Occurrence>& found) {
    for (std::size_t rank = 0; rank < placement.processes.size(); ++rank) {
        const CheckedProcess& process = placement.processes[rank];
        if (process.cpus != nullptr && process.cpus->count() < process.threads) {
            found.push_back({FindingKind::kThreads,
                             process.threads,
                             process.cpus->count(),
                             {static_cast<int>(rank)},
                             process.node});
        }
    }
}

}  // namespace hitopo::tool
