// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/tools/hitopo/order/launch_file.h"

#include <fmt/format.h>

#include <unordered_map>

namespace hitopo::tool {
namespace {

// The host of each rank, a line each: what Open MPI's sequential mapper reads, and Slurm.
std::string host_lines(const Slots& slots, const topo::PerProcess& slot_of) {
    std::string text;
    for (const std::uint32_t slot : slot_of) {
        text += slots.slots[slot].host + '\n';
    }
    return text;
}

// "0-3,8,6"
std::string rank_ranges(const std::vector<std::uint32_t>& ranks) {
    std::string text;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t last = i;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) {
            ++last;
        }
        text += text.empty() ? "" : ",";
        text += last > i + 1 ? fmt::format("{}-{}", ranks[i], ranks[last]) : std::to_string(ranks[i]);
        i = last > i + 1 ? last + 1 : i + 1;
    }
    return text;
}

// Cray's MPICH fills the nodes of a launch, one after the other, with the ranks of the file's list: the
// list has for each slot its new rank. A line is a node; '#' begins a comment.
std::string mpich_lines(const Slots& slots, const topo::PerProcess& slot_of) {
    topo::PerProcess rank_of(slot_of.size());
    for (std::uint32_t rank = 0; rank < slot_of.size(); ++rank) {
        rank_of[slot_of[rank]] = rank;
    }
    std::unordered_map<std::string, std::size_t> numbers;
    std::vector<std::vector<std::uint32_t>> nodes;
    for (std::size_t slot = 0; slot < rank_of.size(); ++slot) {
        const std::size_t node = numbers.emplace(slots.slots[slot].host, nodes.size()).first->second;
        nodes.resize(std::max(nodes.size(), node + 1));
        nodes[node].push_back(rank_of[slot]);
    }
    std::string text = "# The ranks of each node, in the order of the nodes\n";
    for (const std::vector<std::uint32_t>& ranks : nodes) {
        text += rank_ranges(ranks) + '\n';
    }
    return text;
}

}  // namespace

Result<LaunchFile> launch_file(const Slots& slots, const topo::PerProcess& slot_of, LaunchFormat format,
                               Launcher launcher) {
    switch (format) {
        case LaunchFormat::kRankfile:
            return rankfile(slots, slot_of, launcher);
        case LaunchFormat::kSlurm:
            return LaunchFile{host_lines(slots, slot_of),
                              fmt::format("SLURM_HOSTFILE={{}} srun --distribution=arbitrary -n {} "
                                          "PROGRAM, in an allocation of these hosts",
                                          slot_of.size())};
        case LaunchFormat::kMpichOrder:
            return LaunchFile{mpich_lines(slots, slot_of),
                              "MPICH_RANK_REORDER_METHOD=3 MPICH_RANK_REORDER_FILE={}, with a launch "
                              "that fills these nodes one after the other"};
        default:
            return LaunchFile{
                host_lines(slots, slot_of),
                // mpirun takes each line for a slot, and lets ranks spin on a host with fewer CPUs.
                fmt::format("mpirun --hostfile {{}} --map-by seq -np {} PROGRAM\n"
                            "  where a host has more ranks than CPUs, with --mca mpi_yield_when_idle 1",
                            slot_of.size())};
    }
}

}  // namespace hitopo::tool
