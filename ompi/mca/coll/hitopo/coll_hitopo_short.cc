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
        return leaders == nullptr ? 0 : guarded([&] {
            if (crossing_ == nullptr) {
                crossing_ = call_leaders(data);
            }
            return crossing_->move_on();
        });
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
    void begin() const { wire_.begin(wire_.context); }

private:
    OperationHolder<> call_leaders(char* data) {
        hitopo_coll_wire_t wire = wire_;
        wire.begin = [](void*) {};  // the call has begun
        wire.pack = nullptr;
        wire.unpack = nullptr;
        switch (kind_) {
            case Kind::kBcast:
                return leaders->bcast(wire, data, num_bytes, root_);
            case Kind::kReduce:
                return leaders->reduce(wire, data, data, count_, root_);
            case Kind::kAllreduce:
                return leaders->allreduce(wire, data, data, count_);
            case Kind::kBarrier:
                break;
        }
        return leaders->barrier(wire);
    }

    Kind kind_;
    hitopo_coll_wire_t wire_;
    const char* input_;
    char* output_;
    std::size_t count_;
    int root_;
    OperationHolder<> crossing_;
};

static_assert(kPending == HITOPO_COLL_PENDING);

// A call that does not wait.
class ShortCalls::PendingCall : public Pending {
public:
    PendingCall(NodeStage& stage, Call&& call) : stage_(stage), call_(std::move(call)) {
        stage_.begin(call_);
    }

    int move_on() override {
        if (const int status = stage_.move_on(call_); status != kPending) {
            return status;
        }
        if (const int error = call_.idle()) {
            stage_.fail(error);
        }
        return kPending;
    }

private:
    NodeStage& stage_;
    Call call_;
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

// Elements that lie one behind the other. What is persistent can be started in another order at each
// process.
bool ShortCalls::serves(const hitopo_coll_wire_t& wire, std::size_t num_bytes) const {
    return stage_ && wire.is_persistent == 0 && num_bytes <= kMostShared &&
           static_cast<std::size_t>(wire.extent) == wire.size && wire.true_lb == 0;
}

// NodeCall::kNone: it is in another node.
int ShortCalls::place_in_node(int rank) const {
    const auto found = std::find(node_.begin(), node_.end(), rank);
    return found == node_.end() ? NodeCall::kNone : static_cast<int>(found - node_.begin());
}

int ShortCalls::run(Call&& call, hitopo_coll_operation_t** open) {
    call.leaders = leaders_ ? &*leaders_ : nullptr;
    call.begin();
    if (open == nullptr) {
        return stage_->run(call);
    }
    auto pending = std::make_unique<PendingCall>(*stage_, std::move(call));
    const int status = pending->move_on();
    if (status == kPending) {
        *open = pending.release();
    }
    return status;
}

int ShortCalls::bcast(const hitopo_coll_wire_t& bytes, char* buffer, std::size_t num_bytes, int root,
                      hitopo_coll_operation_t** open) {
    Call call(Call::Kind::kBcast, bytes, buffer, buffer, num_bytes, root);
    call.giver = place_in_node(root);
    return run(std::move(call), open);
}

int ShortCalls::reduce(const hitopo_coll_wire_t& wire, const char* input, char* output,
                       std::size_t count, int root, hitopo_coll_operation_t** open) {
    Call call(Call::Kind::kReduce, wire, input, output, count, root);
    call.taker = place_in_node(root);
    return run(std::move(call), open);
}

int ShortCalls::allreduce(const hitopo_coll_wire_t& wire, const char* input, char* output,
                          std::size_t count, hitopo_coll_operation_t** open) {
    return run(Call(Call::Kind::kAllreduce, wire, input, output, count), open);
}

int ShortCalls::barrier(const hitopo_coll_wire_t& wire, hitopo_coll_operation_t** open) {
    return run(Call(Call::Kind::kBarrier, wire, nullptr, nullptr, 0), open);
}

}  // namespace hitopo::coll
