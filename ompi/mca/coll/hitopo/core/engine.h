// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Most collectives are a number of segments. Each goes up a tree, reduced on its way, or comes down one
// as a copy, or both; trees differ from segment to segment. The engine keeps a window of segments under
// way. It never waits: its caller passes it completed messages.
#ifndef OMPI_MCA_COLL_HITOPO_CORE_ENGINE_H
#define OMPI_MCA_COLL_HITOPO_CORE_ENGINE_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ompi/mca/coll/hitopo/core/tree.h"

namespace hitopo::coll {

// An element of the datatype, in MPI's terms.
struct Element {
    std::size_t size = 1;        // bytes of data
    std::ptrdiff_t extent = 1;   // from one to the next; positive
    std::ptrdiff_t true_lb = 0;  // of its first byte
    std::size_t true_extent = 1;

    // The bytes that `count` elements cover.
    std::size_t covered_bytes(std::size_t count) const {
        return count == 0 ? 0 : true_extent + (count - 1) * static_cast<std::size_t>(extent);
    }
};

// The address `count` elements behind `base`, computed as a number: the base may be MPI_BOTTOM.
template <class Char>
Char* advanced(Char* base, std::size_t count, std::ptrdiff_t extent) {
    const auto at = reinterpret_cast<std::uintptr_t>(base) + count * static_cast<std::size_t>(extent);
    return reinterpret_cast<Char*>(at);  // NOLINT(performance-no-int-to-ptr)
}

// The purpose of a message.
struct Posted {
    enum class For { kChild, kSentUp, kExchanged, kReceived, kSentDown };
    int slot;
    For what;
    int child;
    bool has_failed = false;  // it was received, and not of the length that was expected
};

// Copies between a message and the caller's memory, whose datatype has holes. Each function returns 0 or
// an MPI error code.
class Packing {
public:
    virtual ~Packing() = default;

    // Copies `count` elements of the message, from element `at` on.
    virtual int pack(std::size_t at, std::size_t count, char* to) = 0;
    virtual int unpack(const char* from, std::size_t at, std::size_t count) = 0;
};

// Messages among the processes of the communicator, ranks in it, and the operation. Counts are elements.
// Each function returns 0 or an MPI error code; none waits.
class Messages {
public:
    virtual ~Messages() = default;

    // must_match: completes only when the receive has begun. tag: 0 .. num_tags - 1.
    virtual int send(const char* from, std::size_t count, int peer, int tag, bool must_match,
                     const Posted& posted) = 0;
    virtual int receive(char* to, std::size_t count, int peer, int tag, const Posted& posted) = 0;
    // inout = in op inout
    virtual int reduce(const char* in, char* inout, std::size_t count) = 0;
    // Memory between elements is left as it is.
    virtual int copy(const char* from, char* to, std::size_t count) = 0;

    Element element;
    int num_tags = 1;
    // NULL: the memory that segments name is the message. Else segments that come down and never go up
    // are packed and unpacked.
    Packing* packing = nullptr;
};

// Messages under way that follow from each other.
class Algorithm {
public:
    virtual ~Algorithm() = default;

    // Takes at once the memory that it would take as it goes on. Throws where memory is short.
    virtual void prepare() {}

    // Posts all messages that can be posted. Call it first, and after completions.
    virtual void advance() = 0;

    // Takes completed messages. Throws where memory is short.
    virtual void complete(std::vector<Posted>& completed) = 0;

    // Begins anew, with the memory that it has; only where everything was done.
    virtual void restart() = 0;

    // Whether everything is done, or something failed; then messages may be open still.
    virtual bool is_finished() const = 0;
    virtual int error() const = 0;  // the first; 0: none
};

// One segment as this process sees it.
struct Segment {
    // Any address, NULL too: MPI_BOTTOM is one.
    const char* input = nullptr;  // its contribution, where segments go up
    char* output = nullptr;       // for the result, if has_output. May be input.
    bool has_output = true;       // this process wants the result
    std::size_t at = 0;           // elements of the message before it
    std::size_t count = 0;        // elements
    Route route;
};

// The segments of a collective. Numbers, routes and counts are equal at all processes.
class Segments {
public:
    virtual ~Segments() = default;
    virtual Segment segment(int index) const = 0;

    int num_segments = 0;
    std::size_t max_count = 0;  // elements of the longest segment
    bool goes_up = false, comes_down = false;
};

class Engine : public Algorithm {
public:
    // window: segments under way at once. All four live as long as the engine does.
    Engine(Messages& messages, const Groups& groups, const TreeShape& shape, const Segments& segments,
           int window);

    void prepare() override;
    void advance() override;
    void complete(std::vector<Posted>& completed) override;
    void restart() override { next_ = num_finished_ = 0; }
    bool is_finished() const override { return error_ != 0 || num_finished_ == segments_.num_segments; }
    int error() const override { return error_; }

private:
    // A segment under way.
    struct Slot {
        bool is_busy = false;
        int index = 0;
        Segment segment;
        TreePosition tree_position;
        char* sum = nullptr;           // that goes up
        char* result = nullptr;        // that comes down
        int num_open = 0;              // messages
        std::size_t num_unmerged = 0;  // first children whose contributions are not in sum
        bool awaits_down = false;
        int next_round = 0;  // of an exchange
        Round round;         // under way
        // A message of another length came. Processes that depend on it get an empty one.
        bool has_failed = false;
        std::vector<char> has_arrived;   // by child
        std::unique_ptr<char[]> memory;  // of contributions, or of the packed result
        std::size_t num_bytes = 0;       // of it
    };

    Slot& slot(int i) { return slots_[static_cast<std::size_t>(i)]; }
    void assign(Slot& at, int index);
    void start(int s, int index);
    void start_up(int s);
    void handle(const Posted& posted);
    void merge(int s);
    void exchange(int s);
    void merge_round(int s);
    void send_up(int s);
    void start_down(int s);
    void receive_down(int s);
    void send_down(int s);
    void settle(int s);
    void opened(int s, int error);
    bool is_gate(const Slot& at) const;
    std::size_t count_of(const Slot& at) const { return at.has_failed ? 0 : at.segment.count; }
    int tag_of(const Slot& at) const { return at.index % static_cast<int>(slots_.size()); }
    std::size_t block_bytes() const;
    void take_memory(Slot& at, std::size_t num_blocks);
    char* scratch(Slot& at, std::size_t block);
    char* block_of(Slot& at, std::size_t child);

    Messages& messages_;
    const Groups& groups_;
    const TreeShape& shape_;
    const Segments& segments_;
    std::vector<Slot> slots_;
    int next_ = 0;
    int num_finished_ = 0;
    int error_ = 0;
};

}  // namespace hitopo::coll

#endif
