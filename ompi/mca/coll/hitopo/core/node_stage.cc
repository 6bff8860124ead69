// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/node_stage.h"

#include <algorithm>
#include <cstring>

namespace hitopo::coll {
namespace {

// A process whose peer runs has its answer within some hundred of these; else it looks for messages, and
// lets others run.
constexpr int kNumSpins = 200;

int first_of(int error, int other) { return error != 0 ? error : other; }

}  // namespace

std::size_t shared_bytes(int num_processes) {
    return (static_cast<std::size_t>(num_processes) + 1) * sizeof(NodeCell);
}

NodeStage::NodeStage(NodeCell* cells, int num_processes, int own)
    : cells_(cells), num_(num_processes), own_(own) {}

int NodeStage::run(NodeCall& call) {
    if (error_ != 0) {
        return error_;
    }
    ++number_;
    const int given = give(call);
    const int led = error_ == 0 && is_leader() ? lead(call) : 0;
    const int taken = error_ == 0 ? take(call) : 0;
    cell(own_).ended.store(number_, std::memory_order_release);
    return first_of(error_, first_of(given, first_of(led, taken)));
}

int NodeStage::await(NodeCall& call, const std::atomic<std::uint64_t>& counter, std::uint64_t number) {
    for (int i = 0; counter.load(std::memory_order_acquire) < number; ++i) {
        if (i >= kNumSpins) {
            error_ = call.idle();
            if (error_ != 0) {
                return error_;
            }
        }
    }
    return 0;
}

// This process's contribution, with those of its children in the tree. Its slot may be read still for
// the call before the last; when the leader has ended that, it has read all of it, and so have those
// that merge on the way there.
int NodeStage::give(NodeCall& call) {
    if (call.giver != NodeCall::kAll && call.giver != own_) {
        return 0;
    }
    NodeCell& mine = cell(own_);
    NodeCell::Slot& own = mine.slots[number_ % 2];
    if (!is_leader() && number_ > 2 && await(call, cell(0).ended, number_ - 2) != 0) {
        return error_;
    }
    own.num_bytes = call.num_bytes;
    own.error = call.give(own.data);
    if (call.giver == NodeCall::kAll && merge_children(call, own) != 0) {
        return error_;
    }
    mine.given.store(number_, std::memory_order_release);
    return own.error;
}

// Returns an error of a wait; others are in `own`.
int NodeStage::merge_children(NodeCall& call, NodeCell::Slot& own) {
    const int first = own_ * kFanIn + 1;
    for (int child = first; child < std::min(first + kFanIn, num_); ++child) {
        if (await(call, cell(child).given, number_) != 0) {
            return error_;
        }
        const NodeCell::Slot& other = cell(child).slots[number_ % 2];
        const int error =
            first_of(other.error, other.num_bytes != own.num_bytes ? call.length_error : 0);
        own.error = first_of(own.error, error != 0 ? error : call.merge(other.data, own.data));
    }
    return 0;
}

// The leader crosses, whatever went wrong in its node: other nodes wait for it. So an error of this node
// is not one of others, as with messages.
int NodeStage::lead(NodeCall& call) {
    NodeCell::Slot& own = cell(0).slots[number_ % 2];
    if (call.giver > 0) {
        if (await(call, cell(call.giver).given, number_) != 0) {
            return error_;
        }
        const NodeCell::Slot& other = cell(call.giver).slots[number_ % 2];
        const std::size_t num_bytes = std::min(other.num_bytes, call.num_bytes);
        own.error = first_of(other.error, other.num_bytes != call.num_bytes ? call.length_error : 0);
        std::memcpy(own.data, other.data, num_bytes);
    } else if (call.giver == NodeCall::kNone) {
        own.error = 0;
    } else if (call.giver == NodeCall::kAll) {
        all_ended_ = number_ - 1;  // who gives has ended the call before
    }
    own.num_bytes = call.num_bytes;
    own.error = first_of(own.error, call.cross(own.data));
    if (call.taker == 0 || call.taker == NodeCall::kNone) {
        return own.error;
    }
    if (await_readers(call) != 0) {
        return error_;
    }
    NodeCell::Slot& result = results().slots[number_ % 2];
    result.num_bytes = own.num_bytes;
    result.error = own.error;
    std::memcpy(result.data, own.data, own.num_bytes);
    results().given.store(number_, std::memory_order_release);
    return own.error;
}

// The result's slot may be read still for the call before the last.
int NodeStage::await_readers(NodeCall& call) {
    if (number_ <= 2 || all_ended_ >= number_ - 2) {
        return 0;
    }
    std::uint64_t ended = number_;
    for (int process = 1; process < num_; ++process) {
        if (await(call, cell(process).ended, number_ - 2) != 0) {
            return error_;
        }
        ended = std::min(ended, cell(process).ended.load(std::memory_order_acquire));
    }
    all_ended_ = ended;
    return 0;
}

int NodeStage::take(NodeCall& call) {
    if (call.taker != NodeCall::kAll && call.taker != own_) {
        return 0;
    }
    if (!is_leader() && await(call, results().given, number_) != 0) {
        return error_;
    }
    NodeCell& from = is_leader() ? cell(0) : results();
    const NodeCell::Slot& result = from.slots[number_ % 2];
    const int length = result.num_bytes != call.num_bytes ? call.length_error : 0;
    const int error = first_of(result.error, length);
    return error != 0 ? error : call.take(result.data);
}

}  // namespace hitopo::coll
