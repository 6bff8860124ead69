// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Short calls of one communicator that block: within a node in memory that its processes share, between
// nodes over a wire, by one process of each. They are merged along the tree that messages take, so that
// it does not show in the results whether there is such memory.
#ifndef MCA_COLL_HITOPO_SHORT_H
#define MCA_COLL_HITOPO_SHORT_H

#include <cstddef>
#include <optional>
#include <vector>

#include "ompi/mca/coll/hitopo/coll_hitopo.h"
#include "ompi/mca/coll/hitopo/coll_hitopo_collectives.h"
#include "ompi/mca/coll/hitopo/core/node_stage.h"

namespace hitopo::coll {

// Arguments and results as of coll_hitopo.h, but that memory which is short is thrown.
class ShortCalls {
public:
    // collectives: of the communicator; lives as long as this object.
    explicit ShortCalls(Collectives& collectives);

    // coll_hitopo.h, hitopo_coll_wants_memory.
    std::size_t wants_memory(std::size_t num_bytes);
    int rank_in_node(int process) const;
    // All processes have such memory. cells: of this one's node.
    void use(NodeCell* cells);

    // A call that blocks, of few bytes in elements that lie one behind the other. One that does not may
    // come from another thread, which does not look at stage_.
    static bool fits(const hitopo_coll_wire_t& wire, std::size_t num_bytes);
    bool serves(const hitopo_coll_wire_t& wire, std::size_t num_bytes) const {
        return fits(wire, num_bytes) && stage_;
    }
    int bcast(const hitopo_coll_wire_t& bytes, char* buffer, std::size_t num_bytes, int root);
    int reduce(const hitopo_coll_wire_t& wire, const char* input, char* output, std::size_t count,
               int root);
    int allreduce(const hitopo_coll_wire_t& wire, const char* input, char* output, std::size_t count);
    int barrier(const hitopo_coll_wire_t& wire);

private:
    class Call;

    // The first calls of a communicator are often its last.
    static constexpr int kFirstCall = 8;

    int run(Call& call, int root_position);
    void find_children(int root_position);

    Collectives& collectives_;
    Interval node_;  // positions of this process's node
    int num_calls_ = 0;
    std::optional<NodeStage> stage_;
    // This process in the tree of its node, for the last leader of it; processes of the node.
    int leader_ = kNobody, parent_ = 0;
    std::vector<int> children_;
};

}  // namespace hitopo::coll

#endif
