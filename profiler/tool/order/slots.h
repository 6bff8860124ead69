// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The places of an allocation, one for each process of a launch: an order of ranks is a permutation of
// them.
#ifndef PROFILER_TOOL_ORDER_SLOTS_H
#define PROFILER_TOOL_ORDER_SLOTS_H

#include <functional>
#include <string>
#include <vector>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/mca/topo/hitopo/core/places.h"
#include "ompi/tools/hitopo/document.h"
#include "profiler/tool/order/hosts.h"

namespace hitopo::tool {

struct Slot {
    std::string host;
    topo::Address address{};  // as of ompi_hitopo_get_addrs
    OptionalText cpus;        // of the process that ran there
    OptionalText allowed;     // that its cpuset has; empty: nothing tells of one
    int machine = -1;         // index into Slots::machines, or -1
};

struct Slots {
    std::vector<Slot> slots;  // slot r is rank r's in a launch without an order
    unsigned known = 0;       // bit l is set where somebody knows level l
    std::vector<MachineDocument> machines;
};

// Those of a job. kMalformed: a rank whose node has no name that launchers read, or two nodes of one
// name. `where` is for the error.
Result<Slots> slots_of(const TableDocument& table, const std::string& where);

// Host after host, each with its slots; one that occurs again is the same node. Other levels are
// unknown.
Slots slots_of(const std::vector<Host>& hosts);

// The levels of a host, one of whose ranks is `rank`.
using FindLevels = std::function<Result<RawAddress>(const std::string& host, int rank)>;

// The slots with the cluster, island and switch that their hosts have by a file that describes the
// network, in place of what was known of these levels; one that no host has stays as it was. kMalformed
// where some host lacks the innermost of them, or all lack all: it would count as one switch more.
// `where` is for the error.
Result<Slots> in_network(Slots slots, const FindLevels& find, const std::string& where);

// The same as far as nodes: what lies inside of them is left out.
Slots without_inside(Slots slots);

// Whether the table has as many ranks, and the same ones share a node.
bool share_nodes_as(const Slots& slots, const TableDocument& table);

}  // namespace hitopo::tool

#endif
