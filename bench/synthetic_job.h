// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A job of any size, made up: what the exchange would deliver of it, without its processes.
#ifndef BENCH_SYNTHETIC_JOB_H
#define BENCH_SYNTHETIC_JOB_H

#include <cstdint>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/record/node_record.h"

namespace hitopo::bench {

struct JobShape {
    std::uint32_t num_nodes = 1;
    std::uint32_t num_processes_per_node = 1;
    std::uint32_t num_nodes_per_switch = 20;
    std::uint32_t num_switches_per_island = 25;
    bool has_private_ipc = false;  // each node has an IPC namespace of its own, as in containers
    bool is_scattered = false;     // each node has its processes on other cores, in another order
    bool is_by_slot = false;       // ranks are not shuffled: those of a node follow each other
};

// Ranks are shuffled over the nodes, unless they go by slot. Every node has 2 packages, 4 NUMA nodes, 8
// L3 caches, 64 cores and 128 hardware threads (i and i+64 on one core); the i-th process of a node is
// bound to core i. Slurm names one cluster, islands, switches and nodes; hostname names the nodes too.
class SyntheticJob {
public:
    explicit SyntheticJob(const JobShape& shape);

    std::size_t size() const { return places_.size(); }

    // The records that the leaders of nodes [begin, end) send each other.
    RecordMessage records(std::uint32_t begin, std::uint32_t end) const;

private:
    struct Place {
        std::uint32_t node;
        std::uint32_t index;  // among the node's processes, by rank
    };

    int core_of(const Place& place) const;
    RecordMessage record(std::uint32_t rank) const;

    const JobShape shape_;
    const std::string machine_;                      // encoded
    std::vector<Place> places_;                      // by rank
    std::vector<std::vector<std::uint32_t>> ranks_;  // by node
};

}  // namespace hitopo::bench

#endif
