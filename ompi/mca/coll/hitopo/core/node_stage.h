// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Short calls among the processes of a node, in memory that they share. Contributions are merged along a
// tree to the call's leader. The leader exchanges the sum with other nodes, and all read the result in
// its slot. A call blocks: two processes that make the same calls number them alike.
#ifndef OMPI_MCA_COLL_HITOPO_CORE_NODE_STAGE_H
#define OMPI_MCA_COLL_HITOPO_CORE_NODE_STAGE_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hitopo::coll {

// The longest message, in bytes.
inline constexpr std::size_t kMostShared = 2048;

// A process's part of the memory: all zero at first. Calls are numbered from 1 on, and two follow each
// other in two slots.
struct NodeCell {
    struct alignas(64) Slot {
        std::size_t num_bytes;
        int error;  // of its data; 0: none
        alignas(64) char data[kMostShared];
    };

    alignas(64) std::atomic<std::uint64_t> given;  // the last call whose slot is ready to be read
    std::atomic<std::uint64_t> ended;  // the last call after which this process reads no slot
    Slot slots[2];
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "processes share them");

// One call at this process. Functions return 0 or an error code of MPI.
class NodeCall {
public:
    virtual ~NodeCall() = default;

    // Writes this process's contribution, of num_bytes.
    virtual int give(char* data) = 0;
    // inout = in op inout, num_bytes of each.
    virtual int merge(const char* in, char* inout) = 0;
    // At the leader: exchanges `from`, the node's contribution, with other nodes, and stores the sum of
    // all in `data`. from may be data. Waits. Where is_from_leader, it only reads, as others do by then.
    virtual int cross(const char* from, char* data) = 0;
    // Reads the result.
    virtual int take(const char* data) = 0;
    // Called again and again while it waits for another process, with 0, 1, ..; an error ends the call.
    virtual int idle(unsigned turn) = 0;

    // Contributions are merged; else the leader alone has data, or gets it from another node.
    bool is_merged = false;
    bool is_from_leader = false;  // not merged, and the leader has it
    bool comes_down = false;      // all processes of the node take the result
    bool takes = false;  // this one does; where the result does not come down, the leader at most
    // Whether, as of a message, contributions are merged into memory that holds this process's own.
    bool is_in_place = false;
    int leader = 0;  // processes of the node
    int parent = 0;  // in the tree of its processes; of no importance at the leader
    const std::vector<int>* children = nullptr;  // the last one is merged first
    std::size_t num_bytes = 0;                   // up to kMostShared; the same at all processes
    int length_error = 0;                        // where it is not
};

class NodeStage {
public:
    // cells: one for each of num_processes, shared by them; they outlive this object.
    NodeStage(NodeCell* cells, int num_processes, int own)
        : cells_(cells), num_(num_processes), own_(own) {}
    NodeStage(const NodeStage&) = delete;
    NodeStage& operator=(const NodeStage&) = delete;

    // The same calls in the same order, but for their memory, at all processes of the node. Returns the
    // call's result. After an error of idle() it returns that for all later ones, too.
    int run(NodeCall& call);

private:
    static constexpr int kNobody = -1, kEverybody = -2;

    NodeCell& cell(int process) { return cells_[process]; }
    NodeCell::Slot& slot_of(int process) { return cell(process).slots[number_ % 2]; }

    // False if the wait ended with error_.
    bool wait_for(const std::atomic<std::uint64_t>& counter, std::uint64_t number, NodeCall& call);
    bool wait_for_readers(NodeCall& call);
    bool merge(NodeCall& call, const char*& contribution);
    void publish(int reader);

    NodeCell* cells_;
    int num_, own_;
    std::uint64_t number_ = 0;             // of the call
    int readers_[2] = {kNobody, kNobody};  // of this process's slots: a process, or one of the above
    std::uint64_t all_ended_ = 0;          // a call that all processes have ended
    int error_ = 0;                        // of a wait
    alignas(64) char own_data_[kMostShared];
};

}  // namespace hitopo::coll

#endif
