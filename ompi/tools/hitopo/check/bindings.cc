// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Processes that are not bound, that are all bound to one socket, or to fewer CPUs than they have
// threads.
#include <algorithm>

#include "ompi/tools/hitopo/check/check.h"

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

bool is_bound(const Reached& reached) { return reached.reach == Reach::kBound; }

// is_job_bound: some process of the job is. Where nobody is, processes that share a node move from
// socket to socket, away from their memory.
void find_in_node(const Placement& placement, std::size_t n, const std::vector<Reached>& reached,
                  bool is_job_bound, std::vector<Occurrence>& found) {
    const CheckedNode& node = placement.nodes[n];
    if (node.machine == nullptr) {
        return;
    }
    const std::vector<CpuSet>& sockets = node.machine->sockets;
    const bool is_shared = node.ranks.size() > 1;
    const bool has_bound = std::any_of(node.ranks.begin(), node.ranks.end(), [&](int rank) {
        return is_bound(reached[static_cast<std::size_t>(rank)]);
    });
    CpuSet all;  // where its processes may run
    for (const int rank : node.ranks) {
        const CheckedProcess& process = placement.processes[static_cast<std::size_t>(rank)];
        const Reached& own = reached[static_cast<std::size_t>(rank)];
        all |= is_bound(own) ? *process.cpus : node.machine->cpus;
        // More threads than any socket has CPUs: then it has to use several.
        const bool needs_sockets =
            std::all_of(sockets.begin(), sockets.end(),
                        [&](const CpuSet& socket) { return socket.count() < process.threads; });
        if (!is_job_bound) {
            if (own.num_sockets > 1 && is_shared && !needs_sockets) {
                found.push_back({FindingKind::kAcrossSockets, own.num_sockets, 0, {rank}, n});
            }
        } else if (!has_bound && !(is_shared && sockets.size() > 1)) {
            // Who is alone on its node is in nobody's way; and the one socket of a node is what
            // --bind-to socket gives.
            continue;
        } else if (own.reach == Reach::kNode) {
            found.push_back({FindingKind::kUnbound, node.machine->cpus.count(), 0, {rank}, n});
        } else if (own.reach == Reach::kSockets && !needs_sockets) {
            found.push_back({FindingKind::kSeveralSockets, own.num_sockets, 0, {rank}, n});
        }
    }
    if (is_job_bound && is_shared && sockets.size() > 1 && sockets_of(*node.machine, all) == 1) {
        found.push_back({FindingKind::kOneSocket, static_cast<int>(sockets.size()), 0, node.ranks, n});
    }
}

}  // namespace

void find_unbound(const Placement& placement, std::vector<Occurrence>& found) {
    std::vector<Reached> reached;
    for (std::size_t rank = 0; rank < placement.processes.size(); ++rank) {
        const CheckedProcess& process = placement.processes[rank];
        reached.push_back(reach_of(placement.nodes[process.node].machine, process.cpus.get()));
        if (process.cpus != nullptr && process.cpus->count() < process.threads) {
            found.push_back({FindingKind::kThreads,
                             process.threads,
                             process.cpus->count(),
                             {static_cast<int>(rank)},
                             process.node});
        }
    }
    const bool is_job_bound = std::any_of(reached.begin(), reached.end(), is_bound);
    for (std::size_t node = 0; node < placement.nodes.size(); ++node) {
        find_in_node(placement, node, reached, is_job_bound, found);
    }
}

}  // namespace hitopo::tool
