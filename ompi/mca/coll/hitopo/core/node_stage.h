// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Short messages among the processes of a node, in memory that they share. The first of them, the
// leader, has what they give cross to other nodes.
#ifndef OMPI_MCA_COLL_HITOPO_CORE_NODE_STAGE_H
#define OMPI_MCA_COLL_HITOPO_CORE_NODE_STAGE_H

#include <atomic>
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

// One call at this process. Functions return 0 or an error code of MPI.
class NodeCall {
public:
    virtual ~NodeCall() = default;

    // Writes this process's contribution of num_bytes.
    virtual int give(char* data) = 0;
    // inout = in op inout, num_bytes of each.
    virtual int merge(const char* in, char* inout) = 0;
    // At the leader: has data, what the node gives, cross to other nodes, and stores there what it
    // receives of them.
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
};

class NodeStage {
public:
    // cells: num_processes + 1 of them, shared by processes 0 to num_processes - 1; they outlive this
    // object.
    NodeStage(NodeCell* cells, int num_processes, int own);

    // The same calls, but for their memory, at all processes of the node. Where idle() returned an
    // error, this one and all later calls return it at this process.
    int run(NodeCall& call);

private:
    NodeCell& cell(int process) { return cells_[process]; }
    NodeCell& results() { return cells_[num_]; }
    bool is_leader() const { return own_ == 0; }

    // Processes form a tree: process p merges what kFanIn others from kFanIn * p + 1 on give.
    static constexpr int kFanIn = 16;

    int give(NodeCall& call);
    int lead(NodeCall& call);
    int take(NodeCall& call);
    int merge_children(NodeCall& call, NodeCell::Slot& own);
    int await(NodeCall& call, const std::atomic<std::uint64_t>& counter, std::uint64_t number);
    int await_readers(NodeCall& call);

    NodeCell* cells_;
    int num_, own_;
    std::uint64_t number_ = 0;     // of the call
    std::uint64_t all_ended_ = 0;  // at the leader: a call that all have ended
    int error_ = 0;                // of a wait
};

}  // namespace hitopo::coll

#endif
