// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Short messages of one communicator: within a node in memory that its processes share, between nodes
// over a wire, by one process of each.
#ifndef MCA_COLL_HITOPO_SHORT_H
#define MCA_COLL_HITOPO_SHORT_H

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "ompi/mca/coll/hitopo/coll_hitopo.h"
#include "ompi/mca/coll/hitopo/coll_hitopo_collectives.h"
#include "ompi/mca/coll/hitopo/core/node_stage.h"

namespace hitopo::coll {

// The processes that lead a node each, in the order of nodes. position_of takes any rank of the node.
class LeaderPositions : public Positions {
public:
    LeaderPositions(std::shared_ptr<const Positions> all, Group nodes)
        : all_(std::move(all)), nodes_(std::move(nodes)) {}

    int size() const override { return nodes_.num_children(); }
    int rank_of(int node) const override { return all_->rank_of(nodes_.child(node).first); }
    int position_of(int rank) const override { return nodes_.child_of(all_->position_of(rank)); }
    Interval group(int level, int node) const override;

private:
    std::shared_ptr<const Positions> all_;
    Group nodes_;
};

// Arguments and results as of coll_hitopo.h, but that memory which is short is thrown.
class ShortCalls {
public:
    // least: processes of the largest node from which on short calls go this way; 0: none does.
    ShortCalls(std::shared_ptr<const Positions> positions, int own_rank, const Links& links,
               int num_leaders, int least, void (*tell)(const char*));

    // coll_hitopo.h, hitopo_coll_wants_memory. groups: of those positions.
    std::size_t wants_memory(std::size_t num_bytes, const Groups& groups);
    const std::vector<int>& node() const { return node_; }
    // is_shared: at all processes. cells: of this one's node.
    void use(NodeCell* cells, bool is_shared);

    bool serves(const hitopo_coll_wire_t& wire, std::size_t num_bytes) const;
    int bcast(const hitopo_coll_wire_t& bytes, char* buffer, std::size_t num_bytes, int root,
              hitopo_coll_operation_t** open);
    int reduce(const hitopo_coll_wire_t& wire, const char* input, char* output, std::size_t count,
               int root, hitopo_coll_operation_t** open);
    int allreduce(const hitopo_coll_wire_t& wire, const char* input, char* output, std::size_t count,
                  hitopo_coll_operation_t** open);
    int barrier(const hitopo_coll_wire_t& wire, hitopo_coll_operation_t** open);

private:
    class Call;
    class PendingCall;

    // The first calls of a communicator are often its last.
    static constexpr int kFirstCall = 8;

    int run(Call&& call, hitopo_coll_operation_t** open);
    int place_in_node(int rank) const;

    std::shared_ptr<const Positions> positions_;
    int own_rank_;
    Links links_;
    int num_leaders_, least_;
    void (*tell_)(const char*);
    int num_calls_ = 0;
    std::vector<int> node_;               // the ranks of this process's node, the leader's first
    std::optional<Collectives> leaders_;  // at a leader of several
    std::optional<NodeStage> stage_;
};

}  // namespace hitopo::coll

#endif
