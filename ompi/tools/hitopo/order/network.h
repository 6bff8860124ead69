// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// The switches, islands and clusters of slots, from a file that describes the network.
#ifndef OMPI_TOOLS_HITOPO_ORDER_NETWORK_H
#define OMPI_TOOLS_HITOPO_ORDER_NETWORK_H

#include <functional>
#include <string>

#include "ompi/mca/hitopo/core/address/name.h"
#include "ompi/mca/hitopo/core/text/result.h"
#include "ompi/tools/hitopo/order/slots.h"

namespace hitopo::tool {

// The levels of a host, one of whose ranks is `rank`.
using FindLevels = std::function<Result<RawAddress>(const std::string& host, int rank)>;

// The slots with the cluster, island and switch that their hosts have, in place of what was known of
// these levels; one that no host has stays as it was. kMalformed where some host lacks the innermost of
// them, or all lack all: it would count as one switch more. `where` is for the error.
Result<Slots> in_network(Slots slots, const FindLevels& find, const std::string& where);

}  // namespace hitopo::tool

#endif
