// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Short messages among the processes of a node, in memory that they share. The first of them, the
// leader, has what they give cross to other nodes. Several calls can have begun; they go on one after
// the other.
#ifndef OMPI_MCA_COLL_HITOPO_CORE_NODE_STAGE_H
#define OMPI_MCA_COLL_HITOPO_CORE_NODE_STAGE_H

#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdint>

namespace hitopo::coll {

// The longest message, in bytes.
inline constexpr std::size_t kMostShared = 2048;

// A process's part of the memory: all zero at first. Calls are numbered from 1 on, and two follow each
// other in two slots.
struct NodeCell {
    struct alignas(64) Slot {
        std::size_t num_bytes;
        int error;  // of what is in it; 0: none
        alignas(64) char data[kMostShared];
    };

    alignas(64) std::atomic<std::uint64_t> given;  // the last call whose slot is ready to be read
    std::atomic<std::uint64_t> ended;  // the last call after which this process reads none of its slots
    Slot slots[2];
};

// The bytes that a node of so many processes shares: a cell for each, and one for the results.
std::size_t shared_bytes(int num_processes);

// A call that has to wait for another process.
inline constexpr int kPending = INT_MIN + 1;

// One call at this process. Functions return 0 or an error code of MPI.
class NodeCall {
public:
    virtual ~NodeCall() = default;

    // Writes this process's contribution of num_bytes.
    virtual int give(char* data) = 0;
    // inout = in op inout, num_bytes of each.
    virtual int merge(const char* in, char* inout) = 0;
    // At the leader: has data, what the node gives, cross to other nodes, and stores there what it
    // receives of them. kPending: is to be called again.
    virtual int cross(char* data) = 0;
    // Reads the result.
    virtual int take(const char* data) = 0;
    // While it waits for another process; an error ends the call.
    virtual int idle() = 0;

    static constexpr int kAll = -1, kNone = -2;
    int giver = kAll;  // which process of the node gives; kAll: their contributions are merged; kNone:
                       // other nodes give
    int taker = kAll;  // likewise, which process of this node takes the result
    std::size_t num_bytes = 0;  // up to kMostShared; the same at all processes
    int length_error = 0;       // where it is not

private:
    friend class NodeStage;
    enum Step { kGive, kMerge, kLead, kCross, kPublish, kTake, kDone };

    std::uint64_t number_ = 0;
    Step step_ = kGive;
    int next_ = 0;  // how many processes the step has done with
    int error_ = 0;
};

class NodeStage {
public:
    // cells: num_processes + 1 of them, shared by processes 0 to num_processes - 1; they outlive this
    // object.
    NodeStage(NodeCell* cells, int num_processes, int own);

    // The same calls in the same order, but for their memory, at all processes of the node. Each lives
    // until it has a result.
    void begin(NodeCall& call) { call.number_ = ++number_; }
    // Its result, or kPending. By one thread at a time for each call.
    int move_on(NodeCall& call);
    // From now on all calls return that error at this process.
    void fail(int error) { error_ = error; }
    // Begins it, and waits for its result. Fails where idle() returns an error.
    int run(NodeCall& call);

private:
    NodeCell& cell(int process) { return cells_[process]; }
    NodeCell& results() { return cells_[num_]; }
    NodeCell::Slot& own_slot(const NodeCall& call) { return cell(own_).slots[call.number_ % 2]; }
    bool is_leader() const { return own_ == 0; }
    bool gives(const NodeCall& call) const { return call.giver == NodeCall::kAll || call.giver == own_; }

    // Processes form a tree: process p merges what kFanIn others from kFanIn * p + 1 on give.
    static constexpr int kFanIn = 16;

    // Steps; false: it has to wait.
    bool step(NodeCall& call);
    bool give(NodeCall& call);
    bool merge(NodeCall& call);
    bool lead(NodeCall& call);
    bool cross(NodeCall& call);
    bool publish(NodeCall& call);
    bool take(NodeCall& call);
    bool have_readers_ended(NodeCall& call);

    NodeCell* cells_;
    int num_, own_;
    std::uint64_t number_ = 0;  // of the last call that has begun
    // Calls of this process that are done; the next one can be another thread's.
    std::atomic<std::uint64_t> num_done_{0};
    std::uint64_t all_ended_ = 0;  // at the leader: a call that all have ended
    std::atomic<int> error_{0};    // of a wait
};

}  // namespace hitopo::coll

#endif
