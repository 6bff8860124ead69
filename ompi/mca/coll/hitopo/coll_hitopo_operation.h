// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// One collective under way, with all that it needs until it is finished: the function that started it
// may have returned.
#ifndef MCA_COLL_HITOPO_OPERATION_H
#define MCA_COLL_HITOPO_OPERATION_H

#include <cstddef>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "ompi/mca/coll/hitopo/coll_hitopo.h"
#include "ompi/mca/coll/hitopo/core/bundles.h"
#include "ompi/mca/coll/hitopo/core/engine.h"
#include "ompi/mca/coll/hitopo/core/model.h"
#include "ompi/mca/coll/hitopo/core/segments.h"

// An operation as coll_hitopo.h declares it.
struct hitopo_coll_operation_t {};

namespace hitopo::coll {

// The engine's messages as those of a call.
class PmlMessages : public Messages, private Packing {
public:
    // messages: live as long as this does. is_packed: those that come down and never go up are.
    PmlMessages(hitopo_coll_messages_t& messages, bool is_packed);
    PmlMessages(const PmlMessages&) = delete;
    PmlMessages& operator=(const PmlMessages&) = delete;

    int send(const char* from, std::size_t count, int peer, int tag, bool must_match,
             const Posted& posted) override;
    int receive(char* to, std::size_t count, int peer, int tag, const Posted& posted) override;
    int reduce(const char* in, char* inout, std::size_t count) override {
        return hitopo_coll_merge(&messages_, in, inout, count);
    }

    int copy(const char* from, char* to, std::size_t count) override {
        return hitopo_coll_copy(&messages_, from, to, count);
    }

    // Gives completed messages; perhaps none where the call does not block.
    int take_some(std::vector<Posted>& completed);
    // hitopo_coll_length_error if a message had another length than was expected, else 0.
    int length_error() const { return has_failed_ ? hitopo_coll_length_error : 0; }
    // Takes at once the memory for the usual number of messages under way.
    void prepare();
    void restart() { has_failed_ = false; }
    // Ends open messages after an error. Returns whether all ended but sends that a peer may read.
    bool abandon();
    bool may_be_read() const { return may_be_read_; }

private:
    static constexpr std::size_t kAnyLength = HITOPO_COLL_TOO_LONG;
    struct OpenMessage {
        Posted posted;
        std::size_t num_bytes;  // received; kAnyLength where it is sent
    };

    int pack(std::size_t at, std::size_t count, char* to) override {
        return hitopo_coll_pack(&messages_, at, count, to);
    }
    int unpack(const char* from, std::size_t at, std::size_t count) override {
        return hitopo_coll_unpack(&messages_, from, at, count);
    }
    template <class Post>
    int post(const OpenMessage& message, Post post_to);

    hitopo_coll_messages_t& messages_;
    std::vector<void*> requests_;
    std::vector<OpenMessage> open_;  // of each request
    std::vector<int> done_;
    std::vector<std::size_t> bytes_;
    bool has_failed_ = false, may_be_read_ = false;
};

class Operation : public hitopo_coll_operation_t {
public:
    Operation(hitopo_coll_messages_t& messages, const Choice& its_choice, bool is_packed)
        : messages(messages, is_packed), choice(its_choice) {}
    virtual ~Operation() = default;
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

    // Goes on until it is finished, or has to wait and the call does not: HITOPO_COLL_PENDING. Else its
    // result. Throws where memory is short; then, and after an error, it is not called again.
    int move_on();
    // Takes all memory at once. Throws where it is short.
    void prepare();
    // Begins a persistent operation anew, with its memory, after the result 0.
    void restart() {
        messages.restart();
        algorithm_->restart();
        is_done_ = false;
        begin();
    }

    // Makes its job, once.
    template <class Kind, class... Arguments>
    Kind& emplace_segments(const Groups& groups, Arguments&&... arguments) {
        Kind& segments = segments_.emplace<Kind>(groups, std::forward<Arguments>(arguments)...);
        emplace<Engine>(groups, choice.trees, segments, choice.window);
        return segments;
    }
    template <class Kind, class... Arguments>
    void emplace(Arguments&&... arguments) {
        algorithm_ = &all_.emplace<Kind>(messages, std::forward<Arguments>(arguments)...);
    }

    PmlMessages messages;
    const Choice choice;

private:
    int advance();
    // Called before its messages.
    virtual void begin() {}
    // Called after its messages, if they were as they should be.
    virtual int end() { return 0; }

    std::variant<std::monostate, MessageSegments, BlockSegments> segments_;
    std::variant<std::monostate, Engine, Bundles> all_;
    Algorithm* algorithm_ = nullptr;  // the one that it has
    std::vector<Posted> completed_;
    int error_ = 0;  // open messages are being ended
    bool is_done_ = false;
};

// An operation that a peer may read from later is kept for ever: no completion is ever signalled.
struct EndOperation {
    void operator()(Operation* operation) const {
        if (!operation->messages.may_be_read()) {
            delete operation;
        }
    }
};
template <class Kind = Operation>
using OperationHolder = std::unique_ptr<Kind, EndOperation>;

}  // namespace hitopo::coll

#endif
