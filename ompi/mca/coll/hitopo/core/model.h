// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The expected time of a collective, from the figures of one link of each level; and the choice that
// follows: length of segments, radices of trees, proxies or none. All processes choose alike, since its
// input is equal at all.
#ifndef OMPI_MCA_COLL_HITOPO_CORE_MODEL_H
#define OMPI_MCA_COLL_HITOPO_CORE_MODEL_H

#include <cstddef>
#include <string>

#include "ompi/mca/coll/hitopo/core/tree.h"

namespace hitopo::coll {

// The connection of a group's children with each other, as one child sees it.
struct Link {
    double latency_us = 1;
    double bytes_per_us = 1000;  // each way, for all processes of the child together
    double message_us = 1;       // of a process, for each of many messages that it sends and receives
};
using Links = ByDivision<Link>;

// The way in which segments, or blocks, follow each other.
enum class Pattern {
    kFromRoot,      // bcast
    kToRoot,        // reduce
    kThereAndBack,  // allreduce, barrier: each group is the root in its turn
    kFromEach,      // allgather: each process is a root
    kToEach,        // reduce_scatter
    kExchange,      // alltoall in bundles, without trees; a segment is a block
};
inline constexpr std::size_t kNumPatterns = 6;

bool is_merged(Pattern pattern);   // segments go up their trees
bool has_blocks(Pattern pattern);  // whose trees have their processes as roots

// Where all blocks of a process have at most so many bytes, they travel together as one message,
// kThereAndBack: that costs less than a message for each block, though all of them go everywhere.
inline constexpr std::size_t kMostTogether = 8192;

// Blocks of an exchange, of so many bytes in all, travel in bundles (core/bundles.h): each is short, and
// a process has not too many of them. Bundles of longer ones gain nothing (docs/measurements.md).
bool is_bundled(int num_processes, std::size_t bytes);
inline constexpr std::size_t kMostBundled = 65536, kLongestBundled = 128;

// The bytes of a cell of alltoallv, a block behind the four bytes of its length: kLongestCell, or fewer
// where all cells of a process would have more than kMostBundled; 0 where that is too few.
std::size_t cell_bytes(int num_processes);
inline constexpr std::size_t kLongestCell = 256, kShortestCell = 16;

// In a node that shares memory, short messages that are merged (node_stage.h) have a tree of this radix,
// whether they pass through the memory or not: so results are the same. Where cores are shared, too,
// each level of a tree waits for a process to run.
inline constexpr int kSharedRadix = 16;

struct Choice {
    Pattern pattern = Pattern::kFromRoot;
    TreeShape trees;
    std::size_t segment_bytes = 0;
    int num_segments = 1;
    int window = 1;            // segments under way at once
    bool has_proxies = false;  // of one root
    // Processes of a node that exchange its bundles (kExchange, core/bundles.h); 0: there are none.
    int num_sharing = 0;
    double us = 0;  // expected
};

// bytes: of the whole message, or all blocks (of an exchange, of one process), of which no segment is
// longer than one. Segments are whole multiples of unit_bytes (at least 1) where there are several and
// they are not blocks of an exchange. A communicator of one process takes no time.
Choice choose(const Shape& shape, const Links& links, Pattern pattern, std::size_t bytes,
              std::size_t unit_bytes, int num_leaders);

// "4 segments of 32768 bytes, 8 in flight, with proxies; radix switch 3, process 4; 91600 us estimated",
// or
// "blocks of 64 bytes, bundled by 1 of a node; 812 us estimated"
std::string describe(const Choice& choice, const Shape& shape);

}  // namespace hitopo::coll

#endif
