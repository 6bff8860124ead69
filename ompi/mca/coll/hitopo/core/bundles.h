// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Each process has a short block for each other one (alltoall): all blocks from one node to another
// travel as one message, so that N (N - 1) messages go between N nodes. Some processes of a node share
// the nodes among them: all others of their node hand them the blocks for these, they exchange them, and
// hand out those that came.
#ifndef OMPI_MCA_COLL_HITOPO_CORE_BUNDLES_H
#define OMPI_MCA_COLL_HITOPO_CORE_BUNDLES_H

#include <array>
#include <cstddef>
#include <vector>

#include "ompi/mca/coll/hitopo/core/engine.h"

namespace hitopo::coll {

class Bundles : public Algorithm {
public:
    // out, in: a block of block_bytes for each rank, one behind the other; they must not overlap. The
    // own one is copied, too. num_sharing: processes of a node that exchange, at least 1. messages: of
    // bytes. messages and groups live as long as this does. Throws where memory is short.
    Bundles(Messages& messages, const Groups& groups, const char* out, char* in, std::size_t block_bytes,
            int num_sharing);

    void advance() override;
    void complete(std::vector<Posted>& completed) override;
    void restart() override;
    bool is_finished() const override { return error_ != 0 || (step_ == kDone && num_open_ == 0); }
    int error() const override { return error_; }

private:
    enum Step { kHandIn, kExchange, kHandOut, kDone };

    void receive_all();
    void hand_in();
    void exchange();
    void hand_out();
    void deliver();
    // visit(node) for the nodes that process `member` of this node exchanges with, its own one too.
    template <class Visit>
    void for_each_node_of(int member, Visit visit) const;
    std::size_t num_blocks_of(int member) const;  // for all processes of these nodes
    int peer_in(int node) const;                  // the position there that exchanges with this node
    void send(Step step, const std::vector<char>& message, int position);
    void receive(Step step, std::vector<char>& message, std::size_t num_blocks, int position);

    Messages& messages_;
    const Groups& groups_;
    const char* out_;
    char* in_;
    std::size_t block_bytes_;
    int num_sharing_;
    const Group nodes_;
    const Interval members_;  // of this node
    const int num_members_, own_;
    // Messages of each step, by process of this node, or in the exchange by node.
    std::array<std::vector<std::vector<char>>, kDone> sent_, received_;
    std::array<int, kDone> num_awaited_ = {};  // messages
    Step step_ = kHandIn;
    int num_open_ = 0;
    bool has_begun_ = false;
    int error_ = 0;
};

}  // namespace hitopo::coll

#endif
