// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The leaders of all local groups of a job, from what its launcher tells each process of the job's
// nodes: known before the first message. Nothing here is believed: processes compare what they make of
// it (base/job/presence.h).
#ifndef OMPI_MCA_HITOPO_CORE_EXCHANGE_LAUNCHED_NODES_H
#define OMPI_MCA_HITOPO_CORE_EXCHANGE_LAUNCHED_NODES_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hitopo {

// A launcher, asked by one process. Each answer is a look-up, and may be wrong.
class Launcher {
public:
    virtual ~Launcher() = default;
    virtual std::optional<std::uint32_t> leader_of(const std::string& node) const = 0;
    virtual std::string ranks_of(const std::string& node) const = 0;  // "0,1,4-7"; "": unknown
    virtual std::string node_of(std::uint32_t rank) const = 0;        // "": unknown
};

// A look-up takes some 15 us. Beyond that many nodes, rounds among all processes are the smaller evil.
inline constexpr std::size_t kMaxLaunchedNodes = 4096;

// nodes: "n1,n2,n3", those that run the job's processes. members: of the own local group, ascending, not
// empty; their first is its leader. size: of the job. The leaders, ascending, with the own one; empty
// where the answers do not make a whole. One of them may be lacking, as with mpirun 4.1
// (docs/upstream.md, 48): the first rank behind the leader of the node before that is not there, if it
// is on the node in question. So at most one look-up a node and two more.
std::vector<std::uint32_t> find_leaders(std::string_view nodes,
                                        const std::vector<std::uint32_t>& members, std::uint32_t size,
                                        const Launcher& launcher);

}  // namespace hitopo

#endif
