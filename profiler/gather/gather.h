// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Parts of a report come to rank 0: each process sends its own to its node's leader, and leaders
// send their node's to rank 0.
//
// Each of these messages is sent, even an empty one, so no process waits for ever for one that lacks
// memory. A leader that dies takes its node's parts with it.
#ifndef PROFILER_GATHER_GATHER_H
#define PROFILER_GATHER_GATHER_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/text/guard.h"

namespace hitopo {

// Messages between processes of MPI_COMM_WORLD that wait for each other by name. Each message that one
// sends, the other has to receive, even after an error: else one waits for ever.
class PeerMessages {
public:
    virtual ~PeerMessages() = default;

    // False where the other is gone.
    [[nodiscard]] virtual bool send(int to, std::string_view bytes) noexcept = 0;
    // None where the other is gone; kLost where there was no memory for the message.
    [[nodiscard]] virtual std::optional<std::string> receive(int from) noexcept = 0;

    // None of the messages of gathering; so short that it needs no memory.
    static constexpr std::string_view kLost = "?";
};

inline constexpr int kEnd = 0;  // the number of the report of the end; snapshots count from 1

// One process's part of one report.
struct ProcessPart {
    int report = kEnd;
    int rank = 0;
    std::string bytes = {};
};
using Parts = std::vector<ProcessPart>;

// Parts as bytes: those of two processes are the bytes of one behind the other's. None where the bytes
// are no such parts.
std::string encode(const Parts& parts);
std::optional<Parts> decode_parts(std::string_view bytes);

// The way of parts to rank 0, as one process sees it.
struct GatherPlan {
    int leader = 0;            // of its node, which is the lowest rank there: itself where it leads
    std::vector<int> members;  // that it leads, ascending, without itself
    std::vector<int> leaders;  // at rank 0: of the other nodes, ascending
    std::uint64_t hash = 0;    // equal at processes that mean the same nodes
};

// node_of(r): the number of rank r's node; negative: unknown, and it is a node of its own.
GatherPlan gather_plan(int rank, int size, const std::function<std::int64_t(int)>& node_of);

// Gathers the parts of own() of each process; a process has none where that throws. At rank 0 calls take
// for the parts of each node, then those of gone processes are left out; end: of all ranks below it
// there will be no more parts. An exception of take loses these parts, and nothing else. Collective over
// the processes that are alive.
using Take = std::function<void(Parts&& parts, int end)>;
void gather(PeerMessages& messages, int rank, int size, const GatherPlan& plan,
            const std::function<Parts()>& own, const Take& take) noexcept;

// Whether body() had memory for all that it did.
template <class Body>
bool has_done(Body&& body) noexcept {
    return guarded([&] { body(); }) == kSuccess;
}

}  // namespace hitopo

#endif
