// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A short message that is merged at all processes: up a tree inside each node, by recursive doubling
// among the nodes, and down again. Along a tree of all processes it would cross 2 log2 N links between N
// nodes one after the other, here log2 N; for this N log2 N messages go between nodes instead of
// 2 (N - 1).
#ifndef OMPI_MCA_COLL_HITOPO_CORE_DOUBLING_H
#define OMPI_MCA_COLL_HITOPO_CORE_DOUBLING_H

#include <cstddef>
#include <memory>
#include <vector>

#include "ompi/mca/coll/hitopo/core/engine.h"

namespace hitopo::coll {

class Doubling : public Activity {
public:
    // count elements; output may be input. Throws where memory is short. wire and groups live as long as
    // this does.
    Doubling(Wire& wire, const Groups& groups, const TreeShape& shape, const char* input, char* output,
             std::size_t count);

    void advance() override;
    void complete(std::vector<Ticket>& tickets) override;
    bool is_finished() const override { return error_ != 0 || (is_down_ && num_open_ == 0); }
    int error() const override { return error_; }

private:
    void merge_children();
    void exchange();
    void merge_partner();
    void go_down();
    void send(int peer, Ticket::For what);
    void receive(char* to, int peer, Ticket::For what, int child = 0);
    char* block(std::size_t index);

    Wire& wire_;
    const Groups& groups_;
    Place place_;
    const char* input_;
    char* output_;
    std::size_t count_;
    std::size_t block_bytes_;
    std::unique_ptr<char[]> memory_;  // a block for each child, and one more
    char* sum_;                       // the output, or the last block
    char* spare_;                     // the other one
    std::vector<char> has_arrived_;   // by child
    std::size_t num_merged_ = 0;      // children
    std::size_t round_ = 0;
    int num_awaited_ = 0;  // messages of the round
    int num_open_ = 0;
    bool has_begun_ = false, is_down_ = false;
    // A message of another length came: those that depend on this process get an empty one.
    bool has_failed_ = false;
    int error_ = 0;
};

}  // namespace hitopo::coll

#endif
