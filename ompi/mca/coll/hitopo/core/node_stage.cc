// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/node_stage.h"

#include <algorithm>
#include <cstring>

namespace hitopo::coll {
namespace {

// A process whose peer runs has its answer within some ten steps that do nothing; else it looks for
// messages, and lets others run. 200 took 1.4 times as long where there were more processes than cores.
constexpr int kNumSpins = 20;

int first_of(int error, int other) { return error != 0 ? error : other; }

bool has_reached(const std::atomic<std::uint64_t>& counter, std::uint64_t number) {
    return counter.load(std::memory_order_acquire) >= number;
}

}  // namespace

std::size_t shared_bytes(int num_processes) {
    return (static_cast<std::size_t>(num_processes) + 1) * sizeof(NodeCell);
}

NodeStage::NodeStage(NodeCell* cells, int num_processes, int own)
    : cells_(cells), num_(num_processes), own_(own) {}

int NodeStage::run(NodeCall& call) {
    begin(call);
    for (int num_spins = 0;;) {
        const NodeCall::Step step = call.step_;
        const int next = call.next_, result = move_on(call);
        if (result != kPending) {
            return result;
        }
        num_spins = step != call.step_ || next != call.next_ ? 0 : num_spins + 1;
        if (const int error = num_spins < kNumSpins ? 0 : call.idle()) {
            fail(error);
        }
    }
}

// In the order of calls: an earlier one can be in the hands of another thread.
int NodeStage::move_on(NodeCall& call) {
    if (error_ == 0 && num_done_.load(std::memory_order_acquire) + 1 != call.number_) {
        return kPending;
    }
    while (error_ == 0 && call.step_ != NodeCall::kDone) {
        if (!step(call)) {
            return kPending;
        }
        call.step_ = static_cast<NodeCall::Step>(call.step_ + 1);
        call.next_ = 0;
    }
    cell(own_).ended.store(call.number_, std::memory_order_release);
    num_done_.store(call.number_, std::memory_order_release);
    return first_of(error_, call.error_);
}

bool NodeStage::step(NodeCall& call) {
    switch (call.step_) {
        case NodeCall::kGive:
            return give(call);
        case NodeCall::kMerge:
            return merge(call);
        case NodeCall::kLead:
            return lead(call);
        case NodeCall::kCross:
            return cross(call);
        case NodeCall::kPublish:
            return publish(call);
        case NodeCall::kTake:
            return take(call);
        case NodeCall::kDone:
            break;
    }
    return true;
}

// This process's contribution. Its slot may be read still for the call before the last; when the leader
// has ended that, it has read all of it, and so have those that merge on the way there.
bool NodeStage::give(NodeCall& call) {
    if (!gives(call)) {
        return true;
    }
    if (!is_leader() && call.number_ > 2 && !has_reached(cell(0).ended, call.number_ - 2)) {
        return false;
    }
    NodeCell::Slot& own = own_slot(call);
    own.num_bytes = call.num_bytes;
    own.error = call.give(own.data);
    return true;
}

// With those of its children in the tree.
bool NodeStage::merge(NodeCall& call) {
    if (!gives(call)) {
        return true;
    }
    NodeCell::Slot& own = own_slot(call);
    const int first = own_ * kFanIn + 1, end = std::min(first + kFanIn, num_);
    for (; call.giver == NodeCall::kAll && first + call.next_ < end; ++call.next_) {
        NodeCell& child = cell(first + call.next_);
        if (!has_reached(child.given, call.number_)) {
            return false;
        }
        const NodeCell::Slot& other = child.slots[call.number_ % 2];
        const int error =
            first_of(other.error, other.num_bytes != own.num_bytes ? call.length_error : 0);
        own.error = first_of(own.error, error != 0 ? error : call.merge(other.data, own.data));
    }
    cell(own_).given.store(call.number_, std::memory_order_release);
    call.error_ = own.error;
    return true;
}

// What the leader has cross, whatever went wrong in its node: other nodes wait for it. So an error of
// this node is not one of others, as with messages.
bool NodeStage::lead(NodeCall& call) {
    if (!is_leader()) {
        return true;
    }
    NodeCell::Slot& own = own_slot(call);
    if (call.giver > 0) {
        NodeCell& giver = cell(call.giver);
        if (!has_reached(giver.given, call.number_)) {
            return false;
        }
        const NodeCell::Slot& other = giver.slots[call.number_ % 2];
        const std::size_t num_bytes = std::min(other.num_bytes, call.num_bytes);
        own.error = first_of(other.error, other.num_bytes != call.num_bytes ? call.length_error : 0);
        std::memcpy(own.data, other.data, num_bytes);
    } else if (call.giver == NodeCall::kNone) {
        own.error = 0;
    } else if (call.giver == NodeCall::kAll) {
        all_ended_ = call.number_ - 1;  // a process that gives has ended the call before
    }
    own.num_bytes = call.num_bytes;
    return true;
}

bool NodeStage::cross(NodeCall& call) {
    if (!is_leader()) {
        return true;
    }
    NodeCell::Slot& own = own_slot(call);
    const int error = call.cross(own.data);
    if (error == kPending) {
        return false;
    }
    own.error = first_of(own.error, error);
    call.error_ = first_of(call.error_, own.error);
    return true;
}

bool NodeStage::publish(NodeCall& call) {
    if (!is_leader() || call.taker == 0 || call.taker == NodeCall::kNone) {
        return true;
    }
    if (!have_readers_ended(call)) {
        return false;
    }
    const NodeCell::Slot& own = own_slot(call);
    NodeCell::Slot& result = results().slots[call.number_ % 2];
    result.num_bytes = own.num_bytes;
    result.error = own.error;
    std::memcpy(result.data, own.data, own.num_bytes);
    results().given.store(call.number_, std::memory_order_release);
    return true;
}

// The result's slot may be read still for the call before the last.
bool NodeStage::have_readers_ended(NodeCall& call) {
    if (call.number_ <= 2 || all_ended_ >= call.number_ - 2) {
        return true;
    }
    for (; 1 + call.next_ < num_; ++call.next_) {
        if (!has_reached(cell(1 + call.next_).ended, call.number_ - 2)) {
            return false;
        }
    }
    std::uint64_t ended = call.number_;
    for (int process = 1; process < num_; ++process) {
        ended = std::min(ended, cell(process).ended.load(std::memory_order_acquire));
    }
    all_ended_ = ended;
    return true;
}

bool NodeStage::take(NodeCall& call) {
    if (call.taker != NodeCall::kAll && call.taker != own_) {
        return true;
    }
    if (!is_leader() && !has_reached(results().given, call.number_)) {
        return false;
    }
    NodeCell& from = is_leader() ? cell(0) : results();
    const NodeCell::Slot& result = from.slots[call.number_ % 2];
    const int length = result.num_bytes != call.num_bytes ? call.length_error : 0;
    const int error = first_of(result.error, length);
    call.error_ = first_of(call.error_, error != 0 ? error : call.take(result.data));
    return true;
}

}  // namespace hitopo::coll
