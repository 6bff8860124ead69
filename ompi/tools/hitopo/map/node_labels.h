// Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
//
// Switches by the labels and annotations of a Kubernetes node (docs/commands.md).
#ifndef OMPI_TOOLS_HITOPO_MAP_NODE_LABELS_H
#define OMPI_TOOLS_HITOPO_MAP_NODE_LABELS_H

#include <string>

#include "ompi/tools/hitopo/map/documents.h"
#include "ompi/tools/hitopo/map/places.h"

namespace hitopo::map {

// Whether any of them is known.
bool tells(const Names& names);

// Outermost first, the leaf last: by the keys of --labels, else by the first family of which the node
// has a label; empty: by none.
Names names_by_labels(const Json& labels, const std::string& keys);

// Slinky's annotation: TOPOLOGY:SWITCH:..:SWITCH,TOPOLOGY:BLOCK. The first topology places the node, a
// tree before blocks.
//
//   topo-switch:spine1:leaf2,topo-block:b2
void read_slinky(const std::string& spec, bool wants_switch, const Places& places, Place& place);

}  // namespace hitopo::map

#endif
