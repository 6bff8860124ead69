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
    // Gets the arguments of the same collective among the leaders of all nodes, each with its node's
    // memory; waits, and returns its result.
    using Crossing = std::function<int(hitopo_coll_messages_t&, const hitopo_coll_arguments_t&)>;

    // groups: live as long as this object. cross: empty where there is one node.
    ShortCalls(const Groups& groups, bool shares_memory, Crossing cross);

    // Whether the processes of the node have such memory; of other nodes, they may have none. Of a call
    // that fits; the first one takes it, and waits for the others. prints: that it does.
    bool has_memory(hitopo_coll_messages_t& messages, bool prints) {
        if (!has_asked_) {
            take_memory(messages, prints);
        }
        return stage_.has_value();
    }

    // Whether the call, of one of those collectives, blocks, and has few bytes in elements one behind
    // the other. One that does not block may come from another thread, which does not look at stage_.
    static bool fits(const hitopo_coll_messages_t& messages, const hitopo_coll_arguments_t& arguments);

    // A call that fits, where there is memory.
    int run(hitopo_coll_messages_t& messages, const hitopo_coll_arguments_t& arguments);

private:
    void take_memory(hitopo_coll_messages_t& messages, bool prints);
    void find_children(int root_position);

    const Groups& groups_;
    const Crossing cross_;
    bool has_asked_;
    Interval node_;  // positions of this process's node
    std::optional<NodeStage> stage_;
    // This process in the tree of its node, for the last leader of it; processes of the node.
    int leader_ = kNobody, parent_ = 0;
    std::vector<int> children_;
};

}  // namespace hitopo::coll

#endif
