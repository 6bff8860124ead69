// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#include "ompi/mca/coll/hitopo/coll_hitopo_operation.h"

#include <algorithm>

namespace hitopo::coll {
namespace {

// Messages of a process that are under way, as a rule; with more of them a start may take memory.
constexpr std::size_t kMostAtOnce = std::size_t{2} * HITOPO_COLL_NUM_TAGS;

}  // namespace

PmlMessages::PmlMessages(hitopo_coll_messages_t& messages, bool is_packed) : messages_(messages) {
    element = {messages.size, messages.extent, messages.true_lb, messages.true_extent};
    num_tags = HITOPO_COLL_NUM_TAGS;
    packing = is_packed ? this : nullptr;
}

void PmlMessages::prepare() {
    bytes_.reserve(kMostAtOnce);
    requests_.reserve(kMostAtOnce);
    open_.reserve(kMostAtOnce);
    done_.reserve(kMostAtOnce);
}

// A request that was posted has its place already: nothing is lost where memory is short.
template <class Post>
int PmlMessages::post(const OpenMessage& message, Post post_to) {
    open_.push_back(message);
    requests_.push_back(nullptr);
    const int error = post_to(&requests_.back());
    if (error != 0) {
        open_.pop_back();
        requests_.pop_back();
    }
    return error;
}

int PmlMessages::send(const char* from, std::size_t count, int peer, int tag, bool must_match,
                      const Posted& posted) {
    return post({posted, kAnyLength}, [&](void** request) {
        return hitopo_coll_send(&messages_, from, count, peer, tag, must_match, request);
    });
}

int PmlMessages::receive(char* to, std::size_t count, int peer, int tag, const Posted& posted) {
    return post({posted, count * element.size}, [&](void** request) {
        return hitopo_coll_receive(&messages_, to, count, peer, tag, request);
    });
}

int PmlMessages::take_some(std::vector<Posted>& completed) {
    int num_done = 0;
    done_.resize(requests_.size());
    bytes_.resize(requests_.size());
    const int error = hitopo_coll_take_some(&messages_, static_cast<int>(requests_.size()),
                                            requests_.data(), &num_done, done_.data(), bytes_.data());
    completed.clear();
    for (int i = 0; i < num_done; ++i) {
        OpenMessage& message = open_[static_cast<std::size_t>(done_[static_cast<std::size_t>(i)])];
        const std::size_t bytes = bytes_[static_cast<std::size_t>(i)];
        message.posted.has_failed = message.num_bytes != kAnyLength && message.num_bytes != bytes;
        has_failed_ = has_failed_ || message.posted.has_failed;
    }
    std::sort(done_.begin(), done_.begin() + num_done);
    // From the end, as the last one takes the place of one that is done.
    for (int i = num_done; i-- > 0;) {
        const auto at = static_cast<std::size_t>(done_[static_cast<std::size_t>(i)]);
        completed.push_back(open_[at].posted);
        open_[at] = open_.back();
        requests_[at] = requests_.back();
        open_.pop_back();
        requests_.pop_back();
    }
    return error;
}

bool PmlMessages::abandon() {
    std::size_t num_open = 0;
    for (std::size_t i = 0; i < requests_.size(); ++i) {
        const bool is_send = open_[i].num_bytes == kAnyLength;
        const int status = hitopo_coll_abandon(&messages_, requests_[i], is_send);
        if (status == HITOPO_COLL_PENDING) {
            open_[num_open] = open_[i];
            requests_[num_open++] = requests_[i];
        } else {
            may_be_read_ = may_be_read_ || status != 0;
        }
    }
    requests_.resize(num_open);
    open_.resize(num_open);
    return num_open == 0;
}

void Operation::prepare() {
    messages.prepare();
    completed_.reserve(kMostAtOnce);
    algorithm_->prepare();
}

int Operation::move_on() {
    if (error_ == 0) {
        const int status = advance();
        if (status == 0 || status == HITOPO_COLL_PENDING) {
            return status;
        }
        error_ = status;
    }
    return messages.abandon() ? error_ : HITOPO_COLL_PENDING;
}

int Operation::advance() {
    if (is_done_) {
        return 0;
    }
    for (algorithm_->advance(); !algorithm_->is_finished(); algorithm_->advance()) {
        if (const int error = messages.take_some(completed_)) {
            return error;
        }
        if (completed_.empty()) {
            return HITOPO_COLL_PENDING;
        }
        algorithm_->complete(completed_);
    }
    if (algorithm_->error() != 0) {
        return algorithm_->error();
    }
    is_done_ = true;
    const int status = messages.length_error();
    return status != 0 ? status : end();
}

}  // namespace hitopo::coll
