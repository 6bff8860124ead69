// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/coll_hitopo_short.h"

#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo::coll {

// A call's work on the memory of its caller.
class ShortCalls::Call : public NodeCall {
public:
    enum class Kind { kBcast, kReduce, kAllreduce, kBarrier };

    Call(Kind its_kind, Collectives& collectives, const hitopo_coll_wire_t& wire, const char* input,
         char* output, std::size_t count, int root = 0)
        : kind(its_kind),
          collectives_(collectives),
          wire_(wire),
          input_(input),
          output_(output),
          count_(count),
          root_(root) {
        num_bytes = count * wire.size;
        length_error = wire.length_error;
        wire.begin(wire.context);
        wire_.begin = [](void*) {};
    }

    const Kind kind;

    int give(char* data) override {
        if (wire_.pack != nullptr) {
            return wire_.pack(wire_.context, 0, num_bytes, data);
        }
        return hitopo_coll_copy_bytes(data, input_, num_bytes);
    }
    int merge(const char* in, char* inout) override {
        return count_ == 0 ? 0 : wire_.reduce(wire_.context, in, inout, count_);
    }
    int cross(const char* from, char* data) override {
        return !collectives_.is_on_several_nodes()
                   ? 0
                   : guarded([&] { return exchange(from, data)->move_on(); });
    }
    int take(const char* data) override {
        if (wire_.unpack != nullptr) {
            return wire_.unpack(wire_.context, data, 0, num_bytes);
        }
        return hitopo_coll_copy_bytes(output_, data, num_bytes);
    }
    int idle() override { return wire_.idle(wire_.context); }
    bool has_one_buffer() const { return input_ == output_; }

private:
    OperationHolder<> exchange(const char* from, char* data) {
        constexpr Route::Part kPart = Route::Part::kAmongNodes;
        hitopo_coll_wire_t wire = wire_;
        wire.pack = nullptr;
        wire.unpack = nullptr;
        switch (kind) {
            case Kind::kBcast:
                return collectives_.bcast(wire, data, num_bytes, root_, kPart);
            case Kind::kReduce:
                return collectives_.reduce(wire, from, data, count_, root_, kPart);
            case Kind::kAllreduce:
                return collectives_.allreduce(wire, from, data, count_, kPart);
            case Kind::kBarrier:
                break;
        }
        return collectives_.barrier(wire, kPart);
    }

    Collectives& collectives_;
    hitopo_coll_wire_t wire_;
    const char* input_;
    char* output_;
    std::size_t count_;
    int root_;
};

ShortCalls::ShortCalls(Collectives& collectives) : collectives_(collectives) {
    const Group nodes = collectives.groups().nodes();
    node_ = nodes.child(nodes.own);
}

std::size_t ShortCalls::wants_memory(std::size_t num_bytes) {
    if (!collectives_.shape().shares_memory || num_bytes > kMostShared || num_calls_ >= kFirstCall ||
        ++num_calls_ < kFirstCall) {
        return 0;
    }
    return static_cast<std::size_t>(node_.size()) * sizeof(NodeCell);
}

int ShortCalls::rank_in_node(int process) const {
    return process < node_.size() ? collectives_.groups().rank_of(node_.first + process) : kNobody;
}

void ShortCalls::use(NodeCell* cells) {
    collectives_.tell("messages of up to 2 KiB pass through shared memory within a node");
    stage_.emplace(cells, node_.size(), collectives_.groups().own_position() - node_.first);
}

bool ShortCalls::fits(const hitopo_coll_wire_t& wire, std::size_t num_bytes) {
    return wire.blocks != 0 && num_bytes <= kMostShared &&
           static_cast<std::size_t>(wire.extent) == wire.size && wire.true_lb == 0;
}

void ShortCalls::find_children(int root_position) {
    const Groups& groups = collectives_.groups();
    TreeShape shape;
    shape.radix[kProcess] = kSharedRadix;
    Place place;
    find_place(groups, shape, {root_position, kNobody, 0, Route::Part::kInNode}, place);
    const auto process = [&](int rank) { return groups.position_of(rank) - node_.first; };
    parent_ = place.parent == kNobody ? 0 : process(place.parent);
    children_.clear();
    for (const int child : place.children) {
        children_.push_back(process(child));
    }
}

// root_position: 0 where the call has no root.
int ShortCalls::run(Call& call, int root_position) {
    const bool is_root = root_position == collectives_.groups().own_position();
    call.leader = node_.holds(root_position) ? root_position - node_.first : 0;
    if (leader_ != call.leader) {
        find_children(root_position);
        leader_ = call.leader;
    }
    call.parent = parent_;
    call.children = &children_;
    call.is_merged = call.kind != Call::Kind::kBcast;
    call.is_from_leader = !call.is_merged && node_.holds(root_position);
    call.comes_down = call.kind != Call::Kind::kReduce;
    call.takes = call.is_merged ? call.comes_down || is_root : !is_root;
    call.is_in_place = call.takes && call.has_one_buffer();
    return stage_->run(call);
}

int ShortCalls::bcast(const hitopo_coll_wire_t& bytes, char* buffer, std::size_t num_bytes, int root) {
    Call call(Call::Kind::kBcast, collectives_, bytes, buffer, buffer, num_bytes, root);
    return run(call, collectives_.groups().position_of(root));
}

int ShortCalls::reduce(const hitopo_coll_wire_t& wire, const char* input, char* output,
                       std::size_t count, int root) {
    Call call(Call::Kind::kReduce, collectives_, wire, input, output, count, root);
    return run(call, collectives_.groups().position_of(root));
}

int ShortCalls::allreduce(const hitopo_coll_wire_t& wire, const char* input, char* output,
                          std::size_t count) {
    Call call(Call::Kind::kAllreduce, collectives_, wire, input, output, count);
    return run(call, 0);
}

int ShortCalls::barrier(const hitopo_coll_wire_t& wire) {
    Call call(Call::Kind::kBarrier, collectives_, wire, nullptr, nullptr, 0);
    return run(call, 0);
}

}  // namespace hitopo::coll
