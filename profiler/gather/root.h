// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Rank 0's side of gathering: it hears once from each node which parts there are, and then orders them,
// one report after the other, from all nodes at the same time, but never much more than a window's bytes
// at once. So where ranks go by slot or are few, each node sends two messages, and memory does not grow
// with the job.
#ifndef PROFILER_GATHER_ROOT_H
#define PROFILER_GATHER_ROOT_H

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "profiler/gather/node_leader.h"
#include "profiler/gather/numbering.h"

namespace hitopo {

class Root {
public:
    static constexpr std::uint64_t kWindowBytes = std::uint64_t{64} << 20;

    struct Taken {
        const PartHead& head;
        std::string_view descriptions;  // of the communicators that nobody before had
        std::string_view traffic;
    };
    using Take = std::function<void(const Taken&)>;

    // Hears from the leaders of the other nodes (ascending ranks). size: of MPI_COMM_WORLD. All outlive
    // this.
    Root(Post& post, int size, NodeLeader& own, const std::vector<int>& leaders,
         std::uint64_t window_bytes = kWindowBytes) noexcept;
    ~Root();  // whatever went wrong here, nobody waits
    Root(const Root&) = delete;
    Root& operator=(const Root&) = delete;

    // The most that a process has.
    int num_snapshots() const;

    // Calls take for the part of that number of each process that has one, in the order of ranks. Those
    // that are gone, or whose leader is, are left out, as if they had none. Throws where memory is
    // lacking.
    void collect(int number, bool wants_peers, const Take& take);

private:
    struct Node {
        int leader;
        Heads heads;  // but for rank 0's, which its NodeLeader has
    };
    // Where a rank's head is.
    struct Place {
        std::uint32_t node, process;
    };
    static constexpr std::uint32_t kNowhere = UINT32_MAX;

    // One process in a window, and what came of it.
    struct Part {
        int rank;
        const PartHead* head;
        Answer answer;
        bool has_come;
    };
    // A node that is asked for a window.
    struct Request {
        std::uint32_t node;
        NodeOrder order;
        std::string order_bytes;
        std::string answers;
        bool is_asked;
    };

    void add_node(int leader, Heads heads);
    const Heads& heads_of(std::uint32_t node) const {
        return node == 0 ? own_.heads() : nodes_[node].heads;
    }
    const PartHead* head_of(int rank, int number) const;
    int end_of_window(int first, int number) const;
    bool collect_window(int first, int end, const NodeOrder& model, const Take& take);
    std::vector<Part> parts_of(int first, int end, int number) const;
    std::vector<Request> requests_of(const std::vector<Part>& parts, const NodeOrder& model);
    void ask(std::vector<Request>& requests) noexcept;
    bool match(const std::vector<Request>& requests, std::vector<Part>& parts);

    Post& post_;
    int size_;
    NodeLeader& own_;
    const std::vector<int>& leaders_;
    std::uint64_t window_bytes_;
    std::vector<Node> nodes_;    // the first one is rank 0's
    std::vector<Place> places_;  // of each rank
    std::vector<bool> is_lost_;  // of each rank: without its part of this report
    Numbering numbering_;        // of this report
};

}  // namespace hitopo

#endif
