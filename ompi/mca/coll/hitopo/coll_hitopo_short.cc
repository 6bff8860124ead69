// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/coll_hitopo_short.h"

#include <utility>

#include "ompi/mca/coll/hitopo/core/model.h"
#include "ompi/mca/coll/hitopo/core/settings.h"
#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo::coll {

namespace {

// A call's work on the memory of its caller.
class SharedCall : public NodeCall {
public:
    SharedCall(hitopo_coll_messages_t& messages, const hitopo_coll_arguments_t& arguments,
               const ShortCalls::Crossing& cross)
        : messages_(messages), arguments_(arguments), cross_(cross) {
        num_bytes = arguments.kind == HITOPO_COLL_BARRIER ? 0 : arguments.count * messages.size;
        length_error = hitopo_coll_length_error;
    }

    int give(char* data) override {
        return messages_.is_packed ? hitopo_coll_pack(&messages_, 0, num_bytes, data)
                                   : hitopo_coll_copy_bytes(data, arguments_.input, num_bytes);
    }
    int merge(const char* in, char* inout) override {
        return num_bytes == 0 ? 0 : hitopo_coll_merge(&messages_, in, inout, arguments_.count);
    }
    int cross(const char* from, char* data) override {
        if (!cross_) {
            return 0;
        }
        hitopo_coll_arguments_t among_nodes = arguments_;
        among_nodes.input = from;
        among_nodes.output = data;
        return guarded([&] { return cross_(messages_, among_nodes); });
    }
    int take(const char* data) override {
        return messages_.is_packed ? hitopo_coll_unpack(&messages_, data, 0, num_bytes)
                                   : hitopo_coll_copy_bytes(arguments_.output, data, num_bytes);
    }
    int idle(unsigned turn) override { return hitopo_coll_idle(&messages_, turn); }

private:
    hitopo_coll_messages_t& messages_;
    const hitopo_coll_arguments_t& arguments_;
    const ShortCalls::Crossing& cross_;
};

}  // namespace

ShortCalls::ShortCalls(const Groups& groups, bool shares_memory, Crossing cross)
    : groups_(groups), cross_(std::move(cross)), has_asked_(!shares_memory) {
    const Group nodes = groups.nodes();
    node_ = nodes.child(nodes.own);
}

void ShortCalls::take_memory(hitopo_coll_messages_t& messages, bool prints) {
    has_asked_ = true;
    std::vector<int> ranks;
    for (int position = node_.first; position < node_.last; ++position) {
        ranks.push_back(groups_.rank_of(position));
    }
    void* const cells =
        hitopo_coll_take_cells(&messages, node_.size(), ranks.data(), ranks.size() * sizeof(NodeCell));
    if (cells != nullptr) {
        stage_.emplace(static_cast<NodeCell*>(cells), node_.size(),
                       groups_.own_position() - node_.first);
        if (prints) {
            hitopo_coll_print(&messages, "messages of up to 2 KiB",
                              "through shared memory within a node");
        }
    }
}

bool ShortCalls::fits(const hitopo_coll_messages_t& messages, const hitopo_coll_arguments_t& arguments) {
    return messages.blocks && may_be_shared(arguments.kind, arguments.count * messages.size) &&
           !has_holes(messages);
}

void ShortCalls::find_children(int root_position) {
    TreeShape shape;
    shape.radix[kProcess] = kSharedRadix;
    TreePosition tree_position;
    find_tree_position(groups_, shape, {root_position, kNobody, 0, Route::Part::kInNode}, tree_position);
    const auto process = [&](int rank) { return groups_.position_of(rank) - node_.first; };
    parent_ = tree_position.parent == kNobody ? 0 : process(tree_position.parent);
    children_.clear();
    for (const int child : tree_position.children) {
        children_.push_back(process(child));
    }
}

int ShortCalls::run(hitopo_coll_messages_t& messages, const hitopo_coll_arguments_t& arguments) {
    hitopo_coll_begin_messages(&messages);
    SharedCall call(messages, arguments, cross_);
    call.is_merged = arguments.kind != HITOPO_COLL_BCAST;
    call.comes_down = arguments.kind != HITOPO_COLL_REDUCE;
    const bool has_root = !call.is_merged || !call.comes_down;
    const int root_position = has_root ? groups_.position_of(arguments.root) : 0;
    const bool is_root = root_position == groups_.own_position();
    call.leader = node_.holds(root_position) ? root_position - node_.first : 0;
    if (leader_ != call.leader) {
        find_children(root_position);
        leader_ = call.leader;
    }
    call.parent = parent_;
    call.children = &children_;
    call.is_from_leader = !call.is_merged && node_.holds(root_position);
    call.takes = call.is_merged ? call.comes_down || is_root : !is_root;
    call.is_in_place = call.takes && arguments.input == arguments.output;
    return stage_->run(call);
}

}  // namespace hitopo::coll
