// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Short calls of one communicator that block, of bcast, reduce, allreduce and barrier: within a node in
// memory that its processes share, between nodes by messages, of one process of each. They are merged
// along the tree of messages, so that results are equal with and without such memory.
#ifndef MCA_COLL_HITOPO_SHORT_H
#define MCA_COLL_HITOPO_SHORT_H

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "ompi/mca/coll/hitopo/coll_hitopo.h"
#include "ompi/mca/coll/hitopo/core/groups.h"
#include "ompi/mca/coll/hitopo/core/node_stage.h"
#include "ompi/mca/coll/hitopo/core/tree.h"

namespace hitopo::coll {

// Whether elements of the datatype do not lie one behind the other, from their address on.
inline bool has_holes(const hitopo_coll_messages_t& messages) {
    return static_cast<std::size_t>(messages.extent) != messages.size || messages.true_lb != 0;
}

// Arguments and results as of coll_hitopo.h, but they throw where memory is short.
class ShortCalls {
public:
    // groups: live as long as this object.
    ShortCalls(const Groups& groups, bool shares_memory);

    // coll_hitopo.h, hitopo_coll_wants_memory.
    std::size_t wants_memory(const hitopo_coll_messages_t& messages,
                             const hitopo_coll_arguments_t& arguments);
    int rank_in_node(int process) const;
    // All processes have such memory. cells: of this one's node.
    void use(NodeCell* cells);
    bool has_memory() const { return stage_.has_value(); }

    // Whether the call, of one of those collectives, blocks, and has few bytes in elements one behind
    // the other. One that does not block may come from another thread, which does not look at stage_.
    static bool fits(const hitopo_coll_messages_t& messages, const hitopo_coll_arguments_t& arguments);

    // Gets the arguments of the same collective among the leaders of all nodes, each with its node's
    // memory; waits, and returns its result.
    using Crossing = std::function<int(const hitopo_coll_arguments_t& among_nodes)>;
    // A call that fits, where there is memory.
    int run(hitopo_coll_messages_t& messages, const hitopo_coll_arguments_t& arguments,
            const Crossing& cross);

private:
    // The first calls of a communicator are often its last.
    static constexpr int kFirstCall = 8;

    void find_children(int root_position);

    const Groups& groups_;
    const bool shares_memory_;
    Interval node_;  // positions of this process's node
    int num_calls_ = 0;
    std::optional<NodeStage> stage_;
    // This process in the tree of its node, for the last leader of it; processes of the node.
    int leader_ = kNobody, parent_ = 0;
    std::vector<int> children_;
};

}  // namespace hitopo::coll

#endif
