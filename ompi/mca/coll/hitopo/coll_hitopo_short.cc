// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/coll_hitopo_short.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo::coll {

Interval LeaderPositions::group(int level, int node) const {
    const Interval of_processes = all_->group(level, nodes_.child(node).first);
    return {nodes_.child_of(of_processes.first), nodes_.child_of(of_processes.last - 1) + 1};
}

// What a call does with the memory of the caller.
class ShortCalls::Call : public NodeCall {
public:
    enum class Kind { kBcast, kReduce, kAllreduce, kBarrier };

    Call(Kind kind, const hitopo_coll_wire_t& wire, const char* input, char* output, std::size_t count,
         int root = 0)
        : kind_(kind), wire_(wire), input_(input), output_(output), count_(count), root_(root) {
        num_bytes = count * wire.size;
        length_error = wire.length_error;
    }

    Collectives* leaders = nullptr;  // NULL: there are no other nodes

    int give(char* data) override {
        if (kind_ == Kind::kBarrier) {
            return 0;
        }
        if (input_ == nullptr && wire_.pack != nullptr) {
            return wire_.pack(wire_.context, 0, num_bytes, data);
        }
        std::memcpy(data, input_, num_bytes);
        return 0;
    }
    int merge(const char* in, char* inout) override {
        return kind_ == Kind::kBarrier ? 0 : wire_.reduce(wire_.context, in, inout, count_);
    }
    int cross(char* data) override {
        return leaders == nullptr ? 0 : guarded([&] { return call_leaders(data); });
    }
    int take(const char* data) override {
        if (kind_ == Kind::kBarrier) {
            return 0;
        }
        if (output_ == nullptr && wire_.unpack != nullptr) {
            return wire_.unpack(wire_.context, data, 0, num_bytes);
        }
        std::memcpy(output_, data, num_bytes);
        return 0;
    }
    int idle() override { return wire_.idle(wire_.context); }
    void begin() { wire_.begin(wire_.context); }

private:
    int call_leaders(char* data) {
        hitopo_coll_wire_t wire = wire_;
        wire.pack = nullptr;
        wire.unpack = nullptr;
        switch (kind_) {
            case Kind::kBcast:
                return leaders->bcast(wire, data, num_bytes, root_)->move_on();
            case Kind::kReduce:
                return leaders->reduce(wire, data, data, count_, root_)->move_on();
            case Kind::kAllreduce:
                return leaders->allreduce(wire, data, data, count_)->move_on();
            case Kind::kBarrier:
                return leaders->barrier(wire)->move_on();
        }
        return 0;
    }

    Kind kind_;
    const hitopo_coll_wire_t& wire_;
    const char* input_;
    char* output_;
    std::size_t count_;
    int root_;
};

ShortCalls::ShortCalls(std::shared_ptr<const Positions> positions, int own_rank, const Links& links,
                       int num_leaders, int least, void (*tell)(const char*))
    : positions_(std::move(positions)),
      own_rank_(own_rank),
      links_(links),
      num_leaders_(num_leaders),
      least_(least),
      tell_(tell) {}

std::size_t ShortCalls::wants_memory(std::size_t num_bytes, const Groups& groups) {
    if (!shares_memory(groups.shape(), least_) || num_bytes > kMostShared || num_calls_ >= kFirstCall ||
        ++num_calls_ < kFirstCall) {
        return 0;
    }
    Group nodes = groups.nodes();
    const Interval own = nodes.child(nodes.own);
    for (int position = own.first; position < own.last; ++position) {
        node_.push_back(positions_->rank_of(position));
    }
    if (node_[0] == own_rank_ && nodes.num_children() > 1) {
        leaders_.emplace(std::make_shared<LeaderPositions>(positions_, std::move(nodes)), own_rank_,
                         links_, num_leaders_, tell_);
    }
    return shared_bytes(static_cast<int>(node_.size()));
}

void ShortCalls::use(NodeCell* cells, bool is_shared) {
    if (is_shared && own_rank_ == 0 && tell_ != nullptr) {
        tell_("messages of up to 2 KiB pass through shared memory within a node");
    }
    if (is_shared) {
        stage_.emplace(cells, static_cast<int>(node_.size()), place_in_node(own_rank_));
    } else {
        leaders_.reset();
        node_ = {};
    }
}

// Elements that lie one behind the other.
bool ShortCalls::serves(const hitopo_coll_wire_t& wire, std::size_t num_bytes) const {
    return stage_ && num_bytes <= kMostShared && static_cast<std::size_t>(wire.extent) == wire.size &&
           wire.true_lb == 0;
}

// NodeCall::kNone: it is in another node.
int ShortCalls::place_in_node(int rank) const {
    const auto found = std::find(node_.begin(), node_.end(), rank);
    return found == node_.end() ? NodeCall::kNone : static_cast<int>(found - node_.begin());
}

// The leaders' collective begins the call there.
int ShortCalls::run(Call& call) {
    if (leaders_) {
        call.leaders = &*leaders_;
    } else {
        call.begin();
    }
    return stage_->run(call);
}

int ShortCalls::bcast(const hitopo_coll_wire_t& bytes, char* buffer, std::size_t num_bytes, int root) {
    Call call(Call::Kind::kBcast, bytes, buffer, buffer, num_bytes, root);
    call.giver = place_in_node(root);
    return run(call);
}

int ShortCalls::reduce(const hitopo_coll_wire_t& wire, const char* input, char* output,
                       std::size_t count, int root) {
    Call call(Call::Kind::kReduce, wire, input, output, count, root);
    call.taker = place_in_node(root);
    return run(call);
}

int ShortCalls::allreduce(const hitopo_coll_wire_t& wire, const char* input, char* output,
                          std::size_t count) {
    Call call(Call::Kind::kAllreduce, wire, input, output, count);
    return run(call);
}

int ShortCalls::barrier(const hitopo_coll_wire_t& wire) {
    Call call(Call::Kind::kBarrier, wire, nullptr, nullptr, 0);
    return run(call);
}

}  // namespace hitopo::coll
