// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// A table's ranks as a tree of domains, cluster > island > switch > node > l2numa > socket > core: the
// formats tree and svg draw it. A document, which may be a file of another version, has addresses
// and no positions, so they are sorted here.
#ifndef OMPI_TOOLS_HITOPO_DOMAIN_H
#define OMPI_TOOLS_HITOPO_DOMAIN_H

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ompi/mca/hitopo/core/address/level.h"
#include "ompi/mca/hitopo/core/text/safe_text.h"
#include "ompi/tools/hitopo/document.h"

namespace hitopo::tool {

struct Domain {
    Level level = kCluster;
    int number = 0;                // its value in the addresses
    std::string name;              // as the document has it, or the number
    std::vector<int> own_ranks;    // that lie here but in no domain inside, ascending
    std::vector<Domain> children;  // by level, then number
};

// The job: its children are the outermost domains, its own ranks those that no level places anywhere.
// Unknown levels are left out, and l2numa where no node has two. A process that does not know a level
// hangs under the nearest outer domain that it knows.
Domain make_domains(const TableDocument& table);

// All ranks in `domain` and below, ascending.
std::vector<int> all_ranks(const Domain& domain);

// The number of domains of each level inside.
std::array<std::size_t, kNumLevels> count_domains(const Domain& domain);

// The deepest level that has a domain inside, where neither it nor an outer one has more than so many;
// cluster if none has.
Level deepest_level(const Domain& domain, std::size_t max_domains = SIZE_MAX);

// The reason why ranks lie in a domain of `level` but in none inside it: "unbound" (several sockets of a
// node), "on several cores" (of a socket); empty where the job knows nothing finer, and outside nodes.
std::string_view looseness(Level level, Level deepest);

// {"32 processes", "8 nodes", "4 switches", "2 islands"}; clusters only if there are several.
std::vector<std::string> job_counts(const TableDocument& table);

// For people: the line of the communicator and these counts; a line for each warning; a rank's number
// below the head "rank".
std::string heading(const TableDocument& table, Charset charset);
std::string warnings(const TableDocument& table, Charset charset);
std::string rank_cell(std::size_t rank, std::size_t num_ranks);

}  // namespace hitopo::tool

#endif
