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
#include "ompi/mca/coll/hitopo/core/exchange.h"
#include "ompi/mca/coll/hitopo/core/jobs.h"
#include "ompi/mca/coll/hitopo/core/model.h"

// What coll_hitopo.h knows of one.
struct hitopo_coll_operation_t {};

namespace hitopo::coll {

// The engine's messages as requests of a C wire.
class RequestWire : public Wire, private Packing {
public:
    // wire: copied; its context lives as long as this does.
    explicit RequestWire(const hitopo_coll_wire_t& wire);
    RequestWire(const RequestWire&) = delete;
    RequestWire& operator=(const RequestWire&) = delete;

    int send(const char* from, std::size_t count, int peer, int tag, bool must_match,
             const Ticket& ticket) override;
    int receive(char* to, std::size_t count, int peer, int tag, const Ticket& ticket) override;
    int reduce(const char* in, char* inout, std::size_t count) override {
        return wire_.reduce(wire_.context, in, inout, count);
    }

    // What has completed; none where the wire does not wait.
    int take_some(std::vector<Ticket>& tickets);
    // The wire's length_error if a message had another length than was expected, else 0.
    int length_error() const { return has_failed_ ? wire_.length_error : 0; }
    // Takes at once the memory for as many messages as are under way as a rule.
    void prepare();
    void restart() { has_failed_ = false; }
    // After an error: ends what is open. Returns whether all is, but sends that a peer may still read.
    bool abandon();
    bool may_be_read() const { return may_be_read_; }

private:
    static constexpr std::size_t kAnyLength = HITOPO_COLL_TOO_LONG;
    struct Posted {
        Ticket ticket;
        std::size_t num_bytes;  // of what is received; kAnyLength where it is sent
    };

    int pack(std::size_t at, std::size_t count, char* to) override {
        return wire_.pack(wire_.context, at, count, to);
    }
    int unpack(const char* from, std::size_t at, std::size_t count) override {
        return wire_.unpack(wire_.context, from, at, count);
    }
    template <class Post>
    int post(const Posted& posted, Post post_to);

    const hitopo_coll_wire_t wire_;
    std::vector<void*> requests_;
    std::vector<Posted> posted_;  // of each request
    std::vector<int> done_;
    std::vector<std::size_t> bytes_;
    bool has_failed_ = false, may_be_read_ = false;
};

class Operation : public hitopo_coll_operation_t {
public:
    Operation(const hitopo_coll_wire_t& c_wire, const Choice& its_choice)
        : wire(c_wire), choice(its_choice), is_persistent_(c_wire.is_persistent != 0) {}
    virtual ~Operation() = default;
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

    // Goes on until it is finished, or has to wait and the wire does not: HITOPO_COLL_PENDING. Else its
    // result. Throws where memory is short; then, and after an error, it is not called again.
    int move_on();
    bool is_persistent() const { return is_persistent_; }
    // Takes all memory at once. Throws where it is short.
    void prepare();
    // Begins what is persistent anew, with what it has, after the result 0.
    void restart() {
        wire.restart();
        activity_->restart();
        is_done_ = false;
        begin();
    }

    // What it is made of, once.
    template <class Kind, class... Arguments>
    Kind& emplace_job(const Groups& groups, Arguments&&... arguments) {
        Kind& job = job_.emplace<Kind>(groups, std::forward<Arguments>(arguments)...);
        emplace<Engine>(groups, choice.trees, job, choice.window);
        return job;
    }
    template <class Kind, class... Arguments>
    void emplace(Arguments&&... arguments) {
        activity_ = &all_.emplace<Kind>(wire, std::forward<Arguments>(arguments)...);
    }

    RequestWire wire;
    const Choice choice;

private:
    int advance();
    // Before its messages.
    virtual void begin() {}
    // After them, if they were as they should be.
    virtual int end() { return 0; }

    const bool is_persistent_;
    std::variant<std::monostate, CutMessage, RootedBlocks> job_;
    std::variant<std::monostate, Engine, Bundles, Exchange> all_;
    Activity* activity_ = nullptr;  // which of them it is
    std::vector<Ticket> tickets_;
    int error_ = 0;  // what is open is being ended
    bool is_done_ = false;
};

// What a peer may read from later is kept for ever: no completion is ever signalled.
struct EndOperation {
    void operator()(Operation* operation) const {
        if (!operation->wire.may_be_read()) {
            delete operation;
        }
    }
};
template <class Kind = Operation>
using OperationHolder = std::unique_ptr<Kind, EndOperation>;

}  // namespace hitopo::coll

#endif
