// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A table's ranks as a tree of places, cluster > island > switch > node > l2numa > socket > core:
// what the formats tree, dot and svg draw. A document, which may be a file of another version, has
// addresses and no positions, so they are sorted here.
#ifndef OMPI_TOOLS_HITOPO_PLACE_H
#define OMPI_TOOLS_HITOPO_PLACE_H

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/level.h"
#include "ompi/tools/hitopo/document.h"

namespace hitopo::tool {

struct Place {
    Level level = kCluster;
    int number = 0;               // its value in the addresses
    std::string name;             // as the document has it, or the number
    std::vector<int> own_ranks;   // that lie here but in no place inside, ascending
    std::vector<Place> children;  // by level, then number
};

// The outermost places, with own_ranks for ranks that no level places anywhere. Levels that nobody
// knows are left out, and l2numa where no node has two. A process that does not know a level hangs
// under the nearest outer place that it knows.
struct PlaceTree {
    std::vector<int> own_ranks;
    std::vector<Place> roots;
};
PlaceTree make_places(const TableDocument& table);

// All ranks in `place` and below, ascending.
std::vector<int> all_ranks(const Place& place);

// The number of places of each level.
std::array<std::size_t, kNumLevels> count_places(const PlaceTree& tree);

// The deepest level that has a place; cluster if none has.
Level deepest_level(const PlaceTree& tree);

// Why ranks lie in a place of `level` but in none inside it: "unbound" (several sockets of a node),
// "on several cores" (of a socket); empty where the job knows nothing finer, and outside nodes.
std::string_view looseness(Level level, Level deepest);

// {"32 processes", "8 nodes", "4 switches", "2 islands"}; clusters only if there are several.
std::vector<std::string> job_counts(const TableDocument& table);

}  // namespace hitopo::tool

#endif
