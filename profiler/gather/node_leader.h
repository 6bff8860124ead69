// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A node's side of gathering. Its processes tell their leader what parts they have, and then wait for
// orders from it; the leader does the same with rank 0, for all of them. Rank 0 leads its own node.
//
// All memory for an order's answers is taken before anybody is asked, or what cannot be had is left out
// of the answer: there is one for each order, so nobody waits for ever. A leader that dies takes its
// node's parts with it, and lets its processes go by that.
#ifndef PROFILER_GATHER_NODE_LEADER_H
#define PROFILER_GATHER_NODE_LEADER_H

#include <string>
#include <utility>
#include <vector>

#include "profiler/gather/post.h"

namespace hitopo {

class NodeLeader {
public:
    // Hears from the members (ascending ranks above this process's own, which is `rank`). All outlive
    // this.
    NodeLeader(Post& post, int rank, const std::vector<int>& members, const PartSource& own) noexcept;
    ~NodeLeader();  // lets the members go
    NodeLeader(const NodeLeader&) = delete;
    NodeLeader& operator=(const NodeLeader&) = delete;

    // The node's; without those that are gone, and of nobody where memory was lacking.
    const Heads& heads() const { return heads_; }

    // The bytes of the answers, by rank; "" where there are none.
    std::string answers(const NodeOrder& order) noexcept;

private:
    // A member that is asked.
    struct Question {
        int rank;
        Order order;
        std::string order_bytes;
        std::string answer;
        bool is_asked;
    };
    std::vector<Question> questions_of(const NodeOrder& order) const;
    void ask(std::vector<Question>& questions) noexcept;

    Post& post_;
    int rank_;
    const std::vector<int>& members_;
    const PartSource& own_;
    Heads heads_;
};

// What a process does that is not rank 0, until it is let go.
void follow(Post& post, int leader, const PartSource& own) noexcept;
void lead_node(Post& post, int rank, const std::vector<int>& members, const PartSource& own) noexcept;

}  // namespace hitopo

#endif
