// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Each process has a block for each other one (alltoall). Blocks that travel together have to be copied,
// so each goes straight to its process, in an order that loads the links of all groups alike.
#ifndef OMPI_MCA_COLL_HITOPO_CORE_EXCHANGE_H
#define OMPI_MCA_COLL_HITOPO_CORE_EXCHANGE_H

#include <cstddef>
#include <vector>

#include "ompi/mca/coll/hitopo/core/engine.h"

namespace hitopo::coll {

// All positions but the own one, in the order in which this process sends: to each child of the
// outermost group at a pace by which all are through at the end, so that the link of the largest is
// never idle. Where they have as many members each, every process is sent to once in a step, and each
// child sends to one other.
std::vector<int> exchange_order(const Groups& groups);

// A block for each rank, of `count` elements; that of the next rank begins `step` bytes further.
template <class Char>
struct BlockOfEach {
    Char* first;
    std::size_t count;
    std::ptrdiff_t step;
};

class Exchange : public Algorithm {
public:
    // Its own block is not copied. The counts differ where messages that are sent have other
    // elements than those received. window: blocks on their way to others at once. messages and groups
    // live as long as this does.
    Exchange(Messages& messages, const Groups& groups, const BlockOfEach<const char>& out,
             const BlockOfEach<char>& in, int window);

    void advance() override;
    void complete(std::vector<Posted>& completed) override;
    void restart() override {
        num_posted_ = 0;
        has_begun_ = false;
    }
    bool is_finished() const override { return error_ != 0 || num_open_ + num_unsent() == 0; }
    int error() const override { return error_; }

private:
    void receive_all();
    std::size_t num_unsent() const { return order_.size() - num_posted_; }
    Messages& messages_;
    const Groups& groups_;
    BlockOfEach<const char> out_;
    BlockOfEach<char> in_;
    std::size_t window_;
    std::vector<int> order_;  // ranks
    std::size_t num_posted_ = 0, num_sending_ = 0, num_open_ = 0;
    bool has_begun_ = false;
    int error_ = 0;
};

}  // namespace hitopo::coll

#endif
