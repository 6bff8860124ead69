// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/core/node_stage.h"

#include <cstring>
#include <utility>

namespace hitopo::coll {
namespace {

// A process whose peer runs has its answer soon; else it looks for messages, and lets others run.
constexpr unsigned kNumSpins = 100;

int first_of(int error, int other) { return error != 0 ? error : other; }

// The error of a contribution, or of a result, that this process reads.
int error_of(const NodeCell::Slot& slot, const NodeCall& call) {
    return first_of(slot.error, slot.num_bytes != call.num_bytes ? call.length_error : 0);
}

}  // namespace

bool NodeStage::wait_for(const std::atomic<std::uint64_t>& counter, std::uint64_t number,
                         NodeCall& call) {
    for (unsigned turn = 0; counter.load(std::memory_order_acquire) < number; ++turn) {
        error_ = turn < kNumSpins ? 0 : call.idle(turn - kNumSpins);
        if (error_ != 0) {
            return false;
        }
    }
    return true;
}

// This process's slot served the call before the last: its readers have ended that.
bool NodeStage::wait_for_readers(NodeCall& call) {
    const int reader = std::exchange(readers_[number_ % 2], kNobody);
    if (reader == kNobody || all_ended_ + 2 >= number_) {
        return true;
    }
    if (reader != kEverybody) {
        return wait_for(cell(reader).ended, number_ - 2, call);
    }
    for (int process = 0; process < num_; ++process) {
        if (process != own_ && !wait_for(cell(process).ended, number_ - 2, call)) {
            return false;
        }
    }
    return true;
}

void NodeStage::publish(int reader) {
    readers_[number_ % 2] = reader;
    cell(own_).given.store(number_, std::memory_order_release);
}

// Merges this process's contribution and those of its children as messages are merged (Engine::merge):
// the order of operands can show in the result's bits. contribution: the memory of the sum.
bool NodeStage::merge(NodeCall& call, const char*& contribution) {
    NodeCell::Slot& own = slot_of(own_);
    const bool is_apart = !call.is_in_place && (call.leader == own_ || !call.children->empty());
    char* const mine = is_apart ? own_data_ : own.data;
    own.error = call.give(mine);
    contribution = mine;
    for (auto child = call.children->rbegin(); child != call.children->rend(); ++child) {
        if (!wait_for(cell(*child).given, number_, call)) {
            return false;
        }
        const NodeCell::Slot& other = slot_of(*child);
        own.error = first_of(own.error, error_of(other, call));
        if (own.error != 0) {
            continue;
        }
        if (contribution == own_data_) {
            std::memcpy(own.data, other.data, call.num_bytes);
            own.error = call.merge(own_data_, own.data);
        } else {
            own.error = call.merge(other.data, own.data);
        }
        contribution = own.data;
    }
    if (call.leader != own_) {
        publish(call.parent);
    }
    return true;
}

int NodeStage::run(NodeCall& call) {
    ++number_;
    const bool is_leader = call.leader == own_;
    NodeCell::Slot& own = slot_of(own_);
    const char* contribution = own.data;
    int result = 0;
    if (error_ != 0 || ((is_leader || call.is_merged) && !wait_for_readers(call))) {
        return error_;
    }
    if (is_leader || call.is_merged) {
        own.num_bytes = call.num_bytes;
        own.error = 0;
    }
    if (call.is_merged) {
        if (!merge(call, contribution)) {
            return error_;
        }
        result = own.error;
    } else if (is_leader && call.is_from_leader) {
        result = own.error = call.give(own.data);
        publish(kEverybody);  // its node does not wait for other nodes
    }
    // Other nodes wait for this one, even after an error in it. So its error is not one of theirs, as
    // with messages.
    if (is_leader) {
        result = first_of(result, call.cross(contribution, own.data));
        if (call.comes_down && !call.is_from_leader) {
            own.error = result;
            publish(kEverybody);
        }
    }
    if (call.takes) {
        if (!is_leader && !wait_for(cell(call.leader).given, number_, call)) {
            return error_;
        }
        const NodeCell::Slot& slot = slot_of(call.leader);
        const int error = is_leader ? result : error_of(slot, call);
        result = first_of(result, error != 0 ? error : call.take(slot.data));
    }
    if (call.is_merged && (is_leader || call.takes)) {
        all_ended_ = number_ - 1;  // a process that gives has ended the call before
    }
    cell(own_).ended.store(number_, std::memory_order_release);
    return result;
}

}  // namespace hitopo::coll
